import { describe, expect, test } from '@jest/globals';

import { balanceChart, type ChartEntry } from '../../server/http/explorer/src/account/balance-chart.ts';

const SIZE = { width: 100, height: 50 };
const entry = (second: number, direction: 'in' | 'out', amount: string, balanceAfter: string): ChartEntry => ({
  blockTime: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
  direction,
  amount,
  balanceAfter,
});
const NOW = '2026-01-01T00:00:21.000Z';

describe('the chart of a balance', () => {
  test('begins with the balance before the first entry and ends with the last one, in steps', () => {
    const chart = balanceChart([entry(0, 'out', '40', '60'), entry(10, 'in', '20', '80')], NOW, SIZE);
    // The span is 5 % longer than from the first entry until now: 22.05 s.
    expect(chart).toMatchObject({
      line: 'M0,0H4.8V50H50.1V25H100',
      min: 60n,
      max: 100n,
      from: entry(0, 'in', '0', '0').blockTime,
      until: NOW,
    });
    expect(chart?.area).toBe('M0,0H4.8V50H50.1V25H100V50H0Z');
  });

  test('keeps amounts apart that no number could', () => {
    const huge = 2n ** 127n;
    const chart = balanceChart([entry(0, 'in', '1', `${huge + 1n}`), entry(20, 'in', '1', `${huge + 2n}`)], NOW, SIZE);
    expect(chart).toMatchObject({ line: 'M0,50H4.8V25H95.5V0H100', min: huge, max: huge + 2n });
  });

  test('of a balance that does not change is a line in the middle', () => {
    expect(balanceChart([entry(0, 'in', '0', '7')], NOW, SIZE)?.line).toBe('M0,25H4.8V25H100');
  });

  test('of no entry is none', () => {
    expect(balanceChart([], NOW, SIZE)).toBeUndefined();
  });
});
