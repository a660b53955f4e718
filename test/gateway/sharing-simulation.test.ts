/**
 * Random lives of several gateways on one database: they keep what one alone promises, and answer the same.
 *
 * GATEWAY_SEEDS and GATEWAY_FIRST_SEED run more lives, or a failing one again.
 */
import { expect, test } from '@jest/globals';
import { SharedWorld } from './support/shared-world.ts';
import { Simulation } from './support/simulation.ts';
import { cases } from '../support/many-cases.ts';

const SEEDS = Number(process.env['GATEWAY_SEEDS'] ?? cases(4, 12));
const FIRST_SEED = Number(process.env['GATEWAY_FIRST_SEED'] ?? 1);
const STEPS = 120;
const TEST_MS_MAX = 60_000;

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))(
  'seed %i: nothing acknowledged is lost, nothing runs twice, nothing cancelled commits, all answer the same',
  async (seed) => {
    const simulation = new Simulation(seed, SharedWorld.open);
    await simulation.run(STEPS);
    // A life in which nothing happened would prove nothing.
    expect(simulation.promises).toBeGreaterThan(20);
    expect(simulation.crashes).toBeGreaterThan(1);
  },
  TEST_MS_MAX,
);
