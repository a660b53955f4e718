/** How submissions of several HTTP threads share the commits of the ledger thread, which blocks while it makes one. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createClock } from '../../server/app/environment.ts';
import { link } from '../../server/app/threads/link.ts';
import type { Submission } from '../../server/gateway/core-api.ts';
import { Counts } from '../../server/gateway/counts.ts';
import { FrontCalls } from '../../server/gateway/front-calls.ts';
import { FRONT_CALLS_TO_WRITER_MAX, GROUP_ENOUGH } from '../../server/gateway/limits.ts';
import { Intake } from '../../server/gateway/intake.ts';
import { Lifecycle } from '../../server/gateway/lifecycle.ts';
import { refuse } from '../../server/gateway/refusals.ts';
import type { Refusal, Submitted } from '../../server/gateway/types.ts';

interface Core {
  submitGroup(group: readonly Submission[]): Promise<(Submitted | Refusal)[]>;
}

const submission = (nonce: number): Submission => ({
  from: 'a',
  to: 'b',
  amount: 1n,
  nonce,
  signature: '',
  txHash: String(nonce),
  owner: undefined,
});
const numbered = (count: number): Submission[] => Array.from({ length: count }, (_, nonce) => submission(nonce));

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

/** A core for so many fronts: its links, and the size of each group. */
function coreFor(fronts: number): { cores: Core[]; sizes: number[] } {
  const sizes: number[] = [];
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const intake = new Intake({
    lifecycle: new Lifecycle(logger, {
      onFault: () => undefined,
      onFatal: () => undefined,
      onUnknown: () => undefined,
    }),
    counts: new Counts(),
    clock: createClock(),
    logger,
    fronts,
    accept: (group) => {
      sizes.push(group.length);
      return {
        judgements: group.map(() => ({ kind: 'refused', refusal: refuse('pool_full', 'Full.') })),
        gapOf: () => undefined,
      };
    },
  });
  const cores = Array.from({ length: fronts }, () => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    link(port1, { submitGroup: (group: readonly Submission[]) => intake.submit(group) });
    return link<Core>(port2);
  });
  return { cores, sizes };
}

describe('one group', () => {
  test('is made of what several threads have sent', async () => {
    const { cores, sizes } = coreFor(3);
    await Promise.all(cores.map((core, nonce) => core.submitGroup([submission(nonce)])));
    expect(sizes).toEqual([3]);
  });

  test('is enough of what one thread has sent', async () => {
    const { cores, sizes } = coreFor(2);
    await Promise.all(cores.map((core) => core.submitGroup(numbered(GROUP_ENOUGH))));
    expect(sizes).toEqual([GROUP_ENOUGH, GROUP_ENOUGH]);
  });

  test('is made of all that came to a single thread while the one before was under way', async () => {
    const {
      cores: [core],
      sizes,
    } = coreFor(1);
    const calls = new FrontCalls((group) => (core as Core).submitGroup(group), FRONT_CALLS_TO_WRITER_MAX);
    await Promise.all(numbered(8).map((each) => calls.submit(each)));
    expect(sizes).toEqual([1, 7]);
  });
});
