/** `events` tells the log from its place on, each event once and in order, whatever the network and the service do. */
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Client,
  createClient,
  events,
  type EventsOptions,
  type LedgerEvent,
  listEvents,
  OtherChainError,
  PlaceAheadError,
} from '../../client/src/index.ts';
import { STREAM_SILENCE_MS_MAX } from '../../client/src/limits.ts';
import { type Connection, eventAt, EventLog, refuse, skippedTime } from './support/event-log.ts';

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function clientOf(log: EventLog, random?: () => number): { client: Client; time: ReturnType<typeof skippedTime> } {
  const time = skippedTime(random);
  return {
    client: createClient({
      baseUrl: 'http://ledger.test/base',
      token: 'txl_test_secret',
      environment: { ...time, fetch: log.fetch },
    }),
    time,
  };
}

function inRealTime(of: EventLog): Client {
  return createClient({ baseUrl: 'http://ledger.test/base', environment: { fetch: of.fetch } });
}

/** The ids of the first events that the loop is given. */
async function take(client: Client, count: number, options: EventsOptions = {}): Promise<string[]> {
  const ids: string[] = [];
  if (count === 0) return ids;
  for await (const { id } of events(client, options)) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

const idsOf = (list: readonly LedgerEvent[]): string[] => list.map(({ id }) => id);

let log = new EventLog();
function logOf(heights: number, perBlock = 2, first = 1): EventLog {
  log = new EventLog();
  for (let height = first; height < first + heights; height++)
    log.block(Array.from({ length: perBlock }, (_, index) => eventAt(height, index)));
  return log;
}
afterEach(() => expect(log.open).toBe(0));

describe('what is iterated', () => {
  test('is exactly the log from the place on, however it is cut, repeated, refused and kept back', async () => {
    const block = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 });
    const fault: fc.Arbitrary<Connection> = fc.oneof(
      fc.record({
        pieces: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 }),
        cutAfter: fc.integer({ min: 0, max: 3_000 }),
        ends: fc.constantFrom('peace', 'failure', 'silence'),
        repeats: fc.integer({ min: 0, max: 5 }),
        lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      }),
      fc.constantFrom<Connection>(
        { answer: refuse('shutting_down', { 'retry-after': '2' }) },
        { answer: () => new Response('<html>', { status: 502 }) },
        { answer: refuse('rate_limited', { 'retry-after': '70' }) },
      ),
    );
    const past = fc.array(block, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        past,
        fc.array(block, { maxLength: 8 }),
        fc.array(fault, { maxLength: 8 }),
        fc.array(fc.boolean(), { maxLength: 4 }),
        fc.nat(),
        async (before, coming, connections, pages, at) => {
          log = new EventLog();
          let height = 0;
          const made = (gaps: readonly number[]): LedgerEvent[] => {
            height += 1;
            let index = -1;
            return gaps.map((gap) => eventAt(height, (index += gap)));
          };
          for (const gaps of before) log.block(made(gaps));
          log.height = height;
          // A block without events is one that only the heartbeats tell of.
          log.coming.push(...coming.map(made).filter((list) => list.length > 0));
          log.connections = [...connections];
          log.pageAnswers = pages.map(
            (isAnswered) => () => (isAnswered ? new Response('<html>', { status: 504 }) : refuse('server_busy')()),
          );
          const places = ['0', ...before.map((_, i) => `${i + 1}`), ...idsOf(log.events)];
          const after = places[at % places.length] as string;
          const expected = idsOf([...log.after(after), ...log.coming.flat()]);
          expect(await take(clientOf(log, Math.random).client, expected.length, { after })).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('begins now where no place is given, and misses nothing when the first connections fail', async () => {
    logOf(4).coming.push([eventAt(5, 0)], [eventAt(6, 0)]);
    log.connections = [{ cutAfter: 0 }, { cutAfter: 3 }];
    expect(await take(clientOf(log).client, 2)).toEqual(['5-0', '6-0']);
    expect(log.streamRequests.map((url) => url.searchParams.get('after'))[0]).toBe('4');
  });

  test('goes on behind the height of a heartbeat where its filter let nothing through', async () => {
    logOf(7).connections = [{ cutAfter: 60 }];
    log.events.length = 0;
    log.coming.push([], [eventAt(12, 3)]);
    const filter = {
      account: 'txlt1a',
      owner: 'shop',
      type: 'transaction.failed',
      reference: 'INV 1',
      status: 'failed',
    } as const;
    expect(await take(clientOf(log).client, 1, { after: '2', ...filter })).toEqual(['12-3']);
    const [first, last] = [log.streamRequests[0], log.streamRequests.at(-1)].map((url) =>
      Object.fromEntries(url!.searchParams),
    );
    expect(first).toEqual({ ...filter, after: '2' });
    expect(Number(last!['after'])).toBeGreaterThanOrEqual(7);
  });

  test('is not read ahead of: a loop that takes its time slows the service down', async () => {
    logOf(500).connections = [{ pieces: [700] }];
    const loop = events(inRealTime(log), { after: '0' });
    await loop.next();
    await settled();
    // A piece holds one event.
    expect(log.piecesTaken).toBeLessThan(5);
    for (let i = 0; i < 99; i++) await loop.next();
    expect(log.piecesTaken).toBeLessThan(105);
    await loop.return?.();
  });
});

describe('the end', () => {
  test('comes with break, which closes the connection', async () => {
    logOf(3);
    expect(await take(clientOf(log).client, 1, { after: '0' })).toEqual(['1-0']);
    expect(log.open).toBe(0);
  });

  test('comes with the signal, whose reason it rejects with, before and while it waits', async () => {
    const abort = new AbortController();
    const client = inRealTime(logOf(1));
    const loop = events(client, { after: '1', signal: abort.signal });
    const waiting = caught(loop.next());
    await settled();
    expect(log.open).toBe(1);
    abort.abort(new Error('enough'));
    expect(await waiting).toBe(abort.signal.reason);
    expect(await loop.next()).toEqual({ done: true, value: undefined });
    expect(await caught(events(client, { signal: abort.signal }).next())).toBe(abort.signal.reason);
  });

  test('comes with return while it waits for the next event', async () => {
    const loop = events(inRealTime(logOf(1)), { after: '1' });
    const waiting = loop.next();
    await settled();
    await loop.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test.each([
    ['unauthenticated', 'UnauthenticatedError'],
    ['insufficient_scope', 'InsufficientScopeError'],
    ['invalid_request', 'InvalidRequestError'],
    ['not_found', 'NotFoundError'],
  ])('comes with %s, at the first connection and at a later one', async (code, name) => {
    logOf(2).connections = [{ answer: refuse(code) }];
    expect((await caught(take(clientOf(log).client, 9, { after: '0' }))).name).toBe(name);
    logOf(2).connections = [{ cutAfter: 900 }, { answer: refuse(code) }];
    const ids: string[] = [];
    const loop = (async () => {
      for await (const { id } of events(clientOf(log).client, { after: '0' })) ids.push(id);
    })();
    expect((await caught(loop)).name).toBe(name);
    expect(ids).toHaveLength(2);
  });

  test('comes after maxRetries attempts in a row that brought nothing', async () => {
    logOf(0).connections = Array.from({ length: 9 }, () => ({ cutAfter: 0 }));
    log.pageAnswers = Array.from({ length: 9 }, () => refuse('server_busy'));
    expect((await caught(take(clientOf(log).client, 1, { after: '0', maxRetries: 3 }))).name).toMatch(
      /ConnectionError|ServerBusyError/,
    );
    expect(log.streamRequests.length + log.pageRequests.length).toBe(4);
  });

  test.each([['no place'], ['1-'], ['-1'], ['1-2-3']])('comes before anything is sent where after is %j', (after) => {
    expect(() => events(clientOf(logOf(1)).client, { after })).toThrow(
      expect.objectContaining({ name: 'InvalidArgumentError', argument: 'after' }),
    );
    expect(log.streamRequests).toEqual([]);
  });

  test.each([
    ['is no JSON', 'id: 1-0\ndata: {\n\n'],
    ['has no place', `data: ${JSON.stringify(eventAt(1, 0))}\n\n`],
    ['has no end', `data: ${'x'.repeat(70_000)}`],
  ])('comes with an event that %s: it would be the same the next time', async (_, text) => {
    logOf(1).connections = [{ answer: () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }) }];
    expect((await caught(take(clientOf(log).client, 1, { after: '0' }))).name).toBe('UnexpectedAnswerError');
  });
});

describe('a connection', () => {
  test('that says nothing for the time of three heartbeats is dead, and another one takes its place', async () => {
    logOf(2).coming.push([eventAt(3, 0)]);
    log.connections = [{ cutAfter: 20, ends: 'silence' }];
    const { client, time } = clientOf(log);
    expect(await take(client, 5, { after: '0' })).toEqual(['1-0', '1-1', '2-0', '2-1', '3-0']);
    expect(time.pauses).toContain(STREAM_SILENCE_MS_MAX);
    expect(log.pageRequests).toEqual([]);
  });

  test('is tried again after what Retry-After says', async () => {
    logOf(1).connections = [{ answer: refuse('rate_limited', { 'retry-after': '7' }) }];
    const { client, time } = clientOf(log);
    await take(client, 2, { after: '0' });
    expect(time.pauses.some((pause) => pause >= 7_000 && pause < 7_500)).toBe(true);
  });

  test('follows the one before by up to what retry says, and by twice as much each time that brings nothing', async () => {
    logOf(1).connections = [
      { cutAfter: 40 },
      ...Array.from({ length: 3 }, () => ({ answer: refuse('shutting_down') })),
    ];
    log.pageAnswers = Array.from({ length: 1 }, () => refuse('shutting_down'));
    const { client, time } = clientOf(log, () => 0.999);
    await take(client, 2, { after: '0' });
    const pauses = time.pauses.filter((pause) => pause > 0).map((pause) => Math.round(pause));
    expect(pauses.slice(0, 3)).toEqual([300, 599, 1199]);
  });

  test.each([
    ['the service has no stream', { answer: refuse('not_acceptable') }],
    ['the method is refused on the way', { answer: () => new Response('', { status: 405 }) }],
    ['a page comes in its place', { answer: () => Response.json({ events: [], height: 1 }) }],
  ])('gives way to pages for good where %s', async (_, connection) => {
    logOf(2).coming.push(
      [],
      [eventAt(4, 0)],
      [eventAt(5, 0), eventAt(5, 1), eventAt(5, 2), eventAt(5, 5)],
      [eventAt(6, 0)],
    );
    log.connections = [connection];
    expect(await take(clientOf(log).client, 9, { after: '1-0' })).toEqual([
      '1-1',
      '2-0',
      '2-1',
      '4-0',
      '5-0',
      '5-1',
      '5-2',
      '5-5',
      '6-0',
    ]);
    expect(log.streamRequests).toHaveLength(1);
    expect(log.pageRequests.every((url) => url.searchParams.get('order') === 'asc')).toBe(true);
  });

  test('gives way to pages where something on the way keeps its bytes back, and is tried again later', async () => {
    logOf(2).coming.push(...Array.from({ length: 500 }, (_, i) => [eventAt(3 + i, 0)]));
    log.connections = [{ cutAfter: 0, ends: 'silence' }];
    const { client, time } = clientOf(log);
    const ids = await take(client, 504, { after: '0' });
    expect(ids).toHaveLength(504);
    expect(new Set(ids).size).toBe(504);
    expect(time.pauses[0]).toBe(STREAM_SILENCE_MS_MAX);
    expect(log.streamRequests).toHaveLength(2);
    // Ten minutes of a page every other second or more often.
    expect(log.pageRequests.length).toBeGreaterThan(300);
  });

  test('that is cut before its first byte again and again stops no event: pages bring them', async () => {
    logOf(2).coming.push(...Array.from({ length: 20 }, (_, i) => [eventAt(3 + i, 0)]));
    log.connections = Array.from({ length: 3 }, () => ({ answer: () => new Response('<html>', { status: 504 }) }));
    const expected = idsOf([...log.events, ...log.coming.flat()]);
    expect(await take(clientOf(log).client, 24, { after: '0' })).toEqual(expected);
    expect(log.streamRequests).toHaveLength(3);
  });

  test('is not given up because the request before it found no answer', async () => {
    logOf(1).coming.push([eventAt(2, 0)]);
    let first = true;
    const hanging = (request: Request): Promise<Response> => {
      if (!first) return log.fetch(request);
      first = false;
      return new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)),
      );
    };
    const client = createClient({ baseUrl: 'http://ledger.test', environment: { ...skippedTime(), fetch: hanging } });
    expect(await take(client, 1)).toEqual(['2-0']);
    expect([log.streamRequests.length, log.pageRequests.length]).toEqual([1, 1]);
  });

  test('carries the token and tells hooks of itself', async () => {
    logOf(1);
    const seen: unknown[] = [];
    const { fetch } = log;
    const client = createClient({
      baseUrl: 'http://ledger.test',
      token: () => 'txl_x_y',
      environment: {
        ...skippedTime(),
        fetch: (request) => (seen.push(request.headers.get('authorization')), fetch(request)),
      },
    });
    await take(client, 1, { after: '0', onResponse: ({ status, url }) => void seen.push(status, url) });
    expect(seen).toEqual(['Bearer txl_x_y', 200, 'http://ledger.test/events?after=0']);
  });
});

