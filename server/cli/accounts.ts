/**
 * Who pays and who is paid, as people name them: development accounts by name, all others by address and key file.
 *
 * @module
 */
import { developmentAccounts, type DevelopmentAccount } from '../app/dev-accounts.ts';
import { readSecretFile } from '../app/secret-file.ts';
import { signerFromSeed, type Signer } from './client.ts';
import { CommandError } from './failure.ts';

const SEED_HEX = /^[0-9a-f]{64}$/i;
export const DEVELOPMENT_SENDER = 'dev-0';

function developmentAccount(nameOrAddress: string): DevelopmentAccount | undefined {
  return developmentAccounts().find(({ name, address }) => name === nameOrAddress || address === nameOrAddress);
}

/** An address stays what it is; a development account's name becomes its address. */
export function addressOf(nameOrAddress: string): string {
  return developmentAccount(nameOrAddress)?.address ?? nameOrAddress;
}

export async function signerOf(options: { from?: string; keyFile?: string }): Promise<Signer> {
  const { from = DEVELOPMENT_SENDER, keyFile } = options;
  if (keyFile !== undefined) {
    if (options.from !== undefined) throw new CommandError('Give --from or --key-file, not both: the key says whose account it is.');
    const seed = readSecretFile(keyFile, 'the signing key (--key-file)').trim();
    // The content is a secret, or would be one with a digit less: it is never shown.
    if (!SEED_HEX.test(seed)) throw new CommandError(`${keyFile} does not hold the 64 hex digits of a 32-byte Ed25519 seed.`);
    return signerFromSeed(seed);
  }
  const account = developmentAccount(from);
  if (!account) throw new CommandError(`${from} is no development account (there are dev-0 to dev-9); for an account of your own use --key-file.`);
  return signerFromSeed(account.seed);
}
