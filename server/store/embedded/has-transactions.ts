/** Checks whether the chain has or awaits a transaction. */
import type { ChainConnection } from './connection.ts';

export function hasTransactions(sql: ChainConnection): boolean {
  return (
    sql
      .prepare('SELECT EXISTS (SELECT 1 FROM transfers) OR EXISTS (SELECT 1 FROM other_transactions)')
      .pluck()
      .get() === 1
  );
}

/** The leaf that the next new account takes. */
export function nextLeaf(sql: ChainConnection): number {
  return (sql.prepare<[], number>('SELECT max(leaf) FROM accounts').pluck().get() ?? -1) + 1;
}
