/** Reads of chain.db: rows and journal together are one list, whatever a block moves between two reads. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TransactionStatus } from '../../server/gateway/types.ts';
import { PROBES_PER_CALL_MAX } from '../../server/store/embedded/chain-lists.ts';
import type { ListedTransfer } from '../../server/store/embedded/reader.ts';
import type { AddressSide, ChainListQuery } from '../../server/store/embedded/tail-lists.ts';
import { logBeside } from '../../server/store/embedded/chain-log.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import { SEGMENTS_PER_WALK_MAX } from '../../server/store/embedded/walks.ts';
import { SEGMENT_BITS } from '../../server/store/embedded/segments.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../server/store/errors.ts';
import type { RowInput } from './support/chain-rows.ts';
import { accepted, cancelOf, chainHash, ChainRows, chainTransfer, GENESIS_TIME_MS } from './support/chain-rows.ts';

const SEGMENT_ROWS = 2 ** SEGMENT_BITS;

let rows: ChainRows;
let reader: ChainReader;

beforeEach(() => {
  rows = new ChainRows();
  reader = new ChainReader(rows.reader());
});
afterEach(() => rows.remove());

function pages(
  query: Omit<ChainListQuery, 'before'>,
  between: () => void = () => undefined,
  of = reader,
): ListedTransfer[] {
  const all: ListedTransfer[] = [];
  for (let before: number | undefined, i = 0; i < 10_000; i++) {
    const page = of.list({ ...query, before });
    expect(page.transfers.length).toBeLessThanOrEqual(query.limit);
    all.push(...page.transfers);
    if (page.nextBefore === undefined) return all;
    if (before !== undefined) expect(page.nextBefore).toBeLessThan(before);
    before = page.nextBefore;
    between();
  }
  throw new Error('the pages do not end');
}

const settled = { status: 'committed', height: 3, blockTimeMs: 4 } as const;

describe('a transfer', () => {
  test('of the journal is found as soon as its group is written, and by every reader', () => {
    const other = new ChainReader(rows.reader());
    rows.account({ address: 'alice' });
    expect(reader.transferByHash(chainHash(1))).toBeUndefined();
    rows.journal(accepted(chainTransfer(1, { tokenId: 'token-1' })), accepted(chainTransfer(2, { owner: undefined })));
    for (const each of [reader, other]) {
      expect(each.transferByHash(chainHash(1))).toEqual({ ...chainTransfer(1), fromId: 1, toId: 0 });
      expect(each.transferByHash(chainHash(2))?.owner).toBeUndefined();
    }
    rows.journal(accepted(chainTransfer(3)));
    expect(reader.transferByHash(chainHash(3))?.seq).toBe(3);
  });

  test('of a row has all that the row has; its signature only while it is pending', () => {
    const pending = chainTransfer(1, { broadcastAtMs: 1, expiryRequestedAtMs: 2 });
    const failed = chainTransfer(2, {
      ...settled,
      status: 'failed',
      reason: 'superseded_by_void',
      reasonHash: chainHash(2, 7),
      owner: undefined,
      cancelRequestedAtMs: 9,
    });
    rows.rows(pending, failed);
    expect(reader.transferByHash(pending.hash)).toEqual({ ...pending, fromId: 1, toId: 2 });
    expect(reader.transferByHash(failed.hash)).toEqual({
      ...failed,
      fromId: 1,
      toId: 2,
      signature: '',
      seenBlockMs: 0,
      seenUptimeMs: 0,
    });
  });

  test('is found by the hash it was executed as, in the segment of its seq, and by no other with the same prefix', () => {
    const old = chainTransfer(1, { ...settled, executedAs: chainHash(1, 5) });
    const prefix = '00'.repeat(6);
    const alike = [
      chainTransfer(2, { ...settled, hash: prefix.padEnd(64, 'A') }),
      chainTransfer(3, { ...settled, hash: prefix.padEnd(64, 'B') }),
    ];
    rows.rows(old, ...alike, chainTransfer(5 * SEGMENT_ROWS, settled));
    expect(reader.transferByHash(chainHash(1, 5))?.seq).toBe(1);
    expect(alike.map(({ hash }) => reader.transferByHash(hash)?.seq)).toEqual([2, 3]);
    expect(reader.transferByHash(prefix.padEnd(64, 'C'))).toBeUndefined();
  });

  test('has the first cancel that the journal asks for, in the journal and as a row, until it is settled', () => {
    rows.rows(chainTransfer(1), chainTransfer(2, settled), chainTransfer(3, { cancelRequestedAtMs: 1 }));
    rows.journal(accepted(chainTransfer(4)));
    rows.journal(...[1, 2, 3, 4].map((seq) => cancelOf(seq, 50)), cancelOf(4, 60));
    const requested = [1, 2, 3, 4].map((seq) => reader.transferByHash(chainHash(seq))?.cancelRequestedAtMs);
    expect(requested).toEqual([50, undefined, 1, 50]);
    expect(reader.list({ limit: 9 }).transfers.map(({ cancelRequestedAtMs }) => cancelRequestedAtMs)).toEqual(
      requested.toReversed(),
    );
  });

  test("is found by slot, newest first, and by its owner's key", () => {
    const slot = { from: 'carol', nonce: 7 };
    rows.rows(
      chainTransfer(1, { ...settled, ...slot, status: 'failed', idempotencyKey: 'key-1' }),
      chainTransfer(3 * SEGMENT_ROWS, { ...slot, ...settled }),
      chainTransfer(3 * SEGMENT_ROWS + 1),
    );
    expect(reader.slots('carol', 7).map(({ seq }) => seq)).toEqual([3 * SEGMENT_ROWS, 1]);
    expect(reader.slots('carol', 8)).toEqual([]);
    expect(reader.keyed('dev', 'key-1')?.seq).toBe(1);
    expect(reader.keyed('another', 'key-1')).toBeUndefined();
  });
});

describe('lists', () => {
  const ADDRESSES = ['alice', 'bob', 'carol', 'dave'];
  const STATUSES: readonly TransactionStatus[] = ['pending', 'committed', 'failed', 'cancelled', 'expired'];
  const address = fc.constantFrom(...ADDRESSES);
  /** Most follow at once, some some segments later, and a few beyond what one walk visits. */
  const gap = fc.oneof(
    { arbitrary: fc.constant(1), weight: 8 },
    { arbitrary: fc.integer({ min: 1, max: 4 * SEGMENT_ROWS }), weight: 3 },
    { arbitrary: fc.constant((SEGMENTS_PER_WALK_MAX + 3) * SEGMENT_ROWS), weight: 1 },
  );
  const shape = fc.record({
    gap,
    from: address,
    to: address,
    nonce: fc.nat(3),
    status: fc.constantFrom(...STATUSES),
    executed: fc.boolean(),
  });
  type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

  const onlyOne = fc.record({ from: address, to: fc.option(address, { nil: undefined }) });
  const sides: fc.Arbitrary<readonly AddressSide[] | undefined> = fc.oneof(
    fc.constant(undefined),
    address.map((from) => [{ from }]),
    address.map((to) => [{ to }]),
    onlyOne.map((side) => [side]),
    address.map((account) => [{ from: account }, { to: account }]),
    fc.constant([{ from: 'unknown' }, { to: 'alice' }]),
    fc.constant([]),
  );
  const filter = fc.record({ status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }), sides });

  const matches =
    ({ status, sides, nonce }: Pick<ChainListQuery, 'status' | 'sides' | 'nonce'>) =>
    (transfer: RowInput): boolean =>
      (status === undefined || transfer.status === status) &&
      (nonce === undefined || transfer.nonce === nonce) &&
      (sides === undefined ||
        sides.some(
          ({ from, to }) => (from === undefined || from === transfer.from) && (to === undefined || to === transfer.to),
        ));

  function transfersOf(shapes: readonly Shape[]): RowInput[] {
    let seq = 0;
    return shapes.map(({ gap, executed, status, ...fields }) => {
      seq += gap;
      const inBlock = status === 'pending' ? { status } : { ...settled, status };
      return chainTransfer(seq, {
        ...fields,
        ...inBlock,
        executedAs: executed && status === 'committed' ? chainHash(seq, 3) : undefined,
      });
    });
  }

  /** A database of its own for each run. */
  function onRows(work: (rows: ChainRows, reader: ChainReader) => void): void {
    const fresh = new ChainRows();
    try {
      work(fresh, new ChainReader(fresh.reader()));
    } finally {
      fresh.remove();
    }
  }

  test('join to all that matches, newest first, for every filter and limit; and either hash finds each', () => {
    fc.assert(
      fc.property(
        fc.array(shape, { maxLength: 24 }),
        fc.nat(8),
        fc.array(filter, { minLength: 4, maxLength: 8 }),
        (shapes, inTail, filters) => {
          onRows((rows, reader) => {
            const transfers = transfersOf(shapes);
            const cut = Math.max(0, transfers.length - inTail);
            const tail = transfers.slice(cut).map((transfer): RowInput => ({
              ...transfer,
              status: 'pending',
              executedAs: undefined,
              height: undefined,
              blockTimeMs: undefined,
            }));
            const all = [...transfers.slice(0, cut), ...tail];
            rows.rows(...transfers.slice(0, cut));
            for (const transfer of tail) rows.journal(accepted(transfer));
            const slots = ADDRESSES.map((from) => ({ sides: [{ from, to: undefined }], nonce: 1, status: undefined }));
            for (const query of [{}, ...filters, ...slots]) {
              const expected = all
                .filter(matches(query))
                .map(({ seq }) => seq)
                .toReversed();
              for (const limit of [1, 2, 3, 7, transfers.length + 1])
                expect(pages({ ...query, limit }, undefined, reader).map(({ seq }) => seq)).toEqual(expected);
            }
            for (const { seq, hash, executedAs } of all) {
              expect(reader.transferByHash(hash)?.seq).toBe(seq);
              if (executedAs !== undefined) expect(reader.transferByHash(executedAs)?.seq).toBe(seq);
            }
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('show what became of a row since they showed it last: a cancel asked for, the block that settled it; and the same again ever after', () => {
    rows.rows(chainTransfer(1), chainTransfer(2, settled));
    const shown = (): unknown[] =>
      reader
        .list({ limit: 9 })
        .transfers.map(({ seq, status, height, cancelRequestedAtMs }) => [seq, status, height, cancelRequestedAtMs]);
    expect(shown()).toEqual([
      [2, 'committed', 3, undefined],
      [1, 'pending', undefined, undefined],
    ]);
    rows.journal(cancelOf(1, 50));
    expect(shown()).toEqual([
      [2, 'committed', 3, undefined],
      [1, 'pending', undefined, 50],
    ]);
    rows.block([], () =>
      rows.settle(chainTransfer(1, { ...settled, status: 'cancelled', height: 7, cancelRequestedAtMs: 50 })),
    );
    for (let time = 0; time < 3; time++)
      expect(shown()).toEqual([
        [2, 'committed', 3, undefined],
        [1, 'cancelled', 7, 50],
      ]);
  });

  test('lose and repeat nothing while blocks move the journal and more is accepted between two pages', () => {
    fc.assert(
      fc.property(
        fc.array(shape, { minLength: 4, maxLength: 30 }),
        sides,
        fc.integer({ min: 1, max: 4 }),
        fc.nat(3),
        (shapes, sides, limit, every) => {
          onRows((rows, reader) => {
            const transfers = transfersOf(shapes).map((transfer): RowInput => ({
              ...transfer,
              status: 'pending',
              executedAs: undefined,
              height: undefined,
              blockTimeMs: undefined,
            }));
            const half = transfers.length >> 1;
            const [early, late] = [transfers.slice(0, half), transfers.slice(half)];
            const journal: RowInput[] = [];
            const accept = (transfer: RowInput): void => {
              rows.journal(accepted(transfer));
              journal.push(transfer);
            };
            early.forEach(accept);
            let turn = 0;
            const found = pages(
              { limit, sides },
              () => {
                const next = late.shift();
                if (next !== undefined) accept(next);
                if (turn++ % (every + 1) === 0)
                  rows.block(
                    journal
                      .splice(0)
                      .map((transfer): RowInput => (transfer.nonce % 2 === 0 ? transfer : { ...transfer, ...settled })),
                  );
              },
              reader,
            );
            expect(found.map(({ seq }) => seq)).toEqual(
              early
                .filter(matches({ sides }))
                .map(({ seq }) => seq)
                .toReversed(),
            );
            for (const { hash, seq } of transfers.slice(0, transfers.length - late.length))
              expect(reader.transferByHash(hash)?.seq).toBe(seq);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('by two filters at once look at a bounded number of rows, answer a short page, and miss none', () => {
    let seq = 0;
    const match = (): RowInput => chainTransfer(++seq, { ...settled, from: 'alice', to: 'carol' });
    const others = (pairs: number): RowInput[] =>
      Array.from({ length: pairs }, () => [
        chainTransfer(++seq, { ...settled, to: 'bob' }),
        chainTransfer(++seq, { ...settled, from: 'dave', to: 'carol' }),
      ]).flat();
    // The newer match is the very first row that the first call does not look at, whichever of the two indexes it walks.
    const written = [match(), ...others(200), match(), ...others(PROBES_PER_CALL_MAX)];
    rows.rows(...written);
    const first = reader.list({ limit: 10, sides: [{ from: 'alice', to: 'carol' }] });
    expect(first.transfers).toEqual([]);
    expect(first.nextBefore).toBeGreaterThan(1);
    expect(pages({ limit: 10, sides: [{ from: 'alice', to: 'carol' }] }).map(({ seq }) => seq)).toEqual([402, 1]);
    expect(pages({ limit: 7, sides: [{ from: 'alice', to: 'bob' }] })).toHaveLength(200 + PROBES_PER_CALL_MAX);
  });

  test('of an account go past the segments of others, a bounded number a call', () => {
    const far = (3 * SEGMENTS_PER_WALK_MAX + 1) * SEGMENT_ROWS;
    rows.rows(
      chainTransfer(1, settled),
      chainTransfer(far, settled),
      chainTransfer(far + 1, { ...settled, from: 'carol', to: 'dave' }),
    );
    const first = reader.list({ limit: 10, sides: [{ from: 'alice' }, { to: 'alice' }] });
    expect(first.transfers.map(({ seq }) => seq)).toEqual([far]);
    expect(first.nextBefore).toBeLessThan(far);
    for (const sides of [[{ from: 'alice' }, { to: 'alice' }], [{ to: 'bob' }], [{ from: 'alice', to: 'bob' }]])
      expect(pages({ limit: 10, sides }).map(({ seq }) => seq)).toEqual([far, 1]);
  });

  test('of an account never get ahead of the side that a call could not read further', () => {
    const received = Array.from({ length: SEGMENTS_PER_WALK_MAX + 6 }, (_, i) => 1 + i * SEGMENT_ROWS);
    rows.rows(...received.map((seq) => chainTransfer(seq, { ...settled, from: 'bob', to: 'alice' })));
    expect(pages({ limit: 1000, sides: [{ from: 'alice' }, { to: 'alice' }] }).map(({ seq }) => seq)).toEqual(
      received.toReversed(),
    );
  });

  test('by a rare status and an account walk the shorter of the two, and so find it on the first page', () => {
    rows.rows(
      chainTransfer(1, { ...settled, status: 'failed' }),
      ...Array.from({ length: 2 * PROBES_PER_CALL_MAX }, (_, i) => chainTransfer(2 + i, settled)),
    );
    expect(
      reader.list({ limit: 10, status: 'failed', sides: [{ from: 'alice' }] }).transfers.map(({ seq }) => seq),
    ).toEqual([1]);
  });
});

describe('an account', () => {
  test('that no one named is the empty one; of the chain it has balance, nonce, voids and the lowest free nonce', () => {
    expect(reader.account('alice')).toMatchObject({
      account: { balance: 0n, nonce: 0, voids: 0n },
      free: 0,
      pendingOut: 0n,
      highest: -1,
    });
    expect(reader.tip()).toEqual({ height: 0, blockTimeMs: GENESIS_TIME_MS });
    rows.account({ address: 'alice', balance: 2n ** 128n - 1n, nonce: 3, voids: 0b1010n });
    rows.block([]);
    expect(reader.account('alice')).toMatchObject({
      account: { balance: 2n ** 128n - 1n, nonce: 3, voids: 0b1010n },
      free: 3,
    });
    expect(reader.tip()).toEqual({ height: 1, blockTimeMs: rows.blockTimeMs });
    rows.journal(accepted(chainTransfer(1, { nonce: 3 })), accepted(chainTransfer(2, { nonce: 5 })));
    expect(reader.account('alice').free).toBe(7);
    rows.journal(accepted(chainTransfer(3, { nonce: 7 })));
    expect(reader.account('alice').free).toBe(8);
  });

  const NONCES = 8;
  const place = fc.record({
    nonce: fc.nat(NONCES),
    where: fc.constantFrom('row', 'journal'),
    cancel: fc.constantFrom('none', 'none', 'row', 'expiry', 'journal'),
  });

  test('runs as far as a naive reading of its places says, after each group, cancel and block', () => {
    fc.assert(
      fc.property(
        fc.nat(3),
        fc.bigInt({ min: 0n, max: 63n }),
        fc.uniqueArray(place, { selector: ({ nonce }) => nonce, maxLength: NONCES }),
        (start, voidBits, drawn) => {
          const fresh = new ChainRows();
          try {
            const reader = new ChainReader(fresh.reader());
            let account = { address: 'alice', nonce: start, voids: voidBits & ~1n };
            const isVoid = (nonce: number): boolean =>
              nonce >= account.nonce && ((account.voids >> BigInt(nonce - account.nonce)) & 1n) === 1n;
            const places = drawn.filter(({ nonce }) => nonce >= start && !isVoid(nonce));
            fresh.account(account);
            fresh.block([]);
            const held = new Map<number, boolean>();
            const check = (): void => {
              let gap = account.nonce;
              while (isVoid(gap) || held.get(gap) === false) gap += 1;
              let free = account.nonce;
              while (isVoid(free) || held.has(free)) free += 1;
              const { free: told, highest, pendingOut, places } = reader.account('alice');
              const amount = 2n ** 128n - 1n;
              expect([reader.gapOf('alice'), told, highest, pendingOut]).toEqual([
                gap,
                free,
                Math.max(-1, ...held.keys()),
                amount * BigInt(held.size),
              ]);
              expect([...places.keys()].sort()).toEqual([...held.keys()].sort());
            };
            const inRows = places.filter(({ where }) => where === 'row');
            const inJournal = places.filter(({ where }) => where === 'journal');
            const asked = (cancel: string) => ({
              ...(cancel === 'row' && { cancelRequestedAtMs: 1 }),
              ...(cancel === 'expiry' && { expiryRequestedAtMs: 1 }),
            });
            inRows.forEach(({ nonce, cancel }) => held.set(nonce, cancel === 'row' || cancel === 'expiry'));
            fresh.block(inRows.map(({ nonce, cancel }, i) => chainTransfer(i + 1, { nonce, ...asked(cancel) })));
            check();
            const seqs = new Map(inRows.map(({ nonce }, i) => [nonce, i + 1]));
            for (const [i, { nonce }] of inJournal.entries()) {
              fresh.journal(accepted(chainTransfer(100 + i, { nonce })));
              seqs.set(nonce, 100 + i);
              held.set(nonce, false);
              check();
            }
            for (const { nonce } of places.filter(({ cancel }) => cancel === 'journal')) {
              fresh.journal(cancelOf(seqs.get(nonce) ?? 0));
              held.set(nonce, true);
              check();
            }
            const lowest = held.get(start) === undefined ? [] : [start];
            const moved = inJournal
              .filter(({ nonce }) => !lowest.includes(nonce))
              .map(({ nonce, cancel }) =>
                chainTransfer(seqs.get(nonce) ?? 0, { nonce, ...(cancel === 'journal' && { cancelRequestedAtMs: 5 }) }),
              );
            fresh.block(moved, () => {
              for (const { nonce, cancel } of inRows)
                if (cancel === 'journal' && !lowest.includes(nonce))
                  fresh.settle(chainTransfer(seqs.get(nonce) ?? 0, { nonce, cancelRequestedAtMs: 5 }));
              if (lowest.length === 0) return;
              held.delete(start);
              fresh.settle(chainTransfer(seqs.get(start) ?? 0, { nonce: start, ...settled }));
              account = { address: 'alice', nonce: start + 1, voids: account.voids >> 1n };
              while ((account.voids & 1n) === 1n)
                account = { ...account, nonce: account.nonce + 1, voids: account.voids >> 1n };
              fresh.account(account);
            });
            check();
          } finally {
            fresh.remove();
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("the writer's start", () => {
  test("finds pending rows with their tokens, and the journal's entries", () => {
    const cancelled = chainTransfer(1, {
      tokenId: 'token-1',
      cancelRequestedAtMs: 3,
      cancelledBy: { owner: 'ops', tokenId: 'token-9' },
    });
    const outsider = chainTransfer(2, { owner: undefined });
    rows.rows(cancelled, outsider, chainTransfer(3, settled));
    const entries = [accepted(chainTransfer(4, { tokenId: 'token-2', idempotencyKey: 'key' })), cancelOf(2)];
    rows.journal(...entries.slice(0, 1));
    rows.journal(...entries.slice(1));
    const { tokenId, cancelledBy: _, ...transfer } = cancelled;
    expect(reader.pendingRows()).toEqual([
      { transfer: { ...transfer, fromId: 1, toId: 2 }, tokenId },
      { transfer: { ...outsider, fromId: 1, toId: 2 }, tokenId: undefined },
    ]);
    expect(reader.journal()).toEqual(entries);
  });
});

describe('what cannot be read', () => {
  test('is named: text that no one of us wrote in the journal, and again at the next read', () => {
    rows.journal(accepted(chainTransfer(1)));
    const beside = new Database(logBeside(rows.path));
    beside.prepare("INSERT INTO log VALUES (2, x'00', CAST(x'0101' || 'rubbish' AS BLOB))").run();
    for (let i = 0; i < 2; i++) expect(() => reader.transferByHash(chainHash(1))).toThrow(StoreDamagedError);
    beside.exec('DELETE FROM log WHERE seq = 2');
    beside.close();
    expect(reader.transferByHash(chainHash(1))?.seq).toBe(1);
  });

  test('is unavailable where SQLite says so, and can be read again afterwards', () => {
    rows.journal(accepted(chainTransfer(1)));
    const repair = rows.damage('log', logBeside(rows.path));
    for (const call of [
      () => reader.transferByHash(chainHash(1)),
      () => reader.list({ limit: 1 }),
      () => reader.account('alice'),
      () => reader.journal(),
    ])
      expect(call).toThrow(StoreUnavailableError);
    repair();
    rows.journal(accepted(chainTransfer(2)));
    expect([1, 2].map((seq) => reader.transferByHash(chainHash(seq))?.seq)).toEqual([1, 2]);
  });
});
