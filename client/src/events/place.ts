/** A place in the log of events: the end of a block, or one event of it. The log is ordered by height and index. */
import type { EventQuery, LedgerEvent } from '../contract.ts';

export interface Place {
  readonly height: number;
  /** Infinity: all events of the block. */
  readonly index: number;
}

/** A place up to which the log has been read, with the event at it, if there is one. */
export interface Told {
  readonly place: Place;
  readonly event?: LedgerEvent;
}

/** The filter of events. */
export type EventFilter = Pick<EventQuery, 'account' | 'owner' | 'type' | 'reference' | 'status'>;

/** `HEIGHT` or `HEIGHT-INDEX`; undefined when it is neither. */
export function readPlace(text: unknown): Place | undefined {
  const [, height, index] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(String(text)) ?? [];
  return height ? { height: Number(height), index: index ? Number(index) : Infinity } : undefined;
}

export function isBehind(one: Place, other: Place): boolean {
  return one.height === other.height ? one.index > other.index : one.height > other.height;
}

/** The place as a value of the parameter `after`. */
export function placeText({ height, index }: Place): string {
  return index === Infinity ? `${height}` : `${height}-${index}`;
}