describe('a service of another chain', () => {
  test('ends it with one sentence, and no event of it is given', async () => {
    logOf(2);
    log.chain = `ledger-2 ${'B'.repeat(64)}`;
    const client = createClient({
      baseUrl: 'http://ledger.test',
      chain: { chainId: 'ledger-1', addressPrefix: 'txl' },
      environment: { ...skippedTime(), fetch: log.fetch },
    });
    const error = await caught(take(client, 1, { after: '0' }));
    expect(error).toBeInstanceOf(OtherChainError);
    expect([error.retriable, error.chainId]).toEqual([false, 'ledger-2']);
    expect(error.message).toContain('is of chain ledger-2, and ledger-1 is expected: check the base URL');
  });

  test.each([
    ['another chain', `ledger-2 ${'A'.repeat(64)}`],
    ['a chain that was begun again', `ledger-1 ${'B'.repeat(64)}`],
  ])('is noticed when it comes with the next connection: %s', async (_, chain) => {
    logOf(2);
    log.chain = `ledger-1 ${'A'.repeat(64)}`;
    // Behind the line that names the chain, and before the first event has ended.
    log.connections = [{ cutAfter: 150 }];
    const client = createClient({
      baseUrl: 'http://ledger.test',
      environment: {
        ...skippedTime(),
        fetch: (request) => {
          if (log.streamRequests.length === 1) log.chain = chain;
          return log.fetch(request);
        },
      },
    });
    const error = await caught(take(client, 1, { after: '0' }));
    expect(log.streamRequests.length).toBe(2);
    expect(error).toBeInstanceOf(OtherChainError);
  });

  test('does not matter where it is the same one again', async () => {
    logOf(3);
    log.chain = `ledger-1 ${'A'.repeat(64)}`;
    log.connections = [{ cutAfter: 150 }];
    expect(await take(clientOf(log).client, 3, { after: '0' })).toHaveLength(3);
    expect(log.streamRequests.length).toBeGreaterThan(1);
  });
});

