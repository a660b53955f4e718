/** The body of a message that tells of an event. */
import { placeText } from '../../event-place.ts';
import type { DeliveredEvent } from './ports.ts';

/** The contract's Event, byte for byte the same in every repetition: what is in it never changes. */
export function eventBody({ height, index, type, blockTimeMs, transaction }: DeliveredEvent): string {
  return JSON.stringify({ id: placeText({ height, index }), type, timestamp: new Date(blockTimeMs).toISOString(), data: { height, index, transaction } });
}
