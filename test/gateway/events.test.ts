/** The event log: the same through both engines, its pages joined are all of it, and a height that is announced can be read. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ChainEvent, EventQuery } from '../../server/gateway/index.ts';
import { comparePlaces, LOG_START, parsePlace, placeText } from '../../server/gateway/event-place.ts';
import { eventPage } from '../../server/gateway/list/event-pages.ts';
import { HEIGHT_AHEAD_MAX } from '../../server/gateway/limits.ts';
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import { EventReader } from '../../server/store/embedded/event-reader.ts';
import type { EventListQuery, StoredEvent } from '../../server/store/event-types.ts';
import { devAddress, devSeed, signedCancel, signedTransfer, TEST_CHAIN_ID } from '../ledger/support.ts';
import { chainFile } from './support/chain-core.ts';
import { readLog, type LogQuery } from './support/event-log.ts';
import { ALICE, BOB, Fixture, type FixtureOptions, inputOf } from './support/fixture.ts';
import { onFollower } from './support/fixture-store.ts';
import { Random } from './support/random.ts';
import { signedAgain } from './support/second-signature.ts';
import { openTwo } from './support/two-gateways.ts';

const ACCOUNTS = 4;
const TTL_MS = 20_000;
const fixtures: Fixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

async function open(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await Fixture.open({
    ...options,
    genesis: { accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: 600n })) },
    limits: { pendingTtlMs: TTL_MS },
  });
  fixtures.push(fixture);
  return fixture;
}

/** All of it, in the order of the chain. */
const logOf = async ({ gateway }: Fixture, query: Partial<LogQuery> = {}): Promise<ChainEvent[]> =>
  (await readLog(gateway, { order: 'asc', ...query }, () => 1000)).events;

/** A step in the life of a chain, taken by everyone who takes part in the same way: payments, cancels, other signatures, other payments, time. */
async function step(random: Random, makes: Fixture, others: readonly Fixture[]): Promise<void> {
  const takers = [makes, ...others];
  for (let i = random.below(5); i >= 0; i--) {
    const from = random.below(ACCOUNTS);
    const nonce = (makes.engine.ledger.account(devAddress(from))?.nonce ?? 0) + random.below(3);
    const transfer = signedTransfer({
      from,
      nonce,
      to: random.below(ACCOUNTS + 1),
      amount: BigInt(1 + random.below(300)),
      ...(random.chance(40) && { reference: `R${random.below(2)}` }),
    });
    const who = random.pick([ALICE, BOB])!;
    const what = random.below(10);
    for (const { gateway } of takers) if (what < 9) await gateway.submit(inputOf(transfer), who);
    // What no service was handed: a cancel of the sender's own, another signature, another payment at the nonce.
    if (what === 6)
      await makes.engine.broadcast([
        signedCancel({ from: transfer.tx.from, nonce, signer: devSeed(from), txHash: transfer.hash }),
      ]);
    if (what === 7) await makes.engine.broadcast([signedAgain(transfer, devSeed(from), 'other')]);
    if (what >= 8)
      await makes.engine.broadcast([signedTransfer({ from, nonce, amount: BigInt(1 + random.below(300)) })]);
    if (what === 9)
      await makes.engine.broadcast([
        signedCancel({ from: transfer.tx.from, nonce, signer: devSeed(from), txHash: 'E'.repeat(64) }),
      ]);
    if (what < 2) for (const { gateway } of takers) await gateway.cancel(transfer.hash, who, 0);
  }
  const afterMs = random.chance(10) ? TTL_MS + 1000 : 1000;
  for (const { clock } of takers) await clock.advance(afterMs);
  await makes.block({ afterMs });
  const exactly = makes.engine.committed.at(-1)!.transactions;
  for (const other of others) await other.block({ afterMs, exactly });
}

