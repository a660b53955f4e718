/**
 * CometBFT's priv_validator_key.json: text and value (privval/file.go, FilePVKey).
 *
 * The same file works with a stock node, so a chain can leave the embedded engine with its validator. All three parts of it are compared
 * with each other: an address or public key of another validator would make unverifiable blocks.
 */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { upperHex, validatorAddress } from './encoding/index.ts';

const SEED_BYTES = 32;
const PRIVATE_KEY_BYTES = 64;
const PRIVATE_KEY_TYPE = 'tendermint/PrivKeyEd25519';
/** RFC 8410: the DER of an Ed25519 private key is this prefix and the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface ValidatorKey {
  /** 32-byte Ed25519 public key. */
  publicKey: Uint8Array;
  /** First 20 bytes of the public key's SHA-256. */
  address: Uint8Array;
  /** Plain Ed25519 (RFC 8032), 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

export function validatorKeyFromSeed(seed: Uint8Array): ValidatorKey {
  const privateKey = privateKeyOf(seed);
  const publicKey = publicKeyOf(privateKey);
  return {
    publicKey,
    address: validatorAddress(publicKey),
    sign: (message) => sign(null, message, privateKey),
  };
}

/** The file's text for a 32-byte seed. */
export function formatValidatorKey(seed: Uint8Array): string {
  const { publicKey, address } = validatorKeyFromSeed(seed);
  const json = {
    address: upperHex(address),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(publicKey).toString('base64') },
    priv_key: {
      type: PRIVATE_KEY_TYPE,
      value: Buffer.concat([seed, publicKey]).toString('base64'),
    },
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** CometBFT's node_key.json, by which peers identify a node (p2p/key.go, NodeKey), for a 32-byte seed. */
export function formatNodeKey(seed: Uint8Array): string {
  const { publicKey } = validatorKeyFromSeed(seed);
  return JSON.stringify({
    priv_key: { type: PRIVATE_KEY_TYPE, value: Buffer.concat([seed, publicKey]).toString('base64') },
  });
}

/** Errors are values because the file is the operator's: the message says what to repair and never shows key bytes. */
export function parseValidatorKey(text: string): { ok: true; key: ValidatorKey } | { ok: false; message: string } {
  const bad = (message: string) => ({ ok: false as const, message });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return bad('is not JSON');
  }
  const file = json as {
    address?: unknown;
    pub_key?: { value?: unknown };
    priv_key?: { type?: unknown; value?: unknown };
  } | null;
  if (file?.priv_key?.type !== PRIVATE_KEY_TYPE) return bad(`has no priv_key of type ${PRIVATE_KEY_TYPE}`);
  const bytes = Buffer.from(String(file.priv_key.value), 'base64');
  if (bytes.length !== PRIVATE_KEY_BYTES)
    return bad(`has a priv_key of ${bytes.length} bytes instead of ${PRIVATE_KEY_BYTES}`);
  const key = validatorKeyFromSeed(bytes.subarray(0, SEED_BYTES));
  const publicKey = Buffer.from(key.publicKey);
  if (!publicKey.equals(bytes.subarray(SEED_BYTES)))
    return bad('has a priv_key whose two halves do not belong together');
  if (file.pub_key?.value !== publicKey.toString('base64'))
    return bad('has a pub_key that does not belong to its priv_key');
  if (file.address !== upperHex(key.address)) return bad('has an address that does not belong to its pub_key');
  return { ok: true, key };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== SEED_BYTES) throw new RangeError(`an Ed25519 seed has ${SEED_BYTES} bytes, not ${seed.length}`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

function publicKeyOf(privateKey: KeyObject): Uint8Array {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES);
}
