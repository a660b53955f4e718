/**
 * The file of a payer's key: the form that `txledger key create` writes, which is that of operators and governors, or nothing but the seed in hex.
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
  /** Undefined for a seed alone: it has an address on every network. */
  readonly address: string | undefined;
}

/**
 * The content is a secret, or would be one with a digit less: no message shows any of it.
 * @param what names the file in an error: "the signing key (--key-file)".
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
