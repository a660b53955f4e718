import type { Misbehavior } from './evidence.ts';

/** Facts about a block that the rules use, beside the state before it. The ledger has no clock: time is the header's. */
export interface BlockContext {
  /** Height of the block itself, from 1. */
  readonly height: number;
  /** Time of its header, in nanoseconds since 1970. Header times only grow along a chain. */
  readonly timeNs: bigint;
  /** Evidence that the block carries; absent where it carries none. */
  readonly misbehavior?: readonly Misbehavior[];
}

const NS_PER_SECOND = 1_000_000_000n;

/** True when a block of this time is too late for a transfer that is valid until this second, inclusive (Unix time). */
export function isPast(validUntil: number, timeNs: bigint): boolean {
  return timeNs > BigInt(validUntil) * NS_PER_SECOND;
}

/** The greatest validUntil for which a block of this time is too late: `isPast` of it and of all before it. */
export function lastPast(timeNs: bigint): number {
  return Number((timeNs - 1n) / NS_PER_SECOND);
}

/** Context for checks of transactions that wait for the block after `last`: its time is not fixed yet, and not before that of `last`. */
export function blockAfter(last: BlockContext): BlockContext {
  return { height: last.height + 1, timeNs: last.timeNs };
}