/** What chance may leave out: a payment that loses its nonce to another one, and one that cannot be paid. Nothing is pending before it. */
async function certainly(makes: Fixture, others: readonly Fixture[]): Promise<void> {
  const takers = [makes, ...others];
  const make = async (afterMs: number): Promise<void> => {
    for (const { clock } of takers) await clock.advance(afterMs);
    await makes.block({ afterMs });
    for (const other of others) await other.block({ afterMs, exactly: makes.engine.committed.at(-1)!.transactions });
  };
  for (const afterMs of [TTL_MS + 1000, 1000, 1000]) await make(afterMs);
  const nonce = makes.engine.ledger.account(devAddress(0))?.nonce ?? 0;
  // Behind a gap, so that it is not broadcast.
  for (const { gateway } of takers)
    await gateway.submit(inputOf(signedTransfer({ from: 0, nonce: nonce + 1, amount: 1n, reference: 'loses' })), ALICE);
  await makes.engine.broadcast([
    signedTransfer({ from: 0, nonce, amount: 1n }),
    signedTransfer({ from: 0, nonce: nonce + 1, amount: 2n }),
    signedTransfer({ from: 0, nonce: nonce + 2, amount: 10_000n }),
  ]);
  await make(1000);
}

describe('the log', () => {
  /** Kinds of events, in all lives together. */
  const met = new Set<string>();

  test.each([1, 2, 3])(
    'is the same through both engines for the same blocks, and its places are those of a service that was handed nothing (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const embedded = await open({ core: 'embedded' });
      const follower = await open({ core: 'follows' });
      const observer = await open({ core: seed % 2 === 0 ? 'embedded' : 'follows' });
      // A mempool that takes what the sender cannot pay.
      embedded.engine.checks = seed !== 2;
      for (let i = 0; i < 30; i++) await step(random, embedded, [follower]);
      if (seed === 2) await certainly(embedded, [follower]);
      for (const [at, { transactions, timeMs }] of embedded.engine.committed.entries()) {
        await observer.block({
          exactly: transactions,
          afterMs: timeMs - (embedded.engine.committed[at - 1]?.timeMs ?? timeMs - 1000),
        });
      }
      const log = await logOf(embedded);
      expect(await logOf(follower)).toEqual(log);
      const places = log.map(placeText);
      expect(new Set(places).size).toBe(places.length);
      expect(log).toEqual(log.toSorted(comparePlaces));
      // One that lost its nonce is behind the transactions of its block, and nobody but who was handed it knows of it.
      const own = log.filter(({ height, index }) => index < embedded.engine.committed[height - 1]!.transactions.length);
      expect((await logOf(observer)).map(placeText)).toEqual(own.map(placeText));
      for (const { type, transaction, height, index } of log) {
        const kind =
          transaction.reason?.code ??
          (transaction.executedAs !== undefined ? 'executed_as' : transaction.to === undefined ? 'unknown' : '');
        met.add(`${type} ${kind}`.trim());
        if (index >= embedded.engine.committed[height - 1]!.transactions.length) met.add('behind its block');
      }
    },
  );

  test('had everything in it that there is', () => {
    const all = [
      'committed',
      'committed executed_as',
      'cancelled',
      'cancelled unknown',
      'expired',
      'failed nonce_superseded',
      'failed insufficient_funds',
    ].map((kind) => `transaction.${kind}`);
    expect([...met]).toEqual(expect.arrayContaining([...all, 'behind its block']));
  });

  test('tells a transfer as it is found by its hash, and whose it is', async () => {
    const fixture = await open();
    const mine = await fixture.accept({
      from: 0,
      nonce: 0,
      to: 1,
      amount: 5n,
      reference: 'R1',
      validUntil: 1_900_000_000,
    });
    const taken = await fixture.accept({ from: 1, nonce: 0, to: 2, amount: 5n });
    const taker = signedTransfer({ from: 1, nonce: 0, to: 3, amount: 7n });
    fixture.engine.mempool = fixture.engine.mempool.filter(({ hash }) => hash !== taken.txHash);
    const unknown = signedCancel({ from: devAddress(2), nonce: 0, signer: devSeed(2), txHash: 'E'.repeat(64) });
    await fixture.block({ outsiders: [taker.raw, unknown.raw] });
    const transactions = fixture.engine.committed.at(-1)!.transactions.map((raw) => Buffer.from(raw).toString());
    const placeOf = (raw: Uint8Array): number => transactions.indexOf(Buffer.from(raw).toString());
    const log = await logOf(fixture);
    const blockTimeMs = fixture.engine.committed.at(-1)!.timeMs;
    const paid = log.find(({ transaction }) => transaction.txHash === mine.txHash);
    expect(paid).toEqual({
      height: 1,
      index: expect.any(Number),
      blockTimeMs,
      type: 'transaction.committed',
      owner: 'alice',
      transaction: {
        txHash: mine.txHash,
        from: devAddress(0),
        to: devAddress(1),
        amount: '5',
        nonce: 0,
        reference: 'R1',
        validUntil: 1_900_000_000,
        status: 'committed',
      },
    });
    expect(log.find(({ index }) => index === placeOf(taker.raw))).toMatchObject({
      type: 'transaction.committed',
      transaction: { txHash: taker.hash },
    });
    expect(log.find(({ index }) => index === placeOf(taker.raw))).not.toHaveProperty('owner');
    expect(log.at(-1)).toMatchObject({
      index: 3 + placeOf(taker.raw),
      type: 'transaction.failed',
      owner: 'alice',
      transaction: { txHash: taken.txHash, status: 'failed', reason: { code: 'nonce_superseded', txHash: taker.hash } },
    });
    expect(log.find(({ index }) => index === placeOf(unknown.raw))).toEqual({
      height: 1,
      index: placeOf(unknown.raw),
      blockTimeMs,
      type: 'transaction.cancelled',
      transaction: { txHash: 'E'.repeat(64), from: devAddress(2), nonce: 0, status: 'cancelled' },
    });
    expect(log).toHaveLength(4);
  });
});

