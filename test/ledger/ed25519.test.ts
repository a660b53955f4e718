import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isStrictPublicKey, publicKeyOfSeed, signEd25519, verifyStrict } from '../../server/ledger/index.ts';
import { fromLittleEndian, L, littleEndian, P } from './curve.ts';
import { devPublicKey, devSeed } from './support.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const sha512 = (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();
const message = Buffer.from('pay 5 to Bob');
const IDENTITY = littleEndian(1n);

/** The secret scalar of a seed (RFC 8032 section 5.1.5). */
function scalarOf(seed: Uint8Array): bigint {
  const h = sha512(seed).subarray(0, 32);
  h[0]! &= 248;
  h[31]! &= 63;
  h[31]! |= 64;
  return fromLittleEndian(h);
}

describe('STRICT verification', () => {
  test('accepts RFC 8032 section 7.1, tests 1 to 3', () => {
    const cases = [
      ['9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', ''],
      ['4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', '72'],
      ['c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7', 'af82'],
    ] as const;
    const expected = [
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ];
    for (const [i, [seed, text]] of cases.entries()) {
      const signature = signEd25519(bytes(seed), bytes(text));
      expect(Buffer.from(signature).toString('hex')).toBe(expected[i]);
      expect(verifyStrict(publicKeyOfSeed(bytes(seed)), bytes(text), signature)).toBe(true);
    }
  });

  test('of the twelve published edge cases accepts only the one at index 3', () => {
    const cases = JSON.parse(
      readFileSync(new URL('../../spec/vectors/ed25519-speccheck.json', import.meta.url), 'utf8'),
    ) as {
      message: string;
      pub_key: string;
      signature: string;
    }[];
    const accepted = cases.map((c) => verifyStrict(bytes(c.pub_key), bytes(c.message), bytes(c.signature)));
    expect(accepted).toHaveLength(12);
    expect(accepted.flatMap((ok, i) => (ok ? [i] : []))).toEqual([3]);
  });

  test('refuses a signature whose S was raised by L, which satisfies the same equation', () => {
    const signature = signEd25519(devSeed(0), message);
    expect(verifyStrict(devPublicKey(0), message, signature)).toBe(true);
    const raised = Buffer.concat([
      signature.subarray(0, 32),
      littleEndian(fromLittleEndian(signature.subarray(32)) + L),
    ]);
    expect(verifyStrict(devPublicKey(0), message, raised)).toBe(false);
  });

  test('refuses R = identity, which some libraries accept', () => {
    // S = k a makes S B = R + k A true with R the identity: the owner of a key can make such signatures, and libraries disagree about them.
    const k = fromLittleEndian(sha512(IDENTITY, devPublicKey(0), message)) % L;
    const signature = Buffer.concat([IDENTITY, littleEndian((k * scalarOf(devSeed(0))) % L)]);
    expect(verifyStrict(devPublicKey(0), message, signature)).toBe(false);
  });

  test('refuses a key of small order, under which one signature fits every message', () => {
    // With A the identity k A vanishes, so S B = R holds for anyone's r and every message.
    const signature = Buffer.concat([devPublicKey(1), littleEndian(scalarOf(devSeed(1)) % L)]);
    expect(verifyStrict(IDENTITY, message, signature)).toBe(false);
    expect(verifyStrict(IDENTITY, Buffer.from('anything'), signature)).toBe(false);
  });

  test('refuses another message, another key and every single flipped bit', () => {
    const signature = signEd25519(devSeed(0), message);
    expect(verifyStrict(devPublicKey(0), Buffer.from('pay 6 to Bob'), signature)).toBe(false);
    expect(verifyStrict(devPublicKey(1), message, signature)).toBe(false);
    for (let bit = 0; bit < 512; bit++) {
      const flipped = Uint8Array.from(signature);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(verifyStrict(devPublicKey(0), message, flipped)).toBe(false);
    }
  });

  test('wrong lengths and keys that are no point are false, never an exception', () => {
    const signature = signEd25519(devSeed(0), message);
    expect(verifyStrict(devPublicKey(0).subarray(1), message, signature)).toBe(false);
    expect(verifyStrict(devPublicKey(0), message, signature.subarray(1))).toBe(false);
    expect(verifyStrict(littleEndian(2n), message, signature)).toBe(false);
    expect(verifyStrict(new Uint8Array(0), message, new Uint8Array(0))).toBe(false);
  });

  test('a key is strict unless it is non-canonical, of small order or of another length', () => {
    for (let i = 0; i < 10; i++) expect(isStrictPublicKey(devPublicKey(i))).toBe(true);
    for (const y of [0n, 1n, P - 1n, P, P + 1n, P + 2n, 2n ** 255n - 1n])
      expect(isStrictPublicKey(littleEndian(y))).toBe(false);
    expect(isStrictPublicKey(littleEndian(2n))).toBe(true);
    expect(isStrictPublicKey(new Uint8Array(33))).toBe(false);
  });

  test('a seed of another length is refused', () => {
    expect(() => signEd25519(new Uint8Array(31), message)).toThrow(/32 bytes/);
  });
});
