import { describe, expect, test } from '@jest/globals';
import { type Costs, onNetwork, onOneMachine, perProcess } from '../cost-model.ts';

const costs: Costs = {
  threadsUs: { main: 100, http: 100, v8: 50, writer: 25 },
  diskBytes: 1024 * 1024,
  httpThreadsScale: true,
};

describe('the cost model', () => {
  test('one core carries all threads', () => {
    expect(onOneMachine(costs, 1)).toMatchObject({ httpThreads: 1, boundBy: 'all cores' });
    expect(onOneMachine(costs, 1).ratePerS).toBeCloseTo(1_000_000 / 275);
  });

  test('HTTP threads are one less than the cores, and bound until the writer does', () => {
    expect(onOneMachine(costs, 4)).toMatchObject({ httpThreads: 3, boundBy: 'all cores' });
    expect(onOneMachine({ ...costs, threadsUs: { main: 200, writer: 25 } }, 4)).toMatchObject({
      boundBy: 'HTTP threads',
      ratePerS: 15_000,
    });
    expect(onOneMachine(costs, 64)).toMatchObject({ httpThreads: 63, boundBy: 'writer', ratePerS: 40_000 });
  });

  test('a build with one HTTP thread is bound by it on any machine', () => {
    const one = { ...costs, httpThreadsScale: false };
    expect(onOneMachine(one, 64)).toMatchObject({ httpThreads: 1, boundBy: 'HTTP threads', ratePerS: 5000 });
  });

  test('says what the disk has to take', () => {
    expect(onOneMachine(costs, 64).diskMibPerS).toBeCloseTo(40_000);
  });

  test('in a network a quarter of the HTTP work falls on each machine, and everything else whole', () => {
    const network = { gateway: { main: 400, core: 100 }, application: { main: 100 }, node: { cometbft: 300 } };
    expect(onNetwork(network, 1, true)).toMatchObject({ boundBy: 'all cores', ratePerS: 1_000_000 / 600 });
    expect(onNetwork(network, 64, true)).toMatchObject({ boundBy: 'application', ratePerS: 10_000 });
  });

  test('what a whole network took becomes that of one process, and the database is bound by its own machine', () => {
    const threadsUs = {
      gateway: { main: 100, gateway: 60 },
      application: { main: 400 },
      node: { cometbft: 1200 },
      postgres: { postgres: 2000 },
    };
    const costs = perProcess({ threadsUs, validators: 4, gateways: 2 });
    expect(costs).toEqual({
      gateway: { main: 100, gateway: 30 },
      application: { main: 100 },
      node: { cometbft: 300 },
      postgres: { postgres: 2000 },
    });
    expect(onNetwork(costs, 1, true)).toMatchObject({ boundBy: 'PostgreSQL', ratePerS: 500 });
  });
});