const FILTERS: Partial<EventQuery>[] = [
  {},
  { account: devAddress(0) },
  { account: devAddress(ACCOUNTS) },
  { owner: 'alice' },
  { owner: 'nobody' },
  { type: 'transaction.committed' },
  { type: 'transaction.unheard_of' },
  { status: 'failed' },
  { status: 'cancelled', type: 'transaction.cancelled' },
  { status: 'cancelled', type: 'transaction.failed' },
  { reference: 'R1' },
  { account: devAddress(1), owner: 'bob', status: 'committed', reference: 'R0' },
  { account: devAddress(9) },
];

const matches = ({ account, owner, type, reference, status }: Partial<EventQuery>, event: ChainEvent): boolean =>
  (account === undefined || event.transaction.from === account || event.transaction.to === account) &&
  (owner === undefined || event.owner === owner) &&
  (type === undefined || event.type === type) &&
  (reference === undefined || event.transaction.reference === reference) &&
  (status === undefined || event.transaction.status === status);

describe('pages', () => {
  test('of every filter join to the full list in both directions, while blocks come in between', async () => {
    const random = new Random(7);
    const fixture = await open();
    for (let i = 0; i < 30; i++) await step(random, fixture, []);
    const limit = (): number => 1 + random.below(9);
    for (const filters of FILTERS) {
      const before = await logOf(fixture);
      let blocks = 0;
      const between = async (): Promise<void> => {
        if (blocks++ < 2) await step(random, fixture, []);
      };
      const newest = await readLog(fixture.gateway, { order: 'desc', ...filters }, limit, between);
      // What came meanwhile is newer than where it began.
      expect(newest.events).toEqual(before.filter((event) => matches(filters, event)).toReversed());
      blocks = 0;
      const oldest = await readLog(fixture.gateway, { order: 'asc', ...filters }, limit, between);
      const all = await logOf(fixture);
      expect(oldest.events).toEqual(all.filter((event) => matches(filters, event)));
      expect(oldest.last.place).toEqual({ height: fixture.engine.height, index: END_OF_BLOCK });
      const after = all[random.below(all.length)]!;
      for (const place of [
        { height: after.height, index: after.index },
        { height: after.height, index: END_OF_BLOCK },
        LOG_START,
        { height: fixture.engine.height + HEIGHT_AHEAD_MAX, index: 0 },
      ]) {
        const { events } = await readLog(fixture.gateway, { order: 'asc', after: place, ...filters }, limit);
        expect(events).toEqual(all.filter((event) => matches(filters, event) && comparePlaces(event, place) > 0));
      }
    }
  });

  test('are followed by what is after their place, and nothing is skipped', async () => {
    const random = new Random(8);
    const fixture = await open();
    const seen: ChainEvent[] = [];
    let after = LOG_START;
    for (let i = 0; i < 25; i++) {
      await step(random, fixture, []);
      const page = await fixture.gateway.events({
        order: 'asc',
        limit: 1 + random.below(6),
        after,
        account: devAddress(1),
      });
      if (!page.ok) throw new Error(page.detail);
      seen.push(...page.events);
      after = page.place;
    }
    seen.push(...(await logOf(fixture, { after, account: devAddress(1) })));
    expect(seen).toEqual(await logOf(fixture, { account: devAddress(1) }));
  });

  test('end after a bounded number of rows, whatever the filter, and go on from there', async () => {
    const random = new Random(9);
    const fixture = await open();
    for (let i = 0; i < 20; i++) await step(random, fixture, []);
    const sql = fixture.store === undefined ? openChainReader(chainFile(fixture.folder)) : undefined;
    const reader = sql && new EventReader(sql);
    const list = async (query: EventListQuery) =>
      reader === undefined ? await fixture.store.read((tx) => tx.events(query)) : reader.list(query);
    const all = await logOf(fixture);
    for (const order of ['asc', 'desc'] as const) {
      for (const filters of FILTERS) {
        const { status, type, scanMax: _, ...rest } = filters;
        if (type !== undefined) continue;
        const found: StoredEvent[] = [];
        const query: EventListQuery = { order, limit: 3, scanMax: 5, ...rest, ...(status && { status }) };
        let lists = 0;
        for (let more = true; more; lists += 1) {
          const { events, reached, scanned } = await list(query);
          expect(scanned).toBeLessThanOrEqual(5);
          expect(scanned).toBeGreaterThanOrEqual(events.length);
          found.push(...events);
          more = reached !== undefined;
          if (order === 'asc') query.after = reached;
          else query.before = reached;
        }
        const expected = all.filter((event) => matches(filters, event));
        expect(found.map(placeText)).toEqual((order === 'asc' ? expected : expected.toReversed()).map(placeText));
        // Where nothing can match it looks at nothing.
        expect(lists).toBeGreaterThanOrEqual(
          filters.owner === 'nobody' || filters.account === devAddress(9) ? 1 : Math.floor(all.length / 5),
        );
      }
    }
    sql?.close();
  });

  test('are refused with a cursor of other filters, another direction or place, and with a limit out of bounds', async () => {
    const random = new Random(10);
    const fixture = await open();
    for (let i = 0; i < 5; i++) await step(random, fixture, []);
    const query: EventQuery = { order: 'asc', limit: 1, after: LOG_START };
    const page = await fixture.gateway.events(query);
    const cursor = page.ok ? page.nextCursor : undefined;
    expect(cursor).toBeDefined();
    expect(await fixture.gateway.events({ ...query, limit: 2, cursor })).toMatchObject({ ok: true });
    const others: Partial<EventQuery>[] = [
      { order: 'desc' },
      { after: { height: 1, index: 0 } },
      { account: devAddress(0) },
      { owner: 'alice' },
      { type: 'transaction.failed' },
      { reference: 'R1' },
      { status: 'failed' },
      { cursor: 'AAAA' },
    ];
    for (const other of others) {
      expect(await fixture.gateway.events({ ...query, cursor, ...other })).toMatchObject({
        ok: false,
        code: 'invalid_request',
        errors: [{ pointer: '#/query/cursor' }],
      });
    }
    for (const limit of [0, 1001, 1.5])
      expect(await fixture.gateway.events({ ...query, limit })).toMatchObject({
        ok: false,
        code: 'invalid_request',
        errors: [{ pointer: '#/query/limit' }],
      });
    expect(await fixture.gateway.events({ ...query, account: 'txlt1nothing' })).toMatchObject({
      ok: false,
      code: 'invalid_address',
    });
  });
});

