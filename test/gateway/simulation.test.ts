/**
 * Random lives of the gateway: what was promised is kept, whatever clients, outsiders, mempool and crashes do.
 *
 * GATEWAY_SEEDS and GATEWAY_FIRST_SEED run more lives (as MANY_CASES does), or a failing one again.
 */
import { expect, test } from '@jest/globals';
import { ChainWorld } from './support/chain-world.ts';
import { ON_CHAIN } from './support/fixture-store.ts';
import { LoneWorld } from './support/lone-world.ts';
import { Simulation } from './support/simulation.ts';
import { cases } from '../support/many-cases.ts';

const SEEDS = Number(process.env['GATEWAY_SEEDS'] ?? cases(2, 12));
const FIRST_SEED = Number(process.env['GATEWAY_FIRST_SEED'] ?? 1);
/** Fewer lives need not meet everything. */
const SEEDS_FOR_ALL_OUTCOMES = 8;
const STEPS = 250;
const TEST_MS_MAX = 240_000;

const outcomes = new Set<string>();

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))(
  'seed %i: nothing acknowledged is lost, nothing runs twice, nothing cancelled commits, no terminal status changes',
  async (seed) => {
    const simulation = new Simulation(seed, ON_CHAIN ? ChainWorld.open : LoneWorld.open);
    await simulation.run(STEPS);
    // A life in which nothing happened would prove nothing.
    expect(simulation.promises).toBeGreaterThan(50);
    expect(simulation.crashes).toBeGreaterThan(3);
    for (const outcome of simulation.outcomes) outcomes.add(outcome);
  },
  TEST_MS_MAX,
);

(SEEDS < SEEDS_FOR_ALL_OUTCOMES ? test.skip : test)('together these lives met every outcome there is', () => {
  const all = [
    'cancelled',
    'committed',
    'committed executed_as',
    'expired',
    'expired time_to_live',
    'expired validity_passed',
    'failed insufficient_funds',
    'failed nonce_superseded',
    'unknown void',
  ];
  expect([...outcomes]).toEqual(expect.arrayContaining(all));
});
