/** The one picture that explains nonces: what it draws of what the service tells about an account. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { nonceStrip, voidNonces, type NonceFacts } from '../../server/http/explorer/src/account/nonce-strip.ts';

const runs = (facts: Partial<NonceFacts>) =>
  nonceStrip({ nonce: 0, nextNonce: 0, gaps: [], pending: [], voids: [], ...facts }).runs.map(
    ({ state, first, last }) => `${state} ${first === last ? first : `${first}-${last}`}`,
  );
const pending = (...nonces: number[]) => nonces.map((nonce) => ({ nonce, txHash: `hash ${nonce}` }));

describe('the nonce strip', () => {
  test('of an empty account begins with the nonce to sign', () => {
    expect(runs({})).toEqual(['next 0', 'free 1']);
    expect(nonceStrip({ nonce: 0, nextNonce: 0, gaps: [], pending: [], voids: [] }).summary).toBe(
      'No nonce is used yet. Sign the next transfer with nonce 0.',
    );
  });

  test('shows used, pending, void and next in their order', () => {
    expect(runs({ nonce: 7, nextNonce: 10, pending: pending(7, 8), voids: [9] })).toEqual([
      'used 0-6',
      'pending 7-8',
      'void 9',
      'next 10',
      'free 11',
    ]);
  });

  test('shows a gap as what it holds up', () => {
    const facts = {
      nonce: 3,
      nextNonce: 3,
      gaps: [
        { first: 3, last: 4 },
        { first: 6, last: 6 },
      ],
      pending: pending(5, 7),
      voids: [],
    };
    expect(runs(facts)).toEqual(['used 0-2', 'next 3', 'gap 4', 'pending 5', 'gap 6', 'pending 7', 'free 8']);
    expect(nonceStrip(facts).summary).toBe(
      'Nonces 0 to 2 are used. Sign the next transfer with nonce 3. 3 nonces from 3 on are missing and hold up 2 pending transfers.',
    );
    expect(nonceStrip({ ...facts, gaps: [{ first: 3, last: 3 }], pending: pending(4) }).summary).toBe(
      'Nonces 0 to 2 are used. Sign the next transfer with nonce 3. It is missing and holds up one pending transfer.',
    );
  });

  test('knows pending nonces that were not read from what is neither void nor missing', () => {
    expect(runs({ nonce: 0, nextNonce: 2, gaps: [], pending: [] })).toEqual(['pending 0-1', 'next 2', 'free 3']);
    expect(runs({ nonce: 0, nextNonce: 0, gaps: [{ first: 0, last: 1 }], pending: [] })).toEqual([
      'next 0',
      'gap 1',
      'pending 2',
      'free 3',
    ]);
  });

  test('counts a void nonce behind the account as used', () => {
    expect(runs({ nonce: 5, nextNonce: 5, voids: [4, 3] })).toEqual(['used 0-4', 'next 5', 'free 6']);
  });

  test('draws long runs by their ends, and names the transfer of a cell', () => {
    const { cells } = nonceStrip({
      nonce: 1_000_000,
      nextNonce: 1_000_100,
      gaps: [],
      pending: pending(...Array.from({ length: 100 }, (_, i) => 1_000_000 + i)),
      voids: [],
    });
    expect(cells.map(({ state, first, last }) => [state, first, last])).toEqual([
      ['used', 0, 999_996],
      ['used', 999_997, 999_997],
      ['used', 999_998, 999_998],
      ['used', 999_999, 999_999],
      ['pending', 1_000_000, 1_000_000],
      ['pending', 1_000_001, 1_000_098],
      ['pending', 1_000_099, 1_000_099],
      ['next', 1_000_100, 1_000_100],
      ['free', 1_000_101, 1_000_101],
    ]);
    expect(cells[4]?.txHash).toBe('hash 1000000');
  });

  test('is bounded, and says where it is cut', () => {
    const odd = Array.from({ length: 100 }, (_, i) => 2 * i + 1);
    const { cells, isCut } = nonceStrip({
      nonce: 0,
      nextNonce: 0,
      gaps: odd.map((at) => ({ first: at - 1, last: at - 1 })),
      pending: pending(...odd),
      voids: [],
    });
    expect([cells.length, isCut]).toEqual([24, true]);
  });

  test('has every nonce once, without a hole, for whatever an account may be', () => {
    const ahead = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom<'pending' | 'void'>('pending', 'void')),
      { selector: ([at]) => at, maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.nat(1000), ahead, (nonce, held) => {
        const states = new Map(
          held.map(([at, state]) => [nonce + at + (at === 0 && state === 'void' ? 41 : 0), state]),
        );
        const of = (wanted: string) => [...states].flatMap(([at, state]) => (state === wanted ? [at] : []));
        let nextNonce = nonce;
        while (states.has(nextNonce)) nextNonce += 1;
        const highest = Math.max(-1, ...of('pending'));
        const gaps: { first: number; last: number }[] = [];
        for (let at = nonce; at < highest; at += 1) if (!states.has(at)) gaps.push({ first: at, last: at });
        const strip = nonceStrip({ nonce, nextNonce, gaps, pending: pending(...of('pending')), voids: of('void') });
        let at = 0;
        for (const run of strip.runs) {
          expect(run.first).toBe(at);
          for (; at <= run.last; at += 1) {
            const expected =
              at < nonce ? 'used' : at === nextNonce ? 'next' : (states.get(at) ?? (at < highest ? 'gap' : 'free'));
            expect([at, run.state]).toEqual([at, expected]);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('void nonces', () => {
  test('are the bits of the proven map', () => {
    expect(voidNonces(7, '')).toEqual([]);
    expect(voidNonces(7, '2')).toEqual([8]);
    expect(voidNonces(0, '8000000000000000000000000000000000000001a')).toEqual([1, 3, 4, 163]);
  });
});
