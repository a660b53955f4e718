/** GET /events as pages: what the HTTP layer itself promises about the event log. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import { placeAhead } from '../../server/gateway/refusals.ts';
import type { EventQuery, Principal } from '../../server/gateway/types.ts';
import { EVENT, RECEIVER, SENDER } from './support/stub-gateway.ts';
import { TestServer } from './support/server.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const asked = (): unknown[] => server.gateway.calls.map(({ args }) => args[0]);

function as(principal: Partial<Principal>): void {
  server.gateway.onAuthenticate = async () => ({
    tokenId: 't',
    owner: 'dev',
    scopes: ['transactions:read'],
    ...principal,
  });
}

describe('a page', () => {
  it("has the events in the contract's words", async () => {
    const answer = await server.ask({ path: '/events' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      events: [
        {
          id: '1204-3',
          type: 'transaction.committed',
          timestamp: '2026-11-21T09:30:01.000Z',
          data: {
            height: 1204,
            index: 3,
            transaction: {
              txHash: EVENT.transaction.txHash,
              from: SENDER,
              to: RECEIVER,
              amount: '100',
              nonce: 0,
              reference: 'INV 2026/17',
              status: 'committed',
            },
          },
        },
      ],
      height: 1204,
      nextCursor: 'AAAAAAAAAco',
    });
    expect(asked()).toEqual([{ limit: 10, order: 'desc' }]);
  });

  it.each(['asc', 'desc'] as const)(
    'of a thousand events is read in pieces, others have their turns between them, and it is one page (%s)',
    async (order) => {
      const asked: EventQuery[] = [];
      let turns = 0;
      let isOver = false;
      const others = (): void => {
        turns += 1;
        if (!isOver) setImmediate(others);
      };
      const turnsAt: number[] = [];
      server.gateway.onEvents = async (query) => {
        asked.push(query);
        turnsAt.push(turns);
        const from = Number(query.cursor ?? 0);
        const events = Array.from({ length: query.limit }, (_, i) => ({ ...EVENT, height: 9, index: from + i }));
        const reached = from + query.limit;
        return {
          ok: true,
          events,
          height: 20 + asked.length,
          place: { height: 9, index: reached },
          scanned: 2 * query.limit,
          nextCursor: String(reached),
        };
      };
      setImmediate(others);
      const { body } = await server.ask({ path: `/events?limit=900&order=${order}` });
      isOver = true;
      expect((body as { events: { id: string }[] }).events.map(({ id }) => id)).toEqual(
        Array.from({ length: 900 }, (_, i) => `9-${i}`),
      );
      // The log only grows: what was added meanwhile is behind the page upwards, and before it downwards.
      expect(body).toMatchObject({ height: order === 'asc' ? 24 : 21, nextCursor: '900' });
      expect(asked.map(({ limit, cursor, scanMax }) => [limit, cursor, scanMax])).toEqual([
        [250, undefined, undefined],
        [250, '250', 3596],
        [250, '500', 3096],
        [150, '750', 2596],
      ]);
      expect(new Set(turnsAt).size).toBe(4);
    },
  );

  it('of a transfer that was never seen here says what the cancel says', async () => {
    const { txHash, from, nonce } = EVENT.transaction;
    server.gateway.onEvents = async () => ({
      ok: true,
      events: [
        {
          height: 7,
          index: 0,
          blockTimeMs: 0,
          type: 'transaction.cancelled',
          transaction: { txHash, from, nonce, status: 'cancelled' },
        },
      ],
      height: 7,
      place: { height: 7, index: 0 },
      scanned: 1,
    });
    expect((await server.ask({ path: '/events' })).body).toMatchObject({
      events: [
        {
          id: '7-0',
          type: 'transaction.cancelled',
          data: { transaction: { txHash, from, nonce, status: 'cancelled' } },
        },
      ],
    });
  });

  it.each([
    ['after=1204-3', { order: 'asc', after: { height: 1204, index: 3 } }],
    ['after=1204&order=asc', { order: 'asc', after: { height: 1204, index: END_OF_BLOCK } }],
    ['after=0', { order: 'asc', after: { height: 0, index: END_OF_BLOCK } }],
    ['order=asc', { order: 'asc' }],
    [
      `account=${SENDER}&owner=dev&type=transaction.failed&reference=INV%202026/17&status=failed&limit=200&cursor=abc`,
      {
        order: 'desc',
        account: SENDER,
        owner: 'dev',
        type: 'transaction.failed',
        reference: 'INV 2026/17',
        status: 'failed',
        limit: 200,
        cursor: 'abc',
      },
    ],
  ])('with %s asks the gateway for just that', async (query, expected) => {
    expect((await server.ask({ path: `/events?${query}` })).status).toBe(200);
    expect(asked()).toEqual([{ limit: 10, ...expected }]);
  });

  it.each([
    ['after=1204&order=desc', 'order'],
    ['after=9999999999999999', 'after'],
    ['after=-1', 'after'],
    ['after=1-2-3', 'after'],
    ['after=01', 'after'],
    ['after=', 'after'],
    ['order=up', 'order'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['status=pending', 'status'],
    ['type=transaction.of_tomorrow', 'type'],
    ['owner=A%20B', 'owner'],
    ['height=4', 'height'],
  ])('is refused with %s', async (query, name) => {
    const answer = await server.ask({ path: `/events?${query}` });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: `#/query/${name}` }] });
    expect(asked()).toEqual([]);
  });

  // The schema of a list that may grow asks for a pattern only; it is closed where answers are validated, as in the other tests.
  it.each(['application/json', 'text/event-stream'])(
    'is refused with a type that there is not, also where answers are not validated (%s)',
    async (accept) => {
      const plain = await new TestServer({ validateResponses: false }).start();
      const path = '/events?type=transaction.of_tomorrow';
      const answer = await plain.ask({ path, headers: { Accept: accept } });
      await plain.stop();
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '#/query/type' }] });
    },
  );

  it("is refused with an address that only the gateway can judge, in the gateway's words", async () => {
    server.gateway.onEvents = async () => ({
      ok: false,
      code: 'invalid_address',
      detail: 'The address is wrong.',
      errors: [{ pointer: '#/query/account', message: 'It is wrong.' }],
    });
    expect((await server.ask({ path: `/events?account=${SENDER}` })).status).toBe(422);
  });

  it('of one owner is for its own tokens, and for those that may cancel for all', async () => {
    as({ owner: 'acme' });
    expect((await server.ask({ path: '/events?owner=acme' })).status).toBe(200);
    const refused = await server.ask({ path: '/events?owner=dev' });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'insufficient_scope' });
    expect(refused.headers['www-authenticate']).toContain('transactions:cancel-any');
    expect(asked()).toHaveLength(1);
    as({ owner: 'acme', scopes: ['transactions:read', 'transactions:cancel-any'] });
    expect((await server.ask({ path: '/events?owner=dev' })).status).toBe(200);
    // Before the form of the answer is chosen: a stream tells no more than a page.
    as({ owner: 'acme' });
    expect((await server.ask({ path: '/events?owner=dev', headers: { Accept: 'text/event-stream' } })).status).toBe(
      403,
    );
  });

  it('needs transactions:read', async () => {
    expect((await server.ask({ path: '/events', token: 'txl_write_secret' })).status).toBe(403);
    expect((await server.ask({ path: '/events', token: null })).status).toBe(401);
  });
});

describe('a place that is far ahead of the log', () => {
  it.each([
    ['a page', '/events?after=98310', {}],
    ['a stream by after', '/events?after=98310', { Accept: 'text/event-stream' }],
    ['a stream by Last-Event-ID', '/events', { Accept: 'text/event-stream', 'Last-Event-ID': '98310-2' }],
  ])('is 409 with the last block of the log, in a sentence: %s', async (_, path, headers) => {
    server.gateway.onEvents = async ({ after }) => placeAhead(1204, after?.height ?? 0);
    const { status, body } = await server.ask({ path, headers });
    expect([status, body.code, body.retriable, body.height]).toEqual([409, 'place_ahead', false, 1204]);
    expect(body.detail).toMatch(
      /ends at block 1204, and the place that was asked for is in block 98310: it is of another/,
    );
  });
});
