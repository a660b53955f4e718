/**
 * Storage of the committed accounts, as an interface: a Map in memory implements it, and so does a file behind a bounded cache.
 *
 * The rules run on one thread and read accounts in the middle of a block, so that reading is synchronous.
 */
import type { AccountRow } from './account.ts';

export interface AccountTable {
  /** Number of accounts: the leaf that the next one takes. */
  readonly size: number;
  get(address: string): AccountRow | undefined;
  set(address: string, row: AccountRow): unknown;
  /** In the order of their leaves. */
  values(): Iterable<AccountRow>;
}
