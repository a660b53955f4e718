/** GET /events as server-sent events: order, places, filters, bounds and ends, over a log in memory. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EVENT_STREAM_PIECE_BYTES_MAX } from '../../server/http/limits.ts';
import { randomNumbers } from '../engine/support/random-transactions.ts';
import { EventClient } from './support/event-client.ts';
import { ACCOUNTS, EventLog, isWanted, randomPart } from './support/event-log.ts';
import { TestServer } from './support/server.ts';
import { TOKENS } from './support/stub-gateway.ts';

const HEARTBEAT_MS = 60;
const PER_TOKEN = 12;
const PER_ADDRESS = 14;
const ALL = 18;
const SETTLE_MS = 40;

let server: TestServer;
let log: EventLog;
const clients: EventClient[] = [];

beforeAll(async () => {
  server = await new TestServer({
    eventHeartbeatMs: HEARTBEAT_MS,
    eventStreams: { perToken: PER_TOKEN, perAddress: PER_ADDRESS, all: ALL },
    corsOrigins: ['https://app.test'],
  }).start();
});
beforeEach(() => {
  server.gateway.reset();
  server.log.length = 0;
  log = EventLog.behind(server.gateway, 0);
});
afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.destroy();
    await client.closed();
  }
  await becomes(async () => (await metric('event_streams')) === 0);
  log.close();
});
afterAll(() => server.stop());

function stream(
  ...[path, headers, options]: [path?: string, headers?: object, options?: ConstructorParameters<typeof EventClient>[3]]
): EventClient {
  const client = new EventClient(server.port, path, { ...headers }, options);
  clients.push(client);
  return client;
}

async function metric(name: string): Promise<number> {
  const text = await server.registry.metrics();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}

async function becomes(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 10_000; !(await holds());) {
    if (performance.now() > endMs) throw new Error('it did not become so');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const idOf = ({ height, index }: { height: number; index: number }): string => `${height}-${index}`;
const allIds = (): string[] => log.events.map(idOf);

describe('a stream', () => {
  test('begins now, and gives each event of later blocks once, in order, as the contract shows it', async () => {
    log.make({}, {});
    const client = await stream().opened();
    expect([
      client.status,
      client.headers['content-type'],
      client.headers['cache-control'],
      client.headers['x-accel-buffering'],
      client.headers['content-encoding'],
    ]).toEqual([200, 'text/event-stream', 'no-store', 'no', undefined]);
    expect(client.text.startsWith(`retry: 1000\n: chain txledger-dev-1 ${'A'.repeat(64)}\n: height 1\n`)).toBe(true);
    expect(client.lastEventId).toBe('1');
    const made = [
      ...log.make({ reference: 'Invoice 17' }, { status: 'failed' }),
      ...log.make(),
      ...log.make({ status: 'cancelled' }),
    ];
    await client.until(() => client.events.length === 3);
    expect(client.ids).toEqual(made.map(idOf));
    expect(client.events[0]).toEqual({
      id: '2-0',
      event: 'transaction.committed',
      data: {
        id: '2-0',
        type: 'transaction.committed',
        timestamp: '2026-11-21T09:30:03.000Z',
        data: { height: 2, index: 0, transaction: made[0]?.transaction },
      },
    });
    const page = await server.ask({ path: '/events?after=1' });
    expect(client.events.map(({ data }) => data)).toEqual(page.body.events);
  });

  test('goes on behind every id and every height, by Last-Event-ID before `after`', async () => {
    for (let block = 0; block < 4; block += 1) log.make({}, {}, {});
    const ids = allIds();
    for (const [at, id] of ids.entries()) {
      const client = await stream(`/events?after=${id}`).opened();
      await client.until(() => client.events.length === ids.length - at - 1);
      expect(client.ids).toEqual(ids.slice(at + 1));
      // The rest of its block was not sent yet.
      expect(client.comments[1]).toBe(`height ${Number(id.split('-')[0]) - 1}`);
      client.destroy();
    }
    for (let height = 0; height <= log.height; height += 1) {
      const client = stream('/events?after=4-2', { 'Last-Event-ID': String(height) });
      await client.opened();
      await client.until(() => client.events.length === ids.length - 3 * height);
      expect(client.ids).toEqual(ids.slice(3 * height));
      client.destroy();
    }
  });

  test('says what it has sent by heartbeats, and a stock client goes on from there', async () => {
    log.make({}, {});
    const client = await stream(`/events?account=${ACCOUNTS[5]}`).opened();
    log.make({});
    log.make({});
    await client.until(() => client.comments.includes('height 3'));
    expect([client.events, client.lastEventId]).toEqual([[], '3']);
    const beats = client.comments.length;
    await client.until(() => client.comments.length > beats + 2);
    expect(client.isClosed).toBe(false);
  });

  test('of a place that this gateway has not reached yet waits for what is behind it', async () => {
    log.make({});
    const ahead = await stream('/events?after=7').opened();
    // Both are true: the log ends at block 1, and the caller has what is up to block 7.
    await ahead.until(() => ahead.comments.length > 3);
    expect([new Set(ahead.comments.slice(1)), ahead.lastEventId]).toEqual([new Set(['height 1']), '7']);
    const client = await stream('/events?after=3-0').opened();
    const other = await stream('/events?after=1').opened();
    log.make({});
    log.make({}, {});
    await Promise.all([client.until(() => client.events.length === 1), other.until(() => other.events.length === 3)]);
    log.make({});
    await client.until(() => client.events.length === 2);
    expect(client.ids).toEqual(['3-1', '4-0']);
  });

  test('with filters has exactly the events of the pages with the same filters', async () => {
    const random = randomNumbers(11);
    const client = (query: URLSearchParams): EventClient => stream(`/events?${query.toString()}`);
    const filters = Array.from({ length: PER_TOKEN - 1 }, () => {
      const query = new URLSearchParams({ after: '0' });
      if (random(2) === 0) query.set('account', ACCOUNTS[random(ACCOUNTS.length)] as string);
      if (random(3) === 0) query.set('owner', 'dev');
      if (random(3) === 0) query.set('type', `transaction.${['committed', 'expired'][random(2)]}`);
      if (random(3) === 0) query.set('reference', `order ${random(3)}`);
      if (random(3) === 0) query.set('status', ['committed', 'failed'][random(2)] as string);
      return query;
    });
    for (let block = 0; block < 5; block += 1) log.make(...Array.from({ length: 30 }, () => randomPart(random)));
    const open = filters.map((query) => ({ query, client: client(query) }));
    await Promise.all(open.map((each) => each.client.opened()));
    // Half of it live.
    for (let block = 0; block < 20; block += 1) {
      log.make(...Array.from({ length: 10 }, () => randomPart(random)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { query, client: each } of open) {
      const asked = Object.fromEntries(query);
      const wanted = log.events.filter((event) => isWanted(event, asked)).map(idOf);
      await each.until(() => each.comments.includes(`height ${log.height}`));
      expect({ asked, ids: each.ids }).toEqual({ asked, ids: wanted });
      const { body } = await server.ask({ path: `/events?limit=1000&${query.toString()}` });
      expect(each.events.map(({ data }) => data)).toEqual(body.events);
    }
  });

  test('that joins while a block is delivered, with a page from before it, has that block too', async () => {
    const live = await stream('/events?after=0').opened();
    await becomes(() => log.waits === 1);
    let answer: (() => void) | undefined;
    log.beforeAnswer = ({ reference }) =>
      reference === undefined ? Promise.resolve() : new Promise((resolve) => (answer = resolve));
    const late = stream('/events?after=0&reference=r');
    await becomes(() => answer !== undefined);
    log.make({ reference: 'r' });
    await live.until(() => live.events.length === 1);
    log.beforeAnswer = async () => {};
    answer?.();
    await late.opened();
    log.make({ reference: 'r' });
    await late.until(() => late.comments.includes('height 2'));
    expect(late.ids).toEqual(['1-0', '2-0']);
  });

  test('loses and repeats nothing when it is cut at random while blocks are made', async () => {
    const random = randomNumbers(5);
    const BLOCKS = 150;
    log.beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, random(5)));
    const making = (async () => {
      for (let block = 0; block < BLOCKS; block += 1) {
        log.make(...Array.from({ length: random(60) }, () => randomPart(random)));
        await new Promise((resolve) => setTimeout(resolve, random(4)));
      }
    })();
    const readers = [{}, { account: ACCOUNTS[2] }, { status: 'failed' as const }].map(async (filter) => {
      const ids: string[] = [];
      const query = new URLSearchParams(filter as Record<string, string>).toString();
      let last = '0';
      for (let connections = 0; ; connections += 1) {
        const client = new EventClient(server.port, `/events?${query}`, { 'Last-Event-ID': last });
        clients.push(client);
        const until = random(40) + 1;
        await client.until(() => client.events.length >= until || client.comments.includes(`height ${BLOCKS}`));
        client.destroy();
        await client.closed();
        ids.push(...client.ids);
        last = client.lastEventId;
        if (client.comments.includes(`height ${BLOCKS}`)) return { filter, ids, connections };
      }
    });
    await making;
    for (const { filter, ids, connections } of await Promise.all(readers)) {
      expect(ids).toEqual(log.events.filter((event) => isWanted(event, filter)).map(idOf));
      expect(connections).toBeGreaterThan(10);
    }
  }, 30_000);

  test('makes no text and no page twice for streams with one filter, and asks nothing while there are none', async () => {
    const open = Array.from({ length: 8 }, () => stream());
    await Promise.all(open.map((each) => each.opened()));
    await becomes(() => log.waits === 1);
    const before = log.reads.length;
    log.make({}, {});
    await Promise.all(open.map((each) => each.until(() => each.events.length === 2)));
    expect(log.reads.length - before).toBe(1);
    for (const each of open) each.destroy();
    await becomes(async () => (await metric('event_streams')) === 0);
    log.make({});
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    expect([log.reads.length - before, log.waits]).toEqual([1, 0]);
  });
});

describe('a slow reader', () => {
  test('costs no more than one piece, holds nobody else up, and has every event in the end', async () => {
    const fast = await stream('/events?after=0').opened();
    const slow = stream('/events?after=0', {}, { isPaused: true });
    await slow.until(() => slow.status === 200);
    const BLOCKS = 60;
    const EVENTS = 500;
    const reference = 'r'.repeat(100);
    let most = 0;
    for (let block = 0; block < BLOCKS; block += 1) {
      log.make(...Array.from({ length: EVENTS }, () => ({ reference })));
      await fast.until(() => fast.events.length === log.events.length);
      most = Math.max(most, server.connections.figures.unsentBytes);
    }
    expect(await metric('event_streams_behind')).toBe(1);
    // What has not been taken of either of them.
    expect(most).toBeLessThanOrEqual(2 * (EVENT_STREAM_PIECE_BYTES_MAX + 1024));
    slow.resume();
    await slow.until(() => slow.events.length === log.events.length);
    expect(slow.ids).toEqual(allIds());
    await becomes(
      async () => (await metric('event_streams_behind')) === 0 && server.connections.figures.unsentBytes === 0,
    );
    log.make({});
    await slow.until(() => slow.events.length === log.events.length);
    expect(slow.ids).toEqual(allIds());
  }, 30_000);

  test('keeps up with the pages that its filter makes empty', async () => {
    log.rowsMax = 20;
    for (let block = 0; block < 30; block += 1) log.make(...Array.from({ length: 10 }, () => ({})));
    log.make({ reference: 'the one' });
    const client = stream(`/events?after=0&reference=the%20one`);
    await client.until(() => client.events.length === 1);
    expect(client.ids).toEqual([`${log.height}-0`]);
  });
});

describe('a stream is refused before anything is sent', () => {
  const refused = async (
    path: string,
    headers: object = {},
  ): Promise<{ status: number; code: string; pointer?: string }> => {
    const { status, body } = await server.ask({ path, headers: { Accept: 'text/event-stream', ...headers } });
    return { status, code: body.code, ...(body.errors === undefined ? {} : { pointer: body.errors[0].pointer }) };
  };

  test('for places that are none, for parameters of pages, and for filters that pages refuse', async () => {
    for (const id of ['x', '1-', '-1', '01', '1-01', '99999999999999999', '9999999999999999', '1 2']) {
      expect(await refused(`/events?after=${encodeURIComponent(id)}`)).toEqual({
        status: 400,
        code: 'invalid_request',
        pointer: '#/query/after',
      });
      expect(await refused('/events', { 'Last-Event-ID': id })).toEqual({
        status: 400,
        code: 'invalid_request',
        pointer: expect.stringMatching(/Last-Event-ID/i),
      });
    }
    for (const [name, value] of [
      ['limit', '10'],
      ['cursor', 'AAAAAAAAAco'],
      ['order', 'asc'],
    ]) {
      expect(await refused(`/events?${name}=${value}`)).toEqual({
        status: 400,
        code: 'invalid_request',
        pointer: `#/query/${name}`,
      });
    }
    expect(await refused('/events?owner=other')).toEqual({ status: 403, code: 'insufficient_scope' });
    expect(await refused('/events?status=pending')).toMatchObject({ status: 400 });
    server.gateway.onEvents = async () => ({ ok: false, code: 'store_unavailable', detail: 'The store is away.' });
    expect(await refused('/events')).toEqual({ status: 503, code: 'store_unavailable' });
    expect(await metric('event_streams')).toBe(0);
  });

  test('by tokens that may not read, and by none', async () => {
    expect((await server.ask({ path: '/events', token: null, headers: { Accept: 'text/event-stream' } })).status).toBe(
      401,
    );
    expect(
      (await server.ask({ path: '/events', token: 'txl_write_secret', headers: { Accept: 'text/event-stream' } }))
        .status,
    ).toBe(403);
  });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, */*', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['application/json, text/event-stream;q=0.5', 'application/json'],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
    ['text/event-stream;q=0, */*', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
  ])('Accept %s gives %s', async (accept, mediaType) => {
    const client = stream('/events', { Accept: accept ?? '*/*' });
    await client.until(() => client.status === 200);
    expect(client.headers['content-type']?.split(';')[0]).toBe(mediaType);
  });

  test('when a token, an address or all have as many as they may, and not when one of them has ended', async () => {
    const open = await Promise.all(Array.from({ length: PER_TOKEN }, () => stream().opened()));
    const over = await server.ask({ path: '/events', headers: { Accept: 'text/event-stream' } });
    expect([over.status, over.body.code, over.body.retriable, over.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      true,
      '1',
    ]);
    expect(over.body.detail).toContain(`${PER_TOKEN} event streams of one token`);
    const ofOther = { Authorization: 'Bearer txl_read_secret' };
    while (open.length < PER_ADDRESS) open.push(await stream('/events', ofOther).opened());
    expect(await refused('/events', ofOther)).toEqual({ status: 429, code: 'rate_limited' });
    while (open.length < ALL) open.push(await stream('/events', ofOther, { localAddress: '127.0.0.9' }).opened());
    const full = stream('/events', ofOther, { localAddress: '127.0.0.9' });
    await full.closed();
    expect(full.status).toBe(429);
    open[0]?.destroy();
    await becomes(async () => (await metric('event_streams')) === ALL - 1);
    await stream().opened();
  });
});

