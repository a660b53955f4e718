/** Types of the event log: the decisions of blocks about transfers, in the order of the chain. */
import type { FailureReason, TransactionStatus } from './status-types.ts';

export type SettledStatus = Exclude<TransactionStatus, 'pending'>;
export type EventType = `transaction.${SettledStatus}`;

/** Every type that an event of the log has. */
export const EVENT_TYPES: readonly EventType[] = [
  'transaction.committed',
  'transaction.failed',
  'transaction.cancelled',
  'transaction.expired',
];

/** A place in the log. `index` END_OF_BLOCK is after the last event of a block. */
export interface EventPlace {
  height: number;
  index: number;
}

/** After every event that a block can have. */
export const END_OF_BLOCK = Number.MAX_SAFE_INTEGER;

/** The transfer after its block. `to` and `amount` are missing where a cancel voided a nonce whose transfer this service never saw. */
export interface EventTransaction {
  txHash: string;
  from: string;
  to?: string;
  amount?: string;
  nonce: number;
  reference?: string;
  validUntil?: number;
  status: SettledStatus;
  /** Only of `failed`. */
  reason?: FailureReason;
  executedAs?: string;
}

/** A fact that a block decided. */
export interface ChainEvent extends EventPlace {
  /** Header time of the block, milliseconds since 1970. */
  blockTimeMs: number;
  type: EventType;
  transaction: EventTransaction;
  /** Owner that submitted the transfer to this service; absent when none did. */
  owner?: string;
}

export interface EventQuery {
  /** 1 to LIST_LIMIT_MAX. */
  limit: number;
  order: 'asc' | 'desc';
  /** Only events after this place. */
  after?: EventPlace | undefined;
  /** Cursor of the previous page; every other member except `limit` must be the same. */
  cursor?: string | undefined;
  /** Either side. */
  account?: string | undefined;
  /** Owner that submitted the transfer here. */
  owner?: string | undefined;
  /** A type that does not exist matches nothing. */
  type?: string | undefined;
  reference?: string | undefined;
  status?: SettledStatus | undefined;
  /** Rows to read where there are filters; EVENTS_SCANNED_MAX at most, which is the default. */
  scanMax?: number | undefined;
}

export interface EventPage {
  ok: true;
  events: ChainEvent[];
  /** The last block that the page takes into account. */
  height: number;
  /** Absent on the last page. With filters a page may be empty and have one. */
  nextCursor?: string;
  /** The place up to which the page was read: with `order` asc and the same filters, the next events are after this place. */
  place: EventPlace;
  /** Rows that were read to make the page. */
  scanned: number;
}
