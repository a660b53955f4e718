/**
 * The file of a payer's key: in the form of `txledger key create`, which is the same for operators and governors, or only the seed in hex.
 *
 * @module
 */
import { parseOperatorKey } from '../app/operator-key.ts';
import { readSecretFile } from '../app/secret-file.ts';
import { CommandError } from './failure.ts';

const SEED_HEX = /^[0-9a-f]{64}$/i;

export interface KeyFile {
  /** 64 lower-case hex digits. */
  readonly seed: string;
  /** Undefined if the file has only a seed, which has an address on every network. */
  readonly address: string | undefined;
}

/**
 * Reads a key file. Its content is a secret, or a secret with a typing error, so no message shows any of it.
 * @param what name of the file in an error: "the signing key (--key-file)".
 */
export function readKeyFile(file: string, what: string): KeyFile {
  const text = readSecretFile(file, what).trim();
  if (SEED_HEX.test(text)) return { seed: text.toLowerCase(), address: undefined };
  if (!text.startsWith('{'))
    throw new CommandError(
      `${file} does not hold the 64 hex digits of a 32-byte Ed25519 seed, nor a key that txledger key create wrote.`,
    );
  const parsed = parseOperatorKey(text, /"address"\s*:\s*"txlt1/.test(text) ? 'txlt' : 'txl');
  if (!parsed.ok) throw new CommandError(`The key at ${file} ${parsed.message}.`);
  const { seed, address } = parsed.key;
  return { seed: Buffer.from(seed).toString('hex'), address };
}
