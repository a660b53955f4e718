/** The event log as the stores keep it: rows are added with the block that settled them, and never changed. */
import type { EventPlace, SettledStatus } from '../gateway/types.ts';
import type { StoredTransfer } from './transfer-types.ts';

/** A nonce that a cancel voided while no transfer of this store was pending at it. */
export interface VoidedNonce {
  from: string;
  nonce: number;
  /** The transfer that the cancel names. */
  hash: string;
}

/** Result of `voidByHash`. */
export type UnknownVoidAt = Pick<VoidedNonce, 'from' | 'nonce'> & { height: number };

/** A transfer at its place among the events of its block, or a nonce that was voided with no transfer of this store. */
export type EventRow =
  | { index: number; seq: number; voided?: undefined }
  | { index: number; seq?: undefined; voided: VoidedNonce };

/** Events that a block adds to the log. */
export interface BlockEvents {
  height: number;
  blockTimeMs: number;
  rows: readonly EventRow[];
}

/** The fields of a transfer in an event. */
export type EventTransfer = Pick<
  StoredTransfer,
  | 'hash'
  | 'from'
  | 'to'
  | 'nonce'
  | 'reference'
  | 'validUntil'
  | 'status'
  | 'reason'
  | 'reasonHash'
  | 'executedAs'
  | 'firstSeenAtMs'
  | 'cancelRequestedAtMs'
  | 'expiryRequestedAtMs'
  | 'height'
  | 'blockTimeMs'
  | 'owner'
> & { amount: bigint | string };

export type StoredEvent = EventPlace & { blockTimeMs: number } & (
    | { transfer: EventTransfer; voided?: undefined }
    | { transfer?: undefined; voided: VoidedNonce }
  );

export interface EventListQuery {
  limit: number;
  order: 'asc' | 'desc';
  /** Events after this place only. */
  after?: EventPlace | undefined;
  /** Events before this place only. */
  before?: EventPlace | undefined;
  /** Either side. */
  account?: string | undefined;
  owner?: string | undefined;
  status?: SettledStatus | undefined;
  reference?: string | undefined;
  /** Rows that a list with filters reads. */
  scanMax: number;
}

export interface EventList {
  /** In the requested order. May be shorter than the limit, or empty, although more follow. */
  events: StoredEvent[];
  /** The last place that was read; absent when nothing follows. */
  reached?: EventPlace;
  /** Rows that were read. */
  scanned: number;
}

export const hasFilters = ({ account, owner, status, reference }: EventListQuery): boolean =>
  account !== undefined || owner !== undefined || status !== undefined || reference !== undefined;
