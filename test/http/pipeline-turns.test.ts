/** A request of an operation begins in a turn of the thread, of its own class; a probe waits for none. */
import { expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { turnsOf } from '../../server/gateway/turns.ts';
import { classOfOperation, type RequestClass } from '../../server/http/limits/classes.ts';
import { type PipelineParts, serve } from '../../server/http/pipeline.ts';

type Served = Parameters<typeof serve>;

/** Whether the pipeline has looked at the request when its turn is over before it came. */
function looksAt(
  id: string,
  scopes: readonly string[] | undefined,
  isGone = false,
): { looked: () => boolean; served: Promise<void> } {
  let nowMs = 0;
  let looked = false;
  const clock = { monotonicMs: () => nowMs, soon: (fn) => void setImmediate(fn) } as Partial<Clock> as Clock;
  turnsOf(clock).enter();
  nowMs += TURN_MS_MAX;
  const of: RequestClass = classOfOperation({ id, scopes });
  const known: Record<string, unknown> = { class: of, response: { destroyed: isGone }, isAlwaysSent: false };
  const look = (_: object, name: string): unknown => {
    if (name in known) return known[name];
    if (name !== 'client') looked = true;
    return undefined;
  };
  const exchange = new Proxy({}, { get: look }) as Served[0];
  const answers = { defect: () => undefined, problem: () => undefined } as unknown as PipelineParts['answers'];
  const served = serve(
    exchange,
    { id, scopes } as unknown as Served[1],
    (() => undefined) as unknown as Served[2],
    {
      clock,
      answers,
      connections: { isFull: () => false },
    } as unknown as PipelineParts,
  );
  return { looked: () => looked, served };
}

test.each([
  ['a payment', 'submitTransaction', ['transactions:write']],
  ['a read', 'getTransaction', ['transactions:read']],
  ['a page', 'listTransactions', ['transactions:read']],
  ['what needs no token', 'getChain', undefined],
])('%s waits while the turn is over', async (_, id, scopes) => {
  const { looked, served } = looksAt(id, scopes);
  expect(looked()).toBe(false);
  await served;
  expect(looked()).toBe(true);
});

test('a probe does not', async () => {
  const { looked, served } = looksAt('getLiveness', undefined);
  expect(looked()).toBe(true);
  await served;
});

test('nothing is done for a client that went away while it waited', async () => {
  const { looked, served } = looksAt('listTransactions', ['transactions:read'], true);
  await served;
  expect(looked()).toBe(false);
});
