/**
 * Chooses the library that checks whether a receiver's key is a point of the curve: libsodium where it can be loaded and gives the same
 * answers as our own code.
 *
 * No block rule depends on this check, so a difference would not be a fork. But the one writing thread runs it for every new receiver, and
 * our own code takes as long as a signature.
 *
 * @module
 */
import { createRequire } from 'node:module';
import { isOnCurve, type PointCheck, usePointCheck } from '../ledger/index.ts';

/** y below this value, with either sign, is compared: points, values that are not points, and the two y of x = 0. */
const COMPARED_Y_BELOW = 16;
const KEY_BYTES = 32;
const SIGN_BIT = 0x80;

/** Returns true if this thread uses the faster library from now on. `load` is only for tests. */
export function choosePointCheck(load: () => PointCheck = loadSodiumPointCheck): boolean {
  try {
    const check = load();
    if (!comparedKeys().every((key) => isOnCurve(key, check) === isOnCurve(key))) return false;
    usePointCheck(check);
    return true;
  } catch {
    // The package is optional, and signatures.ts logs that it is missing.
    return false;
  }
}

/** Adding the neutral element decodes a point and checks that it is on the curve, and checks nothing else. */
export function loadSodiumPointCheck(): PointCheck {
  const sodium = createRequire(import.meta.url)('sodium-native') as {
    crypto_core_ed25519_add(sum: Uint8Array, p: Uint8Array, q: Uint8Array): void;
  };
  const neutral = Buffer.alloc(KEY_BYTES);
  neutral[0] = 1;
  const sum = Buffer.alloc(KEY_BYTES);
  return (publicKey) => {
    try {
      sodium.crypto_core_ed25519_add(sum, publicKey, neutral);
      return true;
    } catch {
      return false;
    }
  };
}

function comparedKeys(): Uint8Array[] {
  return Array.from({ length: COMPARED_Y_BELOW }, (_, y) => [keyOf(y, 0), keyOf(y, SIGN_BIT)]).flat();
}

function keyOf(y: number, sign: number): Uint8Array {
  const key = Buffer.alloc(KEY_BYTES);
  key[0] = y;
  key[KEY_BYTES - 1] = sign;
  return key;
}
