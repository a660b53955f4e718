/**
 * Reads of chain.db: what was accepted, also since the last block, as of the moment of each call.
 *
 * A transfer is in the journal until the next block, and in rows from then on. The reader keeps the journal's entries as its tail and brings
 * it up to date at the start of each read, inside the read's snapshot: what was acknowledged before a call began is in its answer.
 * Each thread has a reader of its own, on a connection of its own. Every method throws StoreUnavailableError when SQLite does not answer.
 */
import type { TransactionStatus } from '../../gateway/types.ts';
import type { StoredTransfer } from '../types.ts';
import type { ChainConnection } from './connection.ts';
import type { JournalEntry } from './journal.ts';

/** A transfer as lists need it: the amount as the text that the row holds, and nothing that only a broadcast needs. */
export type ListedTransfer = Omit<StoredTransfer, 'amount' | 'signature' | 'owner' | 'seenBlockMs' | 'seenUptimeMs' | 'broadcastAtMs'> & { amount: string };

/** One side, or both, of the transfers that a list asks for, by address. */
export interface AddressSide {
  from?: string | undefined;
  to?: string | undefined;
}

export interface ChainListQuery {
  /** 1 or more. */
  limit: number;
  /** Transfers below this seq only. */
  before?: number | undefined;
  status?: TransactionStatus | undefined;
  /** Any of these, two at most; absent for all transfers. */
  sides?: readonly AddressSide[] | undefined;
  /** Only with one side that has a sender. */
  nonce?: number | undefined;
}

export interface ChainList {
  /** Newest first. May be shorter than the limit, or empty, although more follow. */
  transfers: ListedTransfer[];
  /** Where the next page begins; absent on the last. */
  nextBefore?: number;
}

export interface ChainAccount {
  balance: bigint;
  /** The nonce that the chain expects next. */
  nonce: number;
  /** Bit i stands for nonce + i. */
  voids: bigint;
  /** The lowest nonce that is neither void nor held by a pending transfer. */
  free: number;
}

export interface ChainTip {
  /** 0 before the first block. */
  height: number;
  /** Upper-case hex; empty at height 0. */
  hash: string;
  /** Header time; the genesis time at height 0. */
  blockTimeMs: number;
}

/** A row that is pending, with the tokens that only the operator asks for. */
export interface PendingRow {
  transfer: StoredTransfer;
  /** The token that submitted it. */
  tokenId: string | undefined;
  /** The token that asked for its cancel. */
  cancelTokenId: string | undefined;
}

/** The nonce that everything behind it waits for: the lowest that is neither void nor held by a pending transfer without a cancel requested. */
export type GapOfAddress = (address: string) => number;

export class ChainReader {
  constructor(sql: ChainConnection) {
    void sql;
  }

  /** Runs several calls on one snapshot. */
  snapshot<T>(work: () => T): T {
    return work();
  }

  /** Takes up what was accepted since the last read, so that the next one finds less to do. Call it on a timer. */
  refresh(): void {}

  /** By its own hash or by the hash it was executed as; 64 upper-case hex digits. */
  transferByHash(hash: string): StoredTransfer | undefined {
    throw new Error(`to be written: ${hash}`);
  }

  /** Pages joined are the full list. What one call costs does not depend on depth or history: it may answer a short page. */
  list(query: ChainListQuery): ChainList {
    throw new Error(`to be written: ${query.limit}`);
  }

  /** The zero account for an address without one. */
  account(address: string): ChainAccount {
    throw new Error(`to be written: ${address}`);
  }

  /** How far the sender's pending transfers can execute one after the other; the account's nonce for a sender without any. */
  gapOf(address: string): number {
    throw new Error(`to be written: ${address}`);
  }

  tip(): ChainTip {
    throw new Error('to be written');
  }

  /** Rows that are pending, by seq. What stands in the journal is not among them: `journal()` has it. */
  pendingRows(): PendingRow[] {
    throw new Error('to be written');
  }

  /** The entries of the journal, oldest first. */
  journal(): JournalEntry[] {
    throw new Error('to be written');
  }

  /** Rows at this (sender, nonce), whatever their status, newest first. Rows only: the writer has the journal in memory. */
  slots(fromId: number, nonce: number): StoredTransfer[] {
    throw new Error(`to be written: ${fromId} ${nonce}`);
  }

  /** The row that this owner's Idempotency-Key belongs to. Rows only. */
  keyed(owner: string, key: string): StoredTransfer | undefined {
    throw new Error(`to be written: ${owner} ${key}`);
  }
}

