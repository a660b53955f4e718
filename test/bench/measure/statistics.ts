/** The few statistics that the reports use. All throw on an empty list: a number of nothing must not look like one. */
export interface Spread {
  min: number;
  median: number;
  max: number;
}

/** @param sorted in rising order. @param share 0 to 1. The value below which so large a share of all lies (nearest rank). */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new RangeError('no values');
  const rank = Math.max(1, Math.ceil(sorted.length * share));
  return sorted[rank - 1] as number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('no values');
  const median = sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
  return { min: sorted[0]!, median, max: sorted.at(-1)! };
}

/** Rounded for people and for files: four significant digits say all that such a measurement knows. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

export function roundedSpread({ min, median, max }: Spread): Spread {
  return { min: rounded(min), median: rounded(median), max: rounded(max) };
}
