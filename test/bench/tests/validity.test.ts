import { describe, expect, test } from '@jest/globals';
import { counts, LOADER_CORES_MAX, OTHERS_CORES_MAX, voidBecause } from '../measure/validity.ts';

const quiet = { refused: 0, loaderCores: LOADER_CORES_MAX, othersCores: OTHERS_CORES_MAX };

describe('when a phase is void', () => {
  test('not at the bounds themselves', () => {
    expect(voidBecause(quiet)).toEqual([]);
  });

  test.each([
    ['one refusal', { refused: 1 }, '1 refused'],
    ['a loader above 0.85 core', { loaderCores: 0.86 }, 'the loader took 0.86 cores'],
    ['others above 0.3 core', { othersCores: 0.31 }, 'others took 0.31 cores'],
  ])('%s', (_, change, reason) => {
    expect(voidBecause({ ...quiet, ...change })).toEqual([reason]);
    expect(counts(voidBecause({ ...quiet, ...change }), { ...quiet, ...change }, false)).toBe(false);
  });

  test('noise can be allowed, refusals cannot', () => {
    const noisy = { ...quiet, othersCores: 1.5 };
    expect(counts(voidBecause(noisy), noisy, true)).toBe(true);
    const refused = { ...noisy, refused: 1 };
    expect(counts(voidBecause(refused), refused, true)).toBe(false);
  });
});
