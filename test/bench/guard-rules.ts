/** What the guard remembers, and by what it judges. */

/** Processor time of an operation in units of a baseline of the same run. */
export interface Costs {
  /** Of a transfer, in verifications by node:crypto. */
  transferInVerifications: number;
  /** Of a read, in raw Express reads of the same bytes. */
  listInExpressReads: number;
  byIdInExpressReads: number;
}

export interface Recorded {
  /** The build that later ones are compared with. */
  commit: string;
  recordedAt: string;
  /** What it cost where it was recorded: for people, and for a clone that does not have the commit. */
  ratios: Costs;
}

/** Processor time of each guarded scenario, this build / the recorded one, of neighbouring phases of one run. */
export type Beside = Record<string, number>;

export const MORE_MAX = 0.2;
/**
 * Without the recorded build only its numbers are left, from another machine: a transfer there took 28 % more verifications, and a list 23 % more
 * Express reads, than the very same build where it was recorded.
 */
export const MORE_ELSEWHERE_MAX = 0.6;
const PERCENT = 100;

/** @returns a sentence for each scenario that takes more than a fifth more than the recorded build beside it. */
export function dearer(beside: Beside): string[] {
  return Object.entries(beside)
    .filter(([, ratio]) => !(ratio <= 1 + MORE_MAX))
    .map(
      ([name, ratio]) =>
        `${name} takes ${percentMore(ratio)} more processor time than the recorded build in the same run, ${MORE_MAX * PERCENT} % are allowed.`,
    );
}

/** @returns a sentence for each cost that is far above the recorded one. */
export function dearerThanRecorded(costs: Costs, recorded: Costs): string[] {
  return (Object.keys(recorded) as (keyof Costs)[])
    .filter((name) => !(costs[name] <= recorded[name] * (1 + MORE_ELSEWHERE_MAX)))
    .map(
      (name) =>
        `${name} is ${costs[name].toFixed(2)}, recorded is ${recorded[name].toFixed(2)}: ${percentMore(costs[name] / recorded[name])} more, ${MORE_ELSEWHERE_MAX * PERCENT} % are allowed on another machine.`,
    );
}

function percentMore(ratio: number): string {
  return `${((ratio - 1) * PERCENT).toFixed(0)} %`;
}
