/** GET /accounts/{address}/entries and ?height=: what the HTTP layer itself promises about statements. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { get } from 'node:http';
import type { AccountEntry, Gateway } from '../../server/gateway/types.ts';
import { ENTRY, SENDER, TOKEN } from './support/stub-gateway.ts';
import { STREAM_BYTES_PER_UNIT } from '../../server/http/cost.ts';
import { STREAM_BYTES_KEPT } from '../../server/http/limits.ts';
import { TestServer } from './support/server.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const PATH = `/accounts/${SENDER}/entries`;
const HEADER = 'height,index,blockTime,txHash,direction,counterparty,amount,balanceAfter,reference';
const CSV = { Accept: 'text/csv' };

/** So many entries by pages, as a gateway gives them; the cursor is a number here. */
function statementOf(count: number, entry: (at: number) => AccountEntry = () => ENTRY): Gateway['entries'] {
  return async ({ limit, cursor = '0' }) => {
    const start = Number(cursor);
    const end = Math.min(count, start + limit);
    const entries = Array.from({ length: end - start }, (_, at) => entry(start + at));
    return { ok: true, entries, height: 42, ...(end < count && { nextCursor: String(end) }) };
  };
}

const asked = (): unknown[] => server.gateway.calls.map(({ args }) => args[0]);

describe('a page', () => {
  it("has the entries in the contract's words", async () => {
    const answer = await server.ask({ path: PATH });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      entries: [
        {
          height: 42,
          index: 0,
          blockTime: '2026-11-21T09:30:01.000Z',
          txHash: ENTRY.txHash,
          direction: 'out',
          counterparty: ENTRY.counterparty,
          amount: '100',
          balanceAfter: '900',
          reference: 'Invoice 17',
        },
      ],
      height: 42,
      nextCursor: 'AAAAAAAAAco',
    });
    expect(asked()).toEqual([{ address: SENDER, limit: 10, order: 'desc' }]);
  });

  it('is bounded by times in milliseconds, the first one at or after what is asked for', async () => {
    await server.ask({ path: `${PATH}?from=2026-11-21T09:30:01Z&to=2026-11-21T09:30:01.000000001Z&order=asc&limit=7` });
    const ms = Date.UTC(2026, 10, 21, 9, 30, 1);
    expect(asked()).toEqual([{ address: SENDER, limit: 7, order: 'asc', fromMs: ms, toMs: ms + 1 }]);
  });

  it.each(['2026-11-21T10:30:01.5%2B01:00', '2026-11-20T23:45:01.5-09:45'])(
    'takes times with an offset from UTC: %s',
    async (from) => {
      await server.ask({ path: `${PATH}?from=${from}` });
      expect(asked()).toEqual([
        { address: SENDER, limit: 10, order: 'desc', fromMs: Date.UTC(2026, 10, 21, 9, 30, 1, 500) },
      ]);
    },
  );

  it.each([
    'from=2026-11-21',
    'to=2026-02-30T00:00:00Z',
    'order=up',
    'limit=0',
    'from=2026-11-21T09:30:01%2B24:00',
    'to=2026-11-21T09:30:01',
  ])('is refused with %s', async (query) => {
    const answer = await server.ask({ path: `${PATH}?${query}` });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#/query/${query.split('=')[0]}` }],
    });
    expect(server.gateway.calls).toEqual([]);
  });

  it('needs transactions:read', async () => {
    expect((await server.ask({ path: PATH, token: 'txl_write_secret' })).status).toBe(403);
    expect((await server.ask({ path: PATH, token: null })).status).toBe(401);
  });

  it('that is not there yet is 503 with a moment to wait', async () => {
    server.gateway.onEntries = async () => ({
      ok: false,
      code: 'engine_unavailable',
      detail: 'The statements are behind.',
      retryAfterS: 1,
    });
    const answer = await server.ask({ path: PATH });
    expect([answer.status, answer.headers['retry-after'], answer.body.retriable]).toEqual([503, '1', true]);
  });
});

describe('the form of the answer', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['text/csv, application/json;q=0.5', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv', 'text/csv'],
  ])('for Accept %s is %s', async (accept, mediaType) => {
    server.gateway.onEntries = statementOf(1);
    const answer = await server.ask({ path: PATH, headers: { Accept: accept } });
    expect(answer.status).toBe(200);
    expect(String(answer.headers['content-type']).split(';')[0]).toBe(mediaType);
  });

  it('is 406 for any other', async () => {
    expect((await server.ask({ path: PATH, headers: { Accept: 'text/html' } })).status).toBe(406);
  });
});