describe('a stream ends', () => {
  test.each([
    ['is revoked', async () => undefined],
    [
      'has other scopes',
      async () =>
        ({ ...TOKENS.txl_read_secret, scopes: ['transactions:read', 'transactions:write'] }) as (typeof TOKENS)[string],
    ],
  ])('as a whole answer within 5 s when its token %s, and no other one does', async (_, found) => {
    const client = await stream('/events', { Authorization: 'Bearer txl_read_secret' }).opened();
    const other = await stream().opened();
    const { onAuthenticate } = server.gateway;
    server.gateway.onAuthenticate = async (token) =>
      token === 'txl_read_secret' ? await found() : await onAuthenticate(token);
    const revokedMs = performance.now();
    await client.closed();
    expect(performance.now() - revokedMs).toBeLessThan(5_000);
    expect([client.isComplete, other.isClosed]).toEqual([true, false]);
  });

  test('not while the token cannot be checked', async () => {
    const client = await stream().opened();
    let asked = 0;
    server.gateway.onAuthenticate = async () => {
      asked += 1;
      return { ok: false, code: 'store_unavailable', detail: 'The store is away.' };
    };
    await becomes(() => asked > 2);
    log.make({});
    await client.until(() => client.events.length === 1);
  });

  test('with one line in the log and its number of events', async () => {
    const client = await stream('/events?after=0', { 'X-Request-Id': 'the-stream' }).opened();
    log.make({}, {});
    await client.until(() => client.events.length === 2);
    expect(server.log.filter(({ message }) => message === 'request')).toEqual([]);
    expect(await metric('http_requests_in_flight')).toBe(0);
    client.destroy();
    await becomes(() => server.log.some(({ message }) => message === 'request'));
    const [{ fields } = { fields: {} }] = server.log.filter(({ message }) => message === 'request');
    expect(fields).toMatchObject({
      requestId: 'the-stream',
      operation: 'listEvents',
      status: 200,
      eventsSent: 2,
      durationMs: expect.any(Number),
      tokenId: 'full',
    });
    expect(await metric('event_streams_ended_total{reason="client"}')).toBeGreaterThan(0);
    expect(await metric('events_sent_total')).toBeGreaterThan(1);
  });

  test('by a page of another origin not at all, and by one that may call with its headers', async () => {
    const client = await stream('/events', { Origin: 'https://app.test' }).opened();
    expect(client.headers['access-control-allow-origin']).toBe('https://app.test');
    expect(
      (await server.ask({ path: '/events', headers: { Accept: 'text/event-stream', Origin: 'https://evil.test' } }))
        .body.code,
    ).toBe('origin_not_allowed');
  });
});

