import { describe, expect, test } from '@jest/globals';
import { dearer, dearerThanRecorded, MORE_ELSEWHERE_MAX } from '../guard-rules.ts';

describe('beside the recorded build', () => {
  test('a fifth more passes, and anything less', () => {
    expect(dearer({ 'post-32': 1.199, list10: 1, byId: 0.4 })).toEqual([]);
  });

  test('names each operation that takes more, and by how much', () => {
    const complaints = dearer({ 'post-32': 1.25, list10: 1.1, byId: 1.31 });
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toContain('post-32 takes 25 % more processor time');
  });

  test('a ratio that is no number fails', () => {
    expect(dearer({ 'post-32': Number.NaN })).toHaveLength(1);
  });
});

describe('beside the numbers of another machine', () => {
  const recorded = { transferInVerifications: 2, listInExpressReads: 1.5, byIdInExpressReads: 1 };

  test('names what is far above', () => {
    const complaints = dearerThanRecorded(
      { ...recorded, transferInVerifications: 2 * (1 + MORE_ELSEWHERE_MAX) + 0.2 },
      recorded,
    );
    expect(complaints).toEqual([
      expect.stringContaining('transferInVerifications is 3.40, recorded is 2.00: 70 % more'),
    ]);
  });

  test('lets pass what another machine makes of the same build', () => {
    expect(
      dearerThanRecorded({ transferInVerifications: 2.6, listInExpressReads: 1.85, byIdInExpressReads: 1.1 }, recorded),
    ).toEqual([]);
  });
});
