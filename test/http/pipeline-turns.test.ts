/** A request of an operation begins in a turn of the thread; a probe does not wait for one. */
import { expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { turnsOf } from '../../server/gateway/turns.ts';
import { type PipelineParts, serve } from '../../server/http/pipeline.ts';

type Served = Parameters<typeof serve>;

/** Whether the pipeline has looked at the request when its turn is over before it came. */
function looksAt(scopes: readonly string[] | undefined): { looked: () => boolean; served: Promise<void> } {
  let nowMs = 0;
  let looked = false;
  const clock = { monotonicMs: () => nowMs, soon: (fn) => void setImmediate(fn) } as Partial<Clock> as Clock;
  turnsOf(clock).enter();
  nowMs += TURN_MS_MAX;
  const look = (): undefined => void (looked = true);
  const exchange = new Proxy({}, { get: look }) as Served[0];
  const answers = { defect: () => undefined, problem: () => undefined } as unknown as PipelineParts['answers'];
  const served = serve(
    exchange,
    { id: 'x', scopes } as unknown as Served[1],
    (() => undefined) as unknown as Served[2],
    { clock, answers } as PipelineParts,
  );
  return { looked: () => looked, served };
}

test('of an operation that needs a token waits while the turn is over', async () => {
  const { looked, served } = looksAt(['transactions:read']);
  expect(looked()).toBe(false);
  await served;
  expect(looked()).toBe(true);
});

test('of a probe does not', async () => {
  const { looked, served } = looksAt(undefined);
  expect(looked()).toBe(true);
  await served;
});