describe('a stream of a server of its own', () => {
  test('that reads nothing is cut off, and counted as stalled', async () => {
    const own = await new TestServer({ noProgressMsMax: 300 }).start();
    try {
      const ownLog = EventLog.behind(own.gateway);
      const slow = new EventClient(own.port, '/events?after=0', {}, { isPaused: true });
      await slow.until(() => slow.status === 200);
      // More than both kernels' buffers take.
      for (let block = 0; block < 40; block += 1)
        ownLog.make(...Array.from({ length: 500 }, () => ({ reference: 'r'.repeat(100) })));
      await becomes(async () =>
        (await own.registry.metrics()).includes('event_streams_ended_total{reason="stalled"} 1'),
      );
      expect(own.connections.figures.unsentBytes).toBe(0);
      slow.destroy();
    } finally {
      await own.stop();
    }
  }, 20_000);

  test('ends cleanly in a drain, spread a little, and none is opened any more', async () => {
    const own = await new TestServer().start();
    try {
      EventLog.behind(own.gateway);
      const open = await Promise.all(Array.from({ length: 10 }, () => new EventClient(own.port).opened()));
      const closedMs: number[] = [];
      const beganMs = performance.now();
      const ends = open.map(async (client) => {
        await client.closed();
        closedMs.push(performance.now() - beganMs);
      });
      const closed = own.eventHub.close();
      const { body } = await own.ask({ path: '/events', headers: { Accept: 'text/event-stream' } });
      expect(body.code).toBe('shutting_down');
      await closed;
      await Promise.all(ends);
      expect(open.map(({ isComplete }) => isComplete)).toEqual(open.map(() => true));
      const tookMs = Math.max(...closedMs) - Math.min(...closedMs);
      expect(tookMs).toBeGreaterThan(200);
      expect(tookMs).toBeLessThan(4_000);
      expect(await own.registry.metrics()).toContain('event_streams_ended_total{reason="drain"} 10');
    } finally {
      await own.stop();
    }
  });
});
