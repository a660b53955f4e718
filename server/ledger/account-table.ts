/**
 * Storage of the committed accounts, as an interface: a Map in memory implements it, and so does a file with a bounded cache in front of
 * it.
 *
 * The rules run on one thread and read accounts in the middle of a block, so that reading is synchronous.
 */
import type { AccountRow } from './account.ts';

export interface AccountTable {
  /** Accounts there are: the leaf that the next one takes. */
  readonly size: number;
  get(address: string): AccountRow | undefined;
  set(address: string, row: AccountRow): unknown;
  /** In the order of their leaves. */
  values(): Iterable<AccountRow>;
}
