/** Places in the event log as text and as numbers, and their order. */
import type { EventPlace } from './event-types.ts';
import { END_OF_BLOCK } from './event-types.ts';

export const EVENT_PLACE_PATTERN = /^(0|[1-9][0-9]{0,15})(?:-(0|[1-9][0-9]{0,15}))?$/;

/** Before the first event. */
export const LOG_START: EventPlace = { height: 0, index: END_OF_BLOCK };

/** `HEIGHT-INDEX`; the height alone for the end of its block. */
export function placeText({ height, index }: EventPlace): string {
  return index === END_OF_BLOCK ? String(height) : `${height}-${index}`;
}

/** Undefined when the text is not a place. */
export function parsePlace(text: string): EventPlace | undefined {
  const parts = EVENT_PLACE_PATTERN.exec(text);
  if (parts === null) return undefined;
  const height = Number(parts[1]);
  const index = parts[2] === undefined ? END_OF_BLOCK : Number(parts[2]);
  return Number.isSafeInteger(height) && Number.isSafeInteger(index) ? { height, index } : undefined;
}

/** Less than 0 when `a` comes first, as a comparison for sorting. */
export function comparePlaces(a: EventPlace, b: EventPlace): number {
  return a.height - b.height || a.index - b.index;
}
