/** A request of an operation begins in a turn of the thread, of its own class; a probe waits for none. */
import { once } from 'node:events';

import { expect, jest, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { MAIN_JOB_PRESENT_MS, SHARE_BURST_MS, TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { type Turns, turnsOf } from '../../server/gateway/turns.ts';
import { Answers } from '../../server/http/answer.ts';
import type { Exchange } from '../../server/http/exchange.ts';
import { ANONYMOUS, classOfOperation, PAYMENT } from '../../server/http/limits/classes.ts';
import { type PipelineParts, serve, turnOf } from '../../server/http/pipeline.ts';
import { type Ask, realClock, TestServer } from './support/server.ts';
import { TRANSFER } from './support/stub-gateway.ts';

type Served = Parameters<typeof serve>;

const PRINCIPAL = { tokenId: 't', owner: 'o', scopes: ['s'] };

class ToldAnswers extends Answers {
  readonly #codes: string[];

  constructor(clock: Clock, codes: string[]) {
    super(undefined as never, undefined as never, false, clock);
    this.#codes = codes;
  }

  override defect = (_: unknown, error: unknown): void => void this.#codes.push(String(error));
  override problem = (_: unknown, { code }: { code: string }): void => void this.#codes.push(code);
  override reply = (): undefined => undefined;
}

/** Whether the pipeline has looked at what is asked when its turn is over before it came. */
function looksAt(
  id: string,
  { scopes, isGone = false, isKnown = true }: { scopes?: readonly string[]; isGone?: boolean; isKnown?: boolean },
): { looked: () => boolean; served: Promise<void>; turns: Turns; codes: string[] } {
  let nowMs = 0;
  let looked = false;
  const codes: string[] = [];
  const clock = { monotonicMs: () => nowMs, soon: (fn) => void setImmediate(fn) } as Partial<Clock> as Clock;
  const turns = turnsOf(clock);
  turns.yield();
  nowMs += TURN_MS_MAX;
  const exchange = {
    class: classOfOperation({ id, scopes }),
    request: { headers: { authorization: 'Bearer txl_a_b' }, url: '/', params: {} },
    response: { destroyed: isGone },
    query: {},
  } as unknown as Served[0];
  const operation = { id, scopes, produces: ['application/json'], headers: [], query: new Map() };
  const served = serve(exchange, operation as unknown as Served[1], async () => ({ status: 200 }), {
    clock,
    connections: { isFullFor: () => false },
    gateway: { authenticate: () => (isKnown ? PRINCIPAL : undefined) },
    validation: { check: () => void (looked = true) },
    answers: new ToldAnswers(clock, codes),
  } as unknown as PipelineParts);
  return { looked: () => looked, served, turns, codes };
}

test.each([
  ['a payment', 'submitTransaction', { scopes: ['s'] }, true],
  ['a dry run', 'checkTransaction', { scopes: ['s'] }, false],
  ['a read', 'getTransaction', { scopes: ['s'] }, false],
  ['a page', 'listTransactions', { scopes: ['s'] }, false],
  ['what needs no token', 'getChain', {}, false],
])('%s waits while the turn is over', async (_, id, options, isMainJob) => {
  const { looked, served, turns, codes } = looksAt(id, options);
  expect(looked()).toBe(false);
  expect(turns.isMainJobThere).toBe(isMainJob);
  await served;
  expect(looked()).toBe(true);
  expect(codes).toEqual([]);
});

test('a payment of someone unknown is refused in a turn of anonymous requests, and holds nothing else back', async () => {
  const { looked, served, turns, codes } = looksAt('submitTransaction', { scopes: ['s'], isKnown: false });
  expect(codes).toEqual([]);
  await served;
  expect(codes).toEqual(['unauthenticated']);
  expect(looked()).toBe(false);
  expect(turns.isMainJobThere).toBe(false);
});

test('payments of an owner with a thousand that wait hold up those of another by one turn', async () => {
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs, soon: (fn) => void setImmediate(fn) } as Partial<Clock> as Clock;
  const answers = new ToldAnswers(clock, []);
  const done: string[] = [];
  const pay = async (owner: string): Promise<void> => {
    const response = { destroyed: false };
    const turn = turnOf({ class: PAYMENT, caller: owner, response } as Partial<Exchange> as Exchange, answers);
    if (turn !== undefined) await turn;
    nowMs += 1;
    done.push(owner);
  };
  const many = Array.from({ length: 1_000 }, () => pay('many'));
  await new Promise((resolve) => setImmediate(resolve));
  const before = done.length;
  await pay('one');
  expect(done.length - before).toBeLessThanOrEqual(TURN_MS_MAX + 1);
  await Promise.all(many);
});

test('a probe does not', async () => {
  const { looked, served } = looksAt('getLiveness', {});
  expect(looked()).toBe(true);
  await served;
});

test('nothing is done for a client that went away while it waited', async () => {
  const { looked, served } = looksAt('listTransactions', { scopes: ['s'], isGone: true });
  await served;
  expect(looked()).toBe(false);
});

const UPGRADE = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };

test.each<[string, Ask, number]>([
  ['a path that does not exist', { path: '/nowhere' }, 404],
  ['a path that cannot be decoded', { path: '/transactions/%ff' }, 400],
  ['a method that its path does not have', { method: 'DELETE', path: '/chain' }, 405],
  ['a foreign host', { headers: { Host: 'evil.example' } }, 421],
  ['an unknown token', { path: '/transactions', token: 'txl_nobody_secret' }, 401],
  ['an unknown token of the RPC', { path: '/rpc/status', token: 'txl_nobody_secret' }, 401],
  ['a form that the RPC does not have', { path: '/rpc/status', headers: { Accept: 'image/png' } }, 406],
  ['a websocket', { path: '/rpc/websocket', token: 'txl_nobody_secret', headers: UPGRADE }, 401],
  ['a page of the documentation', { path: '/docs' }, 200],
])('%s is answered in a turn of anonymous requests, after a payment that came later', async (_, ask, status) => {
  const server = await new TestServer().start();
  // Payments are there for as long as time stands still, and anonymous requests have had more than their share.
  const stopped = jest.spyOn(realClock, 'monotonicMs').mockReturnValue(realClock.monotonicMs());
  const turns = turnsOf(realClock);
  turns.mainJobCame();
  turns.charge(ANONYMOUS.kind, SHARE_BURST_MS);
  const order: string[] = [];
  const arrives = Promise.race([once(server.server, 'request'), once(server.server, 'upgrade')]);
  const asked = server.ask({ ...ask, unchecked: true }).then((answer) => (order.push('asked'), answer));
  await arrives;
  const paid = await server.submit(TRANSFER).then((answer) => (order.push('paid'), answer));
  expect(paid.status).toBe(202);
  expect(order).toEqual(['paid']);
  stopped.mockRestore();
  // Payments stop.
  const laterMs = realClock.monotonicMs() + 2 * MAIN_JOB_PRESENT_MS;
  const later = jest.spyOn(realClock, 'monotonicMs').mockImplementation(() => laterMs);
  expect((await asked).status).toBe(status);
  later.mockRestore();
  await server.stop();
});
