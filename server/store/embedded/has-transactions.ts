/** Whether the chain has or awaits a transaction. */
import type { ChainConnection } from './connection.ts';

export function hasTransactions(sql: ChainConnection): boolean {
  return (
    sql
      .prepare('SELECT EXISTS (SELECT 1 FROM transfers) OR EXISTS (SELECT 1 FROM other_transactions)')
      .pluck()
      .get() === 1
  );
}
