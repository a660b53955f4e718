/**
 * The texts of one topic for one delivery, cut so that no stream ever holds much. A part that is the same for all streams is one buffer.
 */
import { comparePlaces } from '../../gateway/event-place.ts';
import type { ChainEvent, EventPlace } from '../../gateway/types.ts';
import { EVENT_STREAM_PIECE_BYTES_MAX } from '../limits.ts';

export interface Piece {
  readonly first: EventPlace;
  readonly last: EventPlace;
  readonly count: number;
  readonly bytes: Buffer;
  /** The part after a place, for a stream that has the beginning already; undefined if that part is empty. */
  after(place: EventPlace): { bytes: Buffer; count: number } | undefined;
}

/** @param textOf returns the same text for an event at every call. */
export function cutIntoPieces(events: readonly ChainEvent[], textOf: (event: ChainEvent) => string): Piece[] {
  const pieces: Piece[] = [];
  let part: ChainEvent[] = [];
  let chars = 0;
  for (const event of events) {
    const { length } = textOf(event);
    if (part.length > 0 && chars + length > EVENT_STREAM_PIECE_BYTES_MAX) {
      pieces.push(pieceOf(part, textOf));
      part = [];
      chars = 0;
    }
    part.push(event);
    chars += length;
  }
  if (part.length > 0) pieces.push(pieceOf(part, textOf));
  return pieces;
}

function pieceOf(events: readonly ChainEvent[], textOf: (event: ChainEvent) => string): Piece {
  const bytesOf = (part: readonly ChainEvent[]): Buffer => Buffer.from(part.map(textOf).join(''));
  return {
    first: events[0] as ChainEvent,
    last: events.at(-1) as ChainEvent,
    count: events.length,
    bytes: bytesOf(events),
    after: (place) => {
      const left = events.filter((event) => comparePlaces(event, place) > 0);
      return left.length === 0 ? undefined : { bytes: bytesOf(left), count: left.length };
    },
  };
}
