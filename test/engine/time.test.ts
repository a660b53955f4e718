/** Block time keeps its nanoseconds through text and back. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatTime, nsToMs, parseTime, splitNs } from '../../server/engine/encoding/index.ts';

describe('block time', () => {
  test('text is cut like Go cuts it', () => {
    expect(formatTime(1_795_231_831_332_864_781n)).toBe('2026-11-21T03:30:31.332864781Z');
    expect(formatTime(1_795_231_831_300_000_000n)).toBe('2026-11-21T03:30:31.3Z');
    expect(formatTime(1_795_231_831_000_000_000n)).toBe('2026-11-21T03:30:31Z');
    expect(formatTime(1_795_231_831_000_000_001n)).toBe('2026-11-21T03:30:31.000000001Z');
  });

  test('an offset is taken into account', () => {
    expect(parseTime('2026-11-21T05:30:31.5+02:00')).toBe(parseTime('2026-11-21T03:30:31.5Z'));
  });

  test('what is no time is refused', () => {
    for (const text of ['', '2026-11-21', '2026-11-21T03:30:31', '2026-13-21T03:30:31Z', '2026-11-21 03:30:31Z']) {
      expect(parseTime(text)).toBeUndefined();
    }
  });

  test('every time survives its text', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 4_102_444_800_000_000_000n), (ns) => {
        expect(parseTime(formatTime(ns))).toBe(ns);
        expect(nsToMs(ns)).toBe(Number(ns / 1_000_000n));
      }),
    );
  });

  test('times before the epoch split towards the past', () => {
    expect(splitNs(-1n)).toEqual({ seconds: -1n, nanos: 999_999_999 });
  });
});
