/** Pages of the event log: their beginning, and their part of the events that were read. */
import type { EventList, EventListQuery, StoredEvent } from '../../store/event-types.ts';
import { LOG_START } from '../event-place.ts';
import { EVENTS_SCANNED_MAX, HEIGHT_AHEAD_MAX, LIST_LIMIT_MAX } from '../limits.ts';
import { recordOf } from '../records.ts';
import { placeAhead, refuseField } from '../refusals.ts';
import type {
  ChainEvent,
  EventPage,
  EventPlace,
  EventQuery,
  EventTransaction,
  EventType,
  Refusal,
  SettledStatus,
} from '../types.ts';
import { END_OF_BLOCK } from '../event-types.ts';
import type { FailureReason } from '../status-types.ts';
import { decodePlace, encodePlace } from './cursor.ts';

/**
 * Places that a block has in a cursor. A block of the largest size that CometBFT allows, 100 MiB, has fewer than half a million
 * transactions, and each has two places at most.
 */
const PLACES_PER_BLOCK = 2 ** 21;

const STATUS_OF_TYPE: ReadonlyMap<string, SettledStatus> = new Map(
  (['committed', 'failed', 'cancelled', 'expired'] as const).map((status) => [
    `transaction.${status}` satisfies EventType,
    status,
  ]),
);

/** A cursor is of one log, read in one direction from one place with the same filters. */
function listOf(chainId: string, { order, after, account, owner, type, reference, status }: EventQuery): string {
  const start = after === undefined ? '' : [after.height, after.index];
  return JSON.stringify([
    chainId,
    'events',
    order,
    start,
    account ?? '',
    owner ?? '',
    type ?? '',
    reference ?? '',
    status ?? '',
  ]);
}

const placeOf = (place: number): EventPlace => ({
  height: Math.floor(place / PLACES_PER_BLOCK),
  index: place % PLACES_PER_BLOCK,
});

/** The query to run; `nothing` where no event can match; a refusal of the limit or the cursor. */
export function eventListQuery(chainId: string, query: EventQuery): EventListQuery | 'nothing' | Refusal {
  const { limit, order, after, account, owner, type, reference } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_LIMIT_MAX) {
    return refuseField('invalid_request', '#/query/limit', `The parameter limit must be from 1 to ${LIST_LIMIT_MAX}.`);
  }
  const place = query.cursor === undefined ? undefined : decodePlace(listOf(chainId, query), query.cursor);
  if (query.cursor !== undefined && place === undefined) {
    return refuseField(
      'invalid_request',
      '#/query/cursor',
      'The cursor is not one that this log answered. Send nextCursor of the page before unchanged, with the same parameters.',
    );
  }
  const status = type === undefined ? query.status : STATUS_OF_TYPE.get(type);
  if ((type !== undefined && status === undefined) || (query.status !== undefined && query.status !== status))
    return 'nothing';
  const reached = place === undefined ? undefined : placeOf(place);
  const range = order === 'asc' ? { after: reached ?? after } : { after, before: reached };
  return {
    limit,
    order,
    ...range,
    account,
    owner,
    status,
    reference,
    scanMax: Math.min(query.scanMax ?? EVENTS_SCANNED_MAX, EVENTS_SCANNED_MAX),
  };
}

/**
 * A refusal where the query begins further ahead of the last block than a read would wait for. For a place of another chain, or of a time
 * that a restored backup does not have, the answer would otherwise be an empty page, as if there were no events after it.
 */
export function aheadOfLog(chainId: string, query: EventQuery, head: number): Refusal | undefined {
  const reached = query.cursor === undefined ? undefined : decodePlace(listOf(chainId, query), query.cursor);
  const height = Math.max(query.after?.height ?? 0, reached === undefined ? 0 : placeOf(reached).height);
  return height - head > HEIGHT_AHEAD_MAX ? placeAhead(head, height) : undefined;
}

/** `height`: of the last block at the time when the events were read. */
export function eventPage(
  chainId: string,
  query: EventQuery,
  { events, reached, scanned }: EventList,
  height: number,
): EventPage {
  const end: EventPlace = query.order === 'asc' ? { height, index: END_OF_BLOCK } : (query.after ?? LOG_START);
  const page: EventPage = { ok: true, events: events.map(eventOf), height, place: reached ?? end, scanned };
  if (reached !== undefined)
    page.nextCursor = encodePlace(listOf(chainId, query), reached.height * PLACES_PER_BLOCK + reached.index);
  return page;
}

function eventOf({ height, index, blockTimeMs, transfer, voided }: StoredEvent): ChainEvent {
  if (transfer === undefined) {
    const { hash, from, nonce } = voided;
    return {
      height,
      index,
      blockTimeMs,
      type: 'transaction.cancelled',
      transaction: { txHash: hash, from, nonce, status: 'cancelled' },
    };
  }
  const { txHash, from, to, amount, reference, validUntil, status, reason, executedAs } = recordOf(transfer, undefined);
  const settled = status as SettledStatus;
  const transaction: EventTransaction = { txHash, from, to, amount, nonce: transfer.nonce, status: settled };
  if (reference !== undefined) transaction.reference = reference;
  if (validUntil !== undefined) transaction.validUntil = validUntil;
  if (reason !== undefined) transaction.reason = reason as FailureReason;
  if (executedAs !== undefined) transaction.executedAs = executedAs;
  const event: ChainEvent = { height, index, blockTimeMs, type: `transaction.${settled}`, transaction };
  if (transfer.owner !== undefined) event.owner = transfer.owner;
  return event;
}
