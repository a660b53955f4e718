import { describe, expect, test } from '@jest/globals';
import { exceeded } from '../guard-rules.ts';

const recorded = { transferInVerifications: 2, listInExpressReads: 1.5, byIdInExpressReads: 1 };

describe('the guard', () => {
  test('lets a fifth more pass, and anything less', () => {
    expect(exceeded(recorded, recorded)).toEqual([]);
    expect(exceeded({ transferInVerifications: 2.399, listInExpressReads: 1.79, byIdInExpressReads: 0.1 }, recorded)).toEqual([]);
  });

  test('names each ratio that is more, and by how much', () => {
    const complaints = exceeded({ ...recorded, transferInVerifications: 2.5, byIdInExpressReads: 1.3 }, recorded);
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toContain('transferInVerifications is 2.50, recorded is 2.00: 25 % more');
  });

  test('a ratio that is no number fails', () => {
    expect(exceeded({ ...recorded, listInExpressReads: Number.NaN }, recorded)).toHaveLength(1);
  });
});
