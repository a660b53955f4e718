/**
 * Who pays and who is paid, as people name them: development accounts by name, all others by address and key file.
 *
 * @module
 */
import {
  DEVELOPMENT_ADDRESS_PREFIX,
  DEVELOPMENT_CHAIN_ID,
  developmentAccountNamed,
  developmentAccounts,
  type DevelopmentAccount,
} from '../app/dev-accounts.ts';
import type { Chain } from '../../client/src/index.ts';
import { CommandError } from './failure.ts';
import type { KeyFile } from './key-file.ts';

export const DEVELOPMENT_SENDER = 'dev-0';

function developmentAccount(nameOrAddress: string): DevelopmentAccount | undefined {
  return (
    developmentAccountNamed(nameOrAddress) ?? developmentAccounts().find(({ address }) => address === nameOrAddress)
  );
}

/** An address stays what it is; a development account's name becomes its address. */
export function addressOf(nameOrAddress: string): string {
  return developmentAccountNamed(nameOrAddress)?.address ?? nameOrAddress;
}

/** A key that signs, and whose it is. */
export interface SenderKey extends KeyFile {
  /** Undefined for a key of one's own, which comes from a file. */
  readonly development: DevelopmentAccount | undefined;
}

export interface SenderOptions {
  readonly from?: string;
  readonly keyFile?: string;
}

/** Reads the key, before the service is asked for anything. */
export async function senderKeyOf({ from, keyFile }: SenderOptions): Promise<SenderKey> {
  if (keyFile !== undefined) {
    if (from !== undefined)
      throw new CommandError('Give --from or --key-file, not both: the key says whose account it is.');
    // Most commands read no key.
    const { readKeyFile } = await import('./key-file.ts');
    return { ...readKeyFile(keyFile, 'the signing key (--key-file)'), development: undefined };
  }
  const name = from ?? DEVELOPMENT_SENDER;
  const development = developmentAccount(name);
  if (!development)
    throw new CommandError(
      `${name} is no development account (there are dev-0 to dev-9); for an account of your own use --key-file.`,
    );
  return { ...development, development };
}

/**
 * The seeds of development accounts are public, and `send` takes one of them when it is told no other: what is meant for a chain of one's own is
 * never signed with it, and never by accident.
 * @throws CommandError on any chain but a development chain, by what the service says of itself, and for a key that was made for another network.
 */
export function assertMaySign(
  { development, address }: SenderKey,
  { chainId, addressPrefix }: Pick<Chain, 'chainId' | 'addressPrefix'>,
): void {
  if (development === undefined && address !== undefined && !address.startsWith(`${addressPrefix}1`)) {
    throw new CommandError(
      `${address} is an address of another network: those of ${chainId} start with ${addressPrefix}1. Nothing was signed.`,
      'usage',
      { code: 'wrong_network', chainId },
    );
  }
  if (development === undefined || (chainId === DEVELOPMENT_CHAIN_ID && addressPrefix === DEVELOPMENT_ADDRESS_PREFIX))
    return;
  throw new CommandError(
    `${chainId} is no development chain, and ${development.name} is a development account, whose key is public: nothing was signed. Name your own key with --key-file.`,
    'usage',
    { code: 'development_key', chainId },
  );
}