describe('a place that the log does not reach', () => {
  test('ends it with the sentence of the service, once, whether a stream or a page is asked', async () => {
    for (const streams of [true, false]) {
      logOf(2);
      log.connections = streams
        ? [{ answer: refuse('place_ahead') }]
        : [{ answer: () => new Response('<html>', { status: 405 }) }];
      log.pageAnswers = [refuse('place_ahead')];
      const { client } = clientOf(log);
      const error = await caught(take(client, 1, { after: '98310' }));
      expect(error).toBeInstanceOf(PlaceAheadError);
      expect([error.code, error.retriable, error.height]).toEqual(['place_ahead', false, 1204]);
      expect(error.message).toContain('The event log ends at block 1204');
      expect([log.streamRequests.length, log.pageRequests.length]).toEqual([1, streams ? 0 : 1]);
    }
  });

  test('is asked for without a least height, which the log does not reach either', async () => {
    logOf(2);
    const heights: (string | null)[] = [];
    const client = createClient({
      baseUrl: 'http://ledger.test',
      environment: {
        ...skippedTime(),
        fetch: async (request) => {
          heights.push(request.headers.get('ledger-height-min'));
          const { body, status, headers } = await log.fetch(request);
          return new Response(body, { status, headers: { ...Object.fromEntries(headers), 'ledger-height': '98310' } });
        },
      },
    });
    await listEvents(client);
    await listEvents(client);
    await take(client, 1, { after: '0' });
    expect(heights).toEqual([null, '98310', null]);
  });
});
