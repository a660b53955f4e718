import { describe, expect, test } from '@jest/globals';
import { percentile, rounded, spread } from '../measure/statistics.ts';
import { figuresOf, limitKey, ratiosOf } from '../report/summary.ts';
import type { PhaseRow } from '../report/result.ts';

describe('statistics', () => {
  test('the spread of an odd and of an even number of values, in any order', () => {
    expect(spread([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spread([10, 1, 4, 2])).toEqual({ min: 1, median: 3, max: 10 });
    expect(spread([-1, 100, 20])).toEqual({ min: -1, median: 20, max: 100 });
  });

  test('nothing has no spread and no percentile', () => {
    expect(() => spread([])).toThrow('no values');
    expect(() => percentile([], 0.5)).toThrow('no values');
  });

  test('percentiles are of the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile([7], 0.01)).toBe(7);
    expect(percentile([1, 2, 3], 0.99)).toBe(3);
  });

  test('four digits are kept', () => {
    expect(rounded(123_456)).toBe(123_500);
    expect(rounded(0.000_123_456)).toBe(0.000_123_5);
  });
});

const row = (fields: Partial<PhaseRow>): PhaseRow => ({
  round: 0,
  build: 'this',
  scenario: 'post-32',
  attempt: 0,
  void: [],
  counts: true,
  ...fields,
});

describe('comparisons', () => {
  test('a ratio is of phases of one round, and its spread that of the ratios', () => {
    const phases = [
      row({ cpuUs: 100 }),
      row({ build: 'other', cpuUs: 400 }),
      // The machine was half as fast in this round: the ratio is the same.
      row({ round: 1, build: 'other', cpuUs: 800 }),
      row({ round: 1, cpuUs: 200 }),
      row({ round: 2, cpuUs: 100 }),
      row({ round: 2, build: 'other', cpuUs: 100 }),
    ];
    expect(ratiosOf(phases, 'this', 'other')['post-32']?.['cpuUs']).toEqual({ min: 0.25, median: 0.25, max: 1 });
  });

  test('a void phase counts nowhere, and its round has no ratio', () => {
    const phases = [
      row({ cpuUs: 100 }),
      row({ build: 'other', cpuUs: 1, counts: false, void: ['1 refused'] }),
      row({ round: 1, cpuUs: 100 }),
      row({ round: 1, build: 'other', cpuUs: 200 }),
    ];
    expect(ratiosOf(phases, 'this', 'other')['post-32']?.['cpuUs']).toEqual({ min: 0.5, median: 0.5, max: 0.5 });
    expect(figuresOf(phases, {})['other']?.['post-32']?.['cpuUs']).toEqual({ min: 200, median: 200, max: 200 });
  });

  test('a phase stands beside the limit, raw Express and the peers of its own round', () => {
    const phases = [
      row({ ratePerS: 5000, cpuUs: 150, p50Ms: 6 }),
      row({ build: 'express', ratePerS: 20_000, cpuUs: 50, p50Ms: 1 }),
      row({ build: 'anvil', scenario: 'eth_sendRawTransaction', ratePerS: 2500 }),
      row({ round: 1, build: 'express', ratePerS: 1, cpuUs: 1, p50Ms: 100 }),
    ];
    const limit = { oneCorePerS: 10_000, allCoresPerS: 20_000, cores: 2, cpuUs: 75 };
    const figures = figuresOf(phases, { [limitKey(0, 'post-32')]: limit })['this']!['post-32']!;
    const medians = Object.fromEntries(Object.entries(figures).map(([name, { median }]) => [name, median]));
    expect(medians).toMatchObject({
      ofOneCore: 0.5,
      ofAllCores: 0.25,
      verifications: 2,
      ofExpressRate: 0.25,
      p50AboveExpressMs: 5,
      ofAnvil: 2,
    });
    expect(medians['ofExpressCpu']).toBeCloseTo(1 / 3, 3);
  });
});
