/** Reads the key set of the issuer of JWTs from the configured place, bounded in bytes and in time. @module */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FetchKeys } from '../gateway/access/issuer-keys.ts';
import type { JwtSettings } from '../gateway/access/jwt-settings.ts';
import { isTrusted, isWritableByOthers, modeText, processUser } from './ownership.ts';

/** Longest wait of a request for keys. */
const FETCH_MS_MAX = 5000;
/** An issuer has a handful of keys of at most 2 KiB, some with certificates. */
const KEY_SET_BYTES_MAX = 256 * 1024;
/** Every token without a key ID is checked against each of them. */
const KEYS_MAX = 100;

export function issuerKeys(keys: JwtSettings['keys']): FetchKeys {
  const read = keys.kind === 'file' ? () => readKeyFile(keys.path) : () => fetchText(keys.url);
  return async () => keySetOf(await read());
}

function keySetOf(text: string): unknown {
  const set = JSON.parse(text) as { keys?: unknown } | null;
  if (typeof set !== 'object' || set === null || !Array.isArray(set.keys))
    throw new Error('it is no key set: there is no list "keys"');
  if (set.keys.length > KEYS_MAX) throw new Error(`the key set has ${set.keys.length} keys, more than ${KEYS_MAX}`);
  return set;
}

/**
 * Reads the key file. It is public, but decides which tokens are accepted, so others must not write it. It is checked and read through one
 * descriptor, which does not block on a pipe, and no more is read than the checked size.
 */
async function readKeyFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    const user = processUser();
    if (!stats.isFile()) throw new Error(`${path} is no plain file`);
    if (!isTrusted(stats.uid, user))
      throw new Error(
        `${path} belongs to user ${stats.uid}, expected user ${user}, as whom this process runs, or root`,
      );
    if (isWritableByOthers(stats))
      throw new Error(`others can write ${path}: its mode is ${modeText(stats)}, expected 0644 (chmod go-w ${path})`);
    if (stats.size > KEY_SET_BYTES_MAX) throw new Error(`${path} is larger than ${KEY_SET_BYTES_MAX} bytes`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KEY_SET_BYTES_MAX), 0, KEY_SET_BYTES_MAX, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Follows no redirect: the operator configured this URL. */
async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_MS_MAX),
    headers: { Accept: 'application/jwk-set+json, application/json' },
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    // Leaving the loop cancels the request.
    if (bytes > KEY_SET_BYTES_MAX) throw new Error(`${url} answered more than ${KEY_SET_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
