/** The contract's Event: in pages, as the data of a server-sent event, and as the body of a webhook, each time the same. */
import { placeText } from './event-place.ts';
import type { EventPlace } from './event-types.ts';

/** `blockTimeMs` is the header time of the block, milliseconds since 1970; `timestamp` is the same as RFC 3339. */
export function eventDocument<Type extends string, Transaction>({
  height,
  index,
  type,
  blockTimeMs,
  transaction,
}: EventPlace & { type: Type; blockTimeMs: number; transaction: Transaction }) {
  return {
    id: placeText({ height, index }),
    type,
    timestamp: new Date(blockTimeMs).toISOString(),
    data: { height, index, transaction },
  };
}