describe('CSV', () => {
  it('is the whole range, up to the block that was the last when it began', async () => {
    server.gateway.onEntries = statementOf(1200, (at) => ({ ...ENTRY, index: at }));
    const answer = await server.ask({ path: `${PATH}?limit=3&order=asc`, headers: CSV });
    const lines = answer.text.split('\r\n');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(lines[0]).toBe(HEADER);
    expect(lines.at(-1)).toBe('');
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[1]))).toEqual(
      Array.from({ length: 1200 }, (_, at) => at),
    );
    expect(asked().slice(1)).toEqual(
      expect.arrayContaining([expect.objectContaining({ heightMax: 42, order: 'asc' })]),
    );
  });

  it('has a header without entries', async () => {
    server.gateway.onEntries = statementOf(0);
    expect((await server.ask({ path: PATH, headers: CSV })).text).toBe(`${HEADER}\r\n`);
  });

  it.each([
    ['=1+1', `'=1+1`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@sum', `'@sum`],
    [`'=1`, `''=1`],
    ['a=b', 'a=b'],
    ['a, b', '"a, b"'],
    ['=a,b', `"'=a,b"`],
  ])('makes the reference %s harmless', async (reference, field) => {
    server.gateway.onEntries = statementOf(1, () => ({ ...ENTRY, reference }));
    const { text } = await server.ask({ path: PATH, headers: CSV });
    expect(text.endsWith(`,900,${field}\r\n`)).toBe(true);
  });

  it('has no pages', async () => {
    const answer = await server.ask({ path: `${PATH}?cursor=AAAAAAAAAco`, headers: CSV });
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '#/query/cursor' }] });
  });

  it('is refused as a problem before the first line, and cut off after it', async () => {
    server.gateway.onEntries = async () => ({
      ok: false,
      code: 'store_unavailable',
      detail: 'The statements could not be read.',
    });
    expect((await server.ask({ path: PATH, headers: CSV })).status).toBe(503);
    const pages = statementOf(2000);
    server.gateway.onEntries = (query) =>
      query.cursor === '1000'
        ? Promise.resolve({ ok: false, code: 'store_unavailable', detail: 'The statements could not be read.' })
        : pages(query);
    await expect(server.ask({ path: PATH, headers: CSV })).rejects.toThrow(/aborted|hang up|reset/);
  });

  it('of 100,000 entries is sent as it is read, in constant memory', async () => {
    server.gateway.onEntries = statementOf(100_000, (at) => ({
      ...ENTRY,
      index: at,
      reference: `Invoice ${at}, of November`,
    }));
    let [bytes, lines, furthest] = [0, 0, 0];
    const rssBefore = process.memoryUsage().rss;
    let rssMost = rssBefore;
    await new Promise<void>((resolve, reject) => {
      get(
        { host: '127.0.0.1', port: server.port, path: PATH, headers: { ...CSV, Authorization: `Bearer ${TOKEN}` } },
        (incoming) => {
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            for (const byte of chunk) if (byte === 0x0a) lines += 1;
            rssMost = Math.max(rssMost, process.memoryUsage().rss);
            // Pages that were read and not taken yet.
            furthest = Math.max(furthest, server.gateway.calls.length * 100 - lines);
          });
          incoming.on('end', resolve);
          incoming.on('error', reject);
        },
      );
    });
    expect(lines).toBe(100_001);
    expect(bytes).toBeGreaterThan(20_000_000);
    // Sockets hold some megabytes; the whole of it is far more than this.
    expect(furthest).toBeLessThan(40_000);
    expect(rssMost - rssBefore).toBeLessThan(150 * 2 ** 20);
  });

  it('is read no further for a client that has gone', async () => {
    server.gateway.onEntries = statementOf(10_000_000);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/csv\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    while (server.connections.figures.unsentBytes > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const calls = server.gateway.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.gateway.calls.length).toBe(calls);
  });

  it('is charged as it is read: the next piece comes when the quota is paid off', async () => {
    const quota = { requests: 100, windowS: 1 };
    const slow = new TestServer({ rateLimits: { perToken: quota, perClient: { requests: 10_000, windowS: 1 } } });
    await slow.start();
    slow.gateway.onEntries = statementOf(6_000);
    const beganMs = performance.now();
    const { text } = await slow.ask({ path: PATH, headers: CSV });
    const units = text.length / STREAM_BYTES_PER_UNIT;
    expect(units).toBeGreaterThan(1.5 * quota.requests);
    // What is not within the first window takes its time: never less, however fast the machine is.
    expect(performance.now() - beganMs).toBeGreaterThan(((units - quota.requests) / quota.requests - 0.2) * 1000);
    await slow.stop();
  });

  it('waits for a client that does not read, holds a bounded part, and gives it up', async () => {
    const slow = new TestServer({ noProgressMsMax: 500 });
    await slow.start();
    slow.gateway.onEntries = statementOf(2_000_000);
    const socket = connect(slow.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/csv\r\n\r\n`,
    );
    const cut = (): number => slow.connections.figures.cut.no_progress;
    let calls = -1;
    while (calls !== slow.gateway.calls.length || calls < 1) {
      calls = slow.gateway.calls.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // It stands still: what the kernel took, and a piece or two.
    expect(calls).toBeLessThan(1000);
    expect(slow.connections.figures.unsentBytes).toBeLessThanOrEqual(STREAM_BYTES_KEPT);
    while (cut() === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    while (slow.connections.figures.unsentBytes > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(slow.gateway.calls.length).toBeLessThanOrEqual(calls + 1);
    socket.destroy();
    await slow.stop();
  });
});

describe('an account at a height', () => {
  it('is that of the block, with nothing pending', async () => {
    const answer = await server.ask({ path: `/accounts/${SENDER}?height=7` });
    expect(answer.body).toEqual({
      address: SENDER,
      balance: '900',
      available: '900',
      pendingOut: '0',
      nonce: 2,
      nextNonce: 2,
      gaps: [],
      height: 7,
      blockTime: '2026-11-21T09:30:01.000Z',
    });
    expect(server.gateway.calls).toEqual([{ method: 'accountAt', args: [SENDER, 7] }]);
  });

  it('of genesis can be asked for', async () => {
    expect((await server.ask({ path: `/accounts/${SENDER}?height=0` })).status).toBe(200);
    expect((await server.ask({ path: `/accounts/${SENDER}?height=-1` })).status).toBe(400);
  });

  it('is 404 beyond the chain', async () => {
    server.gateway.onAccountAt = async () => ({
      ok: false,
      code: 'not_found',
      detail: 'The chain has no block 99 yet: its last one is 42. Ask for an earlier height.',
    });
    expect((await server.ask({ path: `/accounts/${SENDER}?height=99` })).body).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});
