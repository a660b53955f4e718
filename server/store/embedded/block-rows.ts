/** Changes of a block beside the chain itself: as the ledger thread decides them, and as they are written into chain.db. */
import type { LogPlace } from '../../log/log.ts';
import type { BlockEvents } from '../event-types.ts';
import type { AuditEntry, StoredTransfer } from '../types.ts';
import type { JournaledTransfer } from './journal.ts';

/** A transfer as it is after a block. */
export interface TransferRow {
  transfer: StoredTransfer;
  /** Its place among the block's transactions, where one executed it. */
  position?: number | undefined;
  tokenId?: string | undefined;
  cancelOwner?: string | undefined;
  cancelTokenId?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** Changes of one block beside the chain itself. */
export interface BlockRows {
  /**
   * Transfers that were settled or changed since the last block, where that differs from their group's entry; those of groups since then
   * first.
   */
  changed: readonly TransferChange[];
  /** Not submitted here: the block brought them. */
  seen: readonly TransferRow[];
  events: BlockEvents;
  /** Time that this service has been running on this chain. */
  uptimeMs: number;
  /** Entries of the block for the audit trail. */
  audit: readonly AuditEntry[];
}

/** The same as it is written into chain.db. */
export interface BlockWrite {
  /** Not written before, by seq. */
  added: readonly TransferRow[];
  changed: readonly TransferChange[];
  events: BlockEvents;
  uptimeMs: number;
  /** The last entry of the log that is in chain.db with this block: its own. */
  place: LogPlace;
}

/** State of a transfer of this service after a block, beside what its group's entry has. */
export type TransferChange = Omit<TransferRow, 'transfer' | 'tokenId' | 'idempotencyKey'> & {
  transfer: Pick<
    StoredTransfer,
    | 'seq'
    | 'status'
    | 'reason'
    | 'reasonHash'
    | 'executedAs'
    | 'broadcastAtMs'
    | 'cancelRequestedAtMs'
    | 'expiryRequestedAtMs'
    | 'height'
    | 'blockTimeMs'
  >;
};

/** Fields that its bytes are made of. */
export type SignedTransfer = Pick<
  JournaledTransfer,
  'from' | 'to' | 'amount' | 'nonce' | 'reference' | 'validUntil' | 'signature'
>;
