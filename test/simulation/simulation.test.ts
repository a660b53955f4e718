/** The simulation itself: a seed is one life, it sees faults that somebody could make, and lives that once failed are lived again. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cases } from '../support/many-cases.ts';
import { Coverage } from './coverage.ts';
import { runLife, stoodStill, type LifeResult } from './life.ts';
import { PLANTED } from './planted.ts';
import { rememberSignatures } from './prepared.ts';

/** Of seed 1. It changes with whatever changes a life: `node test/simulation/run.ts --seed 1` prints the new one. */
const TRACE_OF_SEED_1 = '55abf342d9e3130bf00b1301cd74842dd4282c0763548816b9e648fb950b14ff';
/** A planted fault is seen by one of so many lives; most are by the first. */
const LIVES_FOR_PLANTED = 120;
const LIVES = cases(5, 60);
const TEST_MS_MAX = 240_000;

beforeAll(rememberSignatures);

/** A life is only the one that failed while nothing changes what lives do; what a seed found has a test of its own beside it. */
const failingSeeds = JSON.parse(readFileSync(new URL('failing-seeds.json', import.meta.url), 'utf8')) as {
  seed: number;
  steps: number;
  why: string;
}[];

const live = (seed: number, steps?: number): Promise<LifeResult> =>
  runLife({ seed, coverage: new Coverage(), ...(steps !== undefined && { steps }) });

test(
  'a seed gives one trace, whenever and wherever it is run',
  async () => {
    const one = await live(1);
    await live(2);
    const other = await live(1);
    expect(one.fault).toBeUndefined();
    expect([one.traceHash, other.traceHash]).toEqual([TRACE_OF_SEED_1, TRACE_OF_SEED_1]);
  },
  TEST_MS_MAX,
);

test(
  'lives in which everything fails keep what was promised',
  async () => {
    for (let seed = 1; seed <= LIVES; seed += 1) {
      const result = await live(seed);
      expect({ seed, fault: result.fault?.stack }).toEqual({ seed, fault: undefined });
      expect({ seed, still: stoodStill(result) }).toEqual({ seed, still: undefined });
    }
  },
  TEST_MS_MAX,
);

test.each(failingSeeds)(
  'seed $seed, which once failed: $why',
  async ({ seed, steps }) => {
    expect((await live(seed, steps)).fault?.stack).toBeUndefined();
  },
  TEST_MS_MAX,
);

describe('a fault that somebody plants is seen', () => {
  const quick = ['a group is answered before its commit', 'readers look for a second signature in rows alone'];
  test.each(Object.keys(PLANTED).filter((name) => cases(0, 1) === 1 || quick.includes(name)))(
    '%s',
    async (name) => {
      const undo = PLANTED[name]?.();
      try {
        for (let seed = 1; seed <= LIVES_FOR_PLANTED; seed += 1) if ((await live(seed)).fault !== undefined) return;
      } finally {
        undo?.();
      }
      throw new Error(`${LIVES_FOR_PLANTED} lives did not see it`);
    },
    TEST_MS_MAX,
  );
});
