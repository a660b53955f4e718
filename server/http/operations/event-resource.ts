/** An event as the contract shows it: in pages, as the data of a server-sent event, and as the body of a webhook. */
import { placeText } from '../../gateway/event-place.ts';
import type { ChainEvent } from '../../gateway/types.ts';
import { timestamp } from '../timestamp.ts';
import type { Schemas } from '../typed/types.ts';

export function eventResource({ height, index, type, blockTimeMs, transaction }: ChainEvent): Schemas['Event'] {
  return { id: placeText({ height, index }), type, timestamp: timestamp(blockTimeMs), data: { height, index, transaction } as Schemas['EventData'] };
}
