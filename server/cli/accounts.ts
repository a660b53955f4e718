/**
 * Payers and receivers on a command line: development accounts by name, all others by address and key file.
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

/** Returns an address unchanged; the name of a development account becomes its address. */
export function addressOf(nameOrAddress: string): string {
  return developmentAccountNamed(nameOrAddress)?.address ?? nameOrAddress;
}

/** A signing key and its owner. */
export interface SenderKey extends KeyFile {
  /** Undefined for the user's own key, which comes from a file. */
  readonly development: DevelopmentAccount | undefined;
}

export interface SenderOptions {
  readonly from?: string;
  readonly keyFile?: string;
}

/** Reads the key, before any request to the service. */
export async function senderKeyOf({ from, keyFile }: SenderOptions): Promise<SenderKey> {
  if (keyFile !== undefined) {
    if (from !== undefined)
      throw new CommandError('Give --from or --key-file, not both: the key says whose account it is.');
    // Most commands need no key.
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
 * Checks that the key may sign for this chain. The seeds of development accounts are public, and `send` uses one of them by default; a
 * transfer for any other chain must never be signed with it, not even by accident.
 * @throws CommandError for a development key on a chain that, by the service's own facts, is not a development chain, and for a key of
 * another network.
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
