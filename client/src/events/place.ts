/** A place in the log of events: all of a block, or an event of it. The log's order is that of height and index. */
import type { EventQuery, LedgerEvent } from '../contract.ts';

export interface Place {
  readonly height: number;
  /** Infinity: all events of the block. */
  readonly index: number;
}

/** How far the log has been told, with the event that is there, if it is an event. */
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

/** As the parameter `after` has it. */
export function placeText({ height, index }: Place): string {
  return index === Infinity ? `${height}` : `${height}-${index}`;
}
