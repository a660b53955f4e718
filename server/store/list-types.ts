/** Query of a list of transfers, and its result. */
import type { TransactionStatus } from '../gateway/types.ts';
import type { StoredAccount } from './account-types.ts';
import type { StoredTransfer } from './transfer-types.ts';

/** One side, or both, of the transfers of a list. */
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
  /** Restricts the list to these rows; absent: both. */
  of?: RowsOf;
}

/** Undecided transfers, or those that a block has decided. */
export type RowsOf = 'pending' | 'settled';

export interface TransferList {
  /** Newest first. May be shorter than the limit although more follow. */
  transfers: StoredTransfer[];
  /** Beginning of the next page; absent on the last. */
  nextBefore?: number;
}

/** Undefined: nothing can match. `accounts`: those of the addresses that the store has. */
export type ListQueryOf = (accounts: readonly StoredAccount[]) => TransferListQuery | undefined;