describe('a height that waitForHeight tells', () => {
  test('has its events', async () => {
    const fixture = await open();
    for (let height = 1; height <= 3; height++) {
      const waiting = fixture.gateway.waitForHeight(height, 60_000);
      await fixture.accept({ from: 0, nonce: height - 1 });
      await fixture.block();
      expect(await waiting).toBe(height);
      expect((await logOf(fixture)).map((event) => event.height)).toContain(height);
    }
    const late = fixture.gateway.waitForHeight(4, 1000);
    await fixture.clock.advance(1000);
    expect(await late).toBe(3);
  });

  onFollower.test('is that of the rows, not of the chain', 'the chain and its rows are one transaction', async () => {
    const fixture = await open({ faulty: true });
    fixture.faults.beforeCommit = () => {
      throw new Error('the disk is full');
    };
    await fixture.block();
    expect(await fixture.gateway.waitForBlock(0, 0)).toBe(1);
    expect(await fixture.gateway.waitForHeight(0, 0)).toBe(0);
  });

  onFollower.test(
    'is told at every gateway on the store, and the log is the same',
    'one process has chain.db for itself',
    async () => {
      const { gateways, active, standby } = await openTwo();
      try {
        const waiting = [active, standby].map(({ gateway }) => gateway.waitForHeight(1, 60_000));
        await standby.gateway.submit(inputOf(signedTransfer({ from: 0 })), ALICE);
        await gateways.block();
        expect(await Promise.all(waiting)).toEqual([1, 1]);
        const [one, other] = await Promise.all(
          [active, standby].map(async ({ gateway }) => (await readLog(gateway, { order: 'asc' }, () => 10)).events),
        );
        expect(one).toHaveLength(1);
        expect(other).toEqual(one);
      } finally {
        await gateways.dispose();
      }
    },
  );
});

