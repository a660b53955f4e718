/** What a list of transfers asks of a store, and what it gets. */
import type { TransactionStatus } from '../gateway/types.ts';
import type { StoredAccount } from './account-types.ts';
import type { StoredTransfer } from './transfer-types.ts';

/** One side, or both, of the transfers that a list asks for. */
export interface ListSide {
  fromId?: number;
  toId?: number;
}

export interface TransferListQuery {
  /** Rows below this seq only. */
  before?: number;
  limit: number;
  status?: TransactionStatus;
  /** Any of these; absent for all transfers. */
  sides?: readonly ListSide[];
  /** Only with one side that has a sender: then a handful of transfers at most are in question. */
  nonce?: number;
  /** Exactly this one. */
  reference?: string;
  /** Of these rows only; of both without it. */
  of?: RowsOf;
}

/** What no block has decided, or what one has. */
export type RowsOf = 'pending' | 'settled';

export interface TransferList {
  /** Newest first. May be shorter than the limit although more follow. */
  transfers: StoredTransfer[];
  /** Where the next page begins; absent on the last. */
  nextBefore?: number;
}

/** Undefined: nothing can match. `accounts`: those of the addresses that are known. */
export type ListQueryOf = (accounts: readonly StoredAccount[]) => TransferListQuery | undefined;
