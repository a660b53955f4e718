/** A request of an operation begins in a turn of the thread, of its own class; a probe waits for none. */
import { expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { type Turns, turnsOf } from '../../server/gateway/turns.ts';
import { classOfOperation } from '../../server/http/limits/classes.ts';
import { type PipelineParts, serve } from '../../server/http/pipeline.ts';

type Served = Parameters<typeof serve>;

const PRINCIPAL = { tokenId: 't', owner: 'o', scopes: ['s'] };

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
  turns.enter();
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
    connections: { isFull: () => false },
    gateway: { authenticate: () => (isKnown ? PRINCIPAL : undefined) },
    validation: { check: () => void (looked = true) },
    answers: {
      defect: (_: unknown, error: unknown) => codes.push(String(error)),
      problem: (_: unknown, { code }: { code: string }) => codes.push(code),
      reply: () => undefined,
    },
  } as unknown as PipelineParts);
  return { looked: () => looked, served, turns, codes };
}

test.each([
  ['a payment', 'submitTransaction', { scopes: ['s'] }, true],
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