test('a place is its text and the other way round', () => {
  for (const [text, place] of [
    ['0', LOG_START],
    ['7', { height: 7, index: END_OF_BLOCK }],
    ['7-0', { height: 7, index: 0 }],
    ['1204-30', { height: 1204, index: 30 }],
  ] as const) {
    expect(parsePlace(text)).toEqual(place);
    expect(placeText(place)).toBe(text);
  }
  for (const text of ['', '-', '7-', '-7', '07', '7-07', '7-1-1', '9999999999999999', '7 ', '0x7'])
    expect(parsePlace(text)).toBeUndefined();
});

describe.each(['embedded', 'follows'] as const)('a place ahead of the log (%s)', (core) => {
  const asked = (height: number, index = END_OF_BLOCK): EventQuery => ({
    limit: 10,
    order: 'asc',
    after: { height, index },
  });

  test('is refused with the last block as soon as it is further ahead than a read would wait for', async () => {
    const { gateway } = await open({ core });
    const { height } = (await gateway.events({ limit: 1, order: 'desc' })) as { height: number };
    const far = height + HEIGHT_AHEAD_MAX;
    expect(await gateway.events(asked(far))).toMatchObject({ ok: true, events: [], height });
    for (const place of [asked(far + 1), asked(far + 1, 0), asked(Number.MAX_SAFE_INTEGER)])
      expect(await gateway.events(place)).toMatchObject({ ok: false, code: 'place_ahead', extra: { height } });
  });

  test('is refused in a cursor too, which only a longer log of this chain can have answered', async () => {
    const { gateway, engine } = await open({ core });
    for (const order of ['asc', 'desc'] as const) {
      const query: EventQuery = { limit: 10, order };
      const reached = { height: 5000, index: 0 };
      const { nextCursor: cursor } = eventPage(TEST_CHAIN_ID, query, { events: [], scanned: 0, reached }, 5000);
      expect(await gateway.events({ ...query, cursor })).toMatchObject({
        code: 'place_ahead',
        extra: { height: engine.height },
      });
    }
  });
});
