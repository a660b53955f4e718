/** The buckets of what is measured on the writer's thread. */
import { describe, expect, test } from '@jest/globals';
import { DURATION_BUCKETS_S, Durations } from '../../server/app/durations.ts';
import { gatewayFamilies } from '../../server/http/gateway-metrics.ts';
import type { GatewayMetrics } from '../../server/gateway/types.ts';

describe('durations', () => {
  test('each is counted in the first bucket that holds it, and the last takes what is longer than all', () => {
    const durations = new Durations();
    for (const ms of [0, 0.1, 0.11, 5, 6, 5_000, 5_001]) durations.observe(ms);
    const { counts, sumS } = durations.figures();
    expect(counts).toHaveLength(DURATION_BUCKETS_S.length + 1);
    expect(counts).toEqual([2, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(sumS).toBeCloseTo(10.01221, 9);
  });

  test('are shown as a histogram whose buckets add up', () => {
    const commits = new Durations();
    for (const ms of [0.05, 0.2, 7_000]) commits.observe(ms);
    const families = gatewayFamilies({
      store: { commits: { group: commits.figures() }, checkpoints: {} },
    } as unknown as GatewayMetrics);
    const family = families.find(({ name }) => name === 'txledger_commit_duration_seconds');
    expect(
      family?.values.filter(({ metricName }) => metricName?.endsWith('_bucket')).map(({ value }) => value),
    ).toEqual([1, ...Array.from({ length: 14 }, () => 2), 3]);
    expect(family?.values.slice(-2)).toEqual([
      { metricName: 'txledger_commit_duration_seconds_sum', value: 7.00025, labels: { commit: 'group' } },
      { metricName: 'txledger_commit_duration_seconds_count', value: 3, labels: { commit: 'group' } },
    ]);
    expect(families.some(({ name }) => name === 'txledger_checkpoint_duration_seconds')).toBe(false);
  });
});
