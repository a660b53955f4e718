/** Signatures on which libraries disagree, made with known keys, with the result of STRICT for each. */
import { createHash } from 'node:crypto';
import { publicKeyOfSeed, signEd25519, verifyStrict } from '../../server/ledger/index.ts';
import { devSeed } from '../../test/ledger/support.ts';
import { expectEqual, toHex } from './expect.ts';

const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const MESSAGE = Buffer.from('txledger ed25519 vector');
/** The neutral element: y = 1. Of small order, so never acceptable as a key or in a signature. */
const IDENTITY = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));

function sha512(...parts: readonly Uint8Array[]): Uint8Array {
  return createHash('sha512').update(Buffer.concat(parts)).digest();
}

function integer(littleEndian: Uint8Array): bigint {
  return littleEndian.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function bytes32(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}

/** The secret scalar of a seed (RFC 8032 section 5.1.5). */
function scalarOf(seed: Uint8Array): bigint {
  const half = integer(sha512(seed).subarray(0, 32));
  return (half & ((1n << 254n) - 8n)) | (1n << 254n);
}

export function ed25519Vectors() {
  const seed = devSeed(0);
  const key = publicKeyOfSeed(seed);
  const good = signEd25519(seed, MESSAGE);
  const r = good.subarray(0, 32);
  const s = integer(good.subarray(32));
  const one = (name: string, accepted: boolean, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => {
    expectEqual(name, verifyStrict(publicKey, message, signature), accepted);
    return { name, publicKey: toHex(publicKey), message: toHex(message), signature: toHex(signature), accepted };
  };
  const flip = (bytes: Uint8Array, byte: number, bit: number) =>
    bytes.map((value, i) => (i === byte ? value ^ bit : value));
  const identityScalar = (integer(sha512(IDENTITY, key, MESSAGE)) * scalarOf(seed)) % L;
  const otherKey = publicKeyOfSeed(devSeed(1));
  return [
    one('a plain signature', true, key, MESSAGE, good),
    one('of the empty message', true, key, new Uint8Array(0), signEd25519(seed, new Uint8Array(0))),
    one('another message', false, key, MESSAGE.subarray(1), good),
    one('another key', false, otherKey, MESSAGE, good),
    one('R changed', false, key, MESSAGE, flip(good, 3, 1)),
    one('R with the other sign', false, key, MESSAGE, flip(good, 31, 0x80)),
    one('S changed', false, key, MESSAGE, flip(good, 40, 1)),
    one('S raised by L: the same equation holds', false, key, MESSAGE, Buffer.concat([r, bytes32(s + L)])),
    one('S = L', false, key, MESSAGE, Buffer.concat([r, bytes32(L)])),
    one(
      'R the identity, S = k a: the equation holds, made by the owner of the key',
      false,
      key,
      MESSAGE,
      Buffer.concat([IDENTITY, bytes32(identityScalar)]),
    ),
    one(
      'the identity as key: one signature for every message',
      false,
      IDENTITY,
      MESSAGE,
      Buffer.concat([otherKey, bytes32(scalarOf(devSeed(1)) % L)]),
    ),
    one(
      'the identity as key, with a sign bit',
      false,
      flip(IDENTITY, 31, 0x80),
      MESSAGE,
      Buffer.concat([otherKey, bytes32(scalarOf(devSeed(1)) % L)]),
    ),
    one('the identity as key and as R, S = 0', false, IDENTITY, MESSAGE, Buffer.concat([IDENTITY, new Uint8Array(32)])),
    one(
      'the identity as key, encoded as p + 1',
      false,
      bytes32(2n ** 255n - 18n),
      MESSAGE,
      Buffer.concat([otherKey, bytes32(scalarOf(devSeed(1)) % L)]),
    ),
    one('63 bytes', false, key, MESSAGE, good.subarray(0, 63)),
    one('65 bytes', false, key, MESSAGE, Buffer.concat([good, new Uint8Array(1)])),
    one('a key of 31 bytes', false, key.subarray(1), MESSAGE, good),
  ];
}
