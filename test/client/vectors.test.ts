import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import {
  encodeAddress,
  parseAddress,
  signerFromSeed,
  signTransfer,
  transactionHash,
  transferRaw,
  transferSignBytes,
  verifySignature,
} from '../../client/src/index.ts';
import { L, P, SMALL_ORDER_Y } from '../../client/src/crypto/curve.ts';
import { fromHex, toHex } from '../../client/src/crypto/hex.ts';
import { ROOT } from '../../scripts/steps.ts';

const vectors = (file: string): any => JSON.parse(readFileSync(join(ROOT, 'spec', 'vectors', file), 'utf8'));
const bytes = (hex: string): Uint8Array<ArrayBuffer> => fromHex(hex)!;

const addresses = vectors('addresses.json');
const { chain, valid } = vectors('transactions.json');
const prefixOf = (address: string): 'txl' | 'txlt' => (address.startsWith('txlt') ? 'txlt' : 'txl');

interface Case {
  seed: string;
  signBytes: string;
  raw: string;
  txHash: string;
}
const own: Case[] = valid.filter(({ kind }: { kind: string }) => kind === 'transfer');
const foreign: Case[] = vectors('signing-vectors.json');

describe('addresses of the published vectors', () => {
  test('are encoded from their keys and read back', () => {
    expect(addresses.valid.length).toBeGreaterThan(5);
    for (const { prefix, publicKey, address } of addresses.valid) {
      expect(encodeAddress(bytes(publicKey), prefix)).toBe(address);
      expect(parseAddress(address, prefix)).toEqual({ ok: true, publicKey: bytes(publicKey) });
    }
  });

  test('are refused for the reason that the vectors name', () => {
    expect(addresses.refused.length).toBeGreaterThan(5);
    for (const { name, address, prefix, reason } of addresses.refused) {
      expect({ name, ...parseAddress(address, prefix ?? chain.addressPrefix) }).toMatchObject({
        name,
        ok: false,
        reason,
      });
    }
  });
});

describe('transfers of the published vectors', () => {
  test.each([...own, ...foreign].map((vector) => [vector.txHash, vector] as const))(
    '%s has the same sign bytes, raw bytes and hash',
    async (_, { seed, signBytes, raw, txHash }) => {
      const { amount, chainId, from, nonce, reference, signature, to, validUntil } = JSON.parse(raw);
      const unsigned = { chainId, from, to, amount: BigInt(amount), nonce, reference, validUntil };
      expect(transferSignBytes(unsigned)).toBe(signBytes);
      expect(transferRaw(unsigned, signature)).toBe(raw);
      expect(await transactionHash(raw)).toBe(txHash);
      const end = validUntil === undefined ? undefined : new Date(validUntil * 1000);
      const chain = { chainId, addressPrefix: prefixOf(from) };
      const signed = await signTransfer({
        signer: await signerFromSeed(seed),
        chain,
        to,
        amount: BigInt(amount),
        nonce,
        reference,
        validUntil: end,
      });
      // Strictly: a member that is absent is not there as undefined, either.
      expect(signed).toStrictEqual({
        txHash,
        input: {
          from,
          to,
          amount,
          nonce,
          ...(reference && { reference }),
          ...(validUntil && { validUntil }),
          signature,
          txHash,
        },
      });
    },
  );

  test('made by an independent program, carry a reference, an end of validity, both and neither', () => {
    const members = foreign.map(({ raw }) =>
      ['reference', 'validUntil'].filter((name) => name in JSON.parse(raw)).join(),
    );
    expect([...new Set(members)].sort()).toEqual(['', 'reference', 'reference,validUntil', 'validUntil']);
  });
});

describe('the STRICT rule about signatures', () => {
  test('decides every published case as the vectors do', async () => {
    const cases = vectors('ed25519.json');
    expect(cases.length).toBeGreaterThan(10);
    for (const { name, publicKey, message, signature, accepted } of cases) {
      expect({ name, accepted: await verifySignature(bytes(publicKey), bytes(message), bytes(signature)) }).toEqual({
        name,
        accepted,
      });
    }
  });

  test('accepts only the case at index 3 of ed25519-speccheck', async () => {
    const cases: { message: string; pub_key: string; signature: string }[] = vectors('ed25519-speccheck.json');
    const accepted = await Promise.all(
      cases.map(({ message, pub_key, signature }) => verifySignature(bytes(pub_key), bytes(message), bytes(signature))),
    );
    expect(accepted).toEqual(cases.map((_, index) => index === 3));
  });

  test('refuses on the bytes alone what a lax platform would accept', async () => {
    // Platforms disagree, also from one version to the next; here is one that accepts everything.
    const verify = jest.spyOn(crypto.subtle, 'verify').mockResolvedValue(true);
    try {
      const cases: { name: string; publicKey: string; message: string; signature: string }[] = vectors('ed25519.json');
      const accepted = [];
      for (const { name, publicKey, message, signature } of cases)
        if (await verifySignature(bytes(publicKey), bytes(message), bytes(signature))) accepted.push(name);
      expect(accepted).toEqual([
        'a plain signature',
        'of the empty message',
        'another message',
        'another key',
        'R changed',
        'R with the other sign',
        'S changed',
      ]);
    } finally {
      verify.mockRestore();
    }
  });

  test('knows the y of every point of small order, derived from the curve equation', () => {
    const mod = (x: bigint): bigint => ((x % P) + P) % P;
    const power = (base: bigint, exponent: bigint): bigint => {
      let result = 1n;
      for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % P)
        if (rest & 1n) result = (result * square) % P;
      return result;
    };
    const inverse = (x: bigint): bigint => power(mod(x), P - 2n);
    const d = mod(-121665n * inverse(121666n));
    type Point = [x: bigint, y: bigint];
    const add = ([x1, y1]: Point, [x2, y2]: Point): Point => {
      const t = mod(d * x1 * x2 * y1 * y2);
      return [mod((x1 * y2 + y1 * x2) * inverse(1n + t)), mod((y1 * y2 + x1 * x2) * inverse(1n - t))];
    };
    const multiply = (point: Point, scalar: bigint): Point => {
      let result: Point = [0n, 1n];
      for (let twice = point, rest = scalar; rest > 0n; rest >>= 1n, twice = add(twice, twice))
        if (rest & 1n) result = add(result, twice);
      return result;
    };
    const rootOfMinusOne = power(2n, (P - 1n) / 4n);
    const pointWithY = (y: bigint): Point | undefined => {
      const square = mod((y * y - 1n) * inverse(d * y * y + 1n));
      const root = power(square, (P + 3n) / 8n);
      for (const x of [root, mod(root * rootOfMinusOne)]) if (mod(x * x) === square) return [x, y];
      return undefined;
    };
    // L times any point has an order that divides 8; the multiples of one whose order is 8 are all there are.
    const found = new Set<bigint>();
    for (let y = 2n; found.size < SMALL_ORDER_Y.length; y++) {
      const point = pointWithY(y);
      const torsion = point && multiply(point, L);
      if (torsion) for (let times = 0n; times < 8n; times++) found.add(multiply(torsion, times)[1]);
    }
    expect([...found].sort()).toEqual([...SMALL_ORDER_Y].sort());
  });

  test('turns hex into bytes and back, and nothing else', () => {
    expect(toHex(bytes('00ff10'))).toBe('00ff10');
    expect(fromHex('0')).toBeUndefined();
    expect(fromHex('0g')).toBeUndefined();
  });
});
