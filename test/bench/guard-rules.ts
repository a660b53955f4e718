/** What the guard compares. */
export interface Recorded {
  commit: string;
  recordedAt: string;
  ratios: {
    /** Processor time of a transfer, in verifications by node:crypto. */
    transferInVerifications: number;
    /** Processor time of a read, in raw Express reads of the same bytes. */
    listInExpressReads: number;
    byIdInExpressReads: number;
  };
}

export const MORE_MAX = 0.2;
const PERCENT = 100;

/** @returns a sentence for each ratio that is more than a fifth above the recorded one. */
export function exceeded(ratios: Recorded['ratios'], recorded: Recorded['ratios']): string[] {
  return (Object.keys(recorded) as (keyof Recorded['ratios'])[])
    .filter((name) => !(ratios[name] <= recorded[name] * (1 + MORE_MAX)))
    .map((name) => `${name} is ${ratios[name].toFixed(2)}, recorded is ${recorded[name].toFixed(2)}: ${((ratios[name] / recorded[name] - 1) * PERCENT).toFixed(0)} % more, ${MORE_MAX * PERCENT} % are allowed.`);
}
