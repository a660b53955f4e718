/**
 * The blocks of chain.db for statements, over a read-only connection: no block waits for it, and it is independent of the engine that makes
 * them.
 */
import type { Database } from 'better-sqlite3';
import { decodeBlock } from '../encoding/index.ts';
import type { StatementSource } from '../statements/index.ts';
import { unpackBlock } from './packed-block.ts';
import { codesOf, type Failure } from '../results.ts';

interface BlockRow {
  hash: Buffer;
  timeNs: bigint;
  bytes: Buffer;
  failures: string;
}

export function statementBlocks(sql: Database): StatementSource {
  const selectHeight = sql.prepare('SELECT coalesce(max(height), 0) FROM blocks').pluck();
  const selectBlock = sql
    .prepare('SELECT hash, time_ns AS timeNs, bytes, failures FROM blocks WHERE height = ?')
    // Header times in nanoseconds are past 2^53.
    .safeIntegers(true);
  return {
    isCertain: true,
    height: () => selectHeight.get() as number,
    block: (height) => {
      const row = selectBlock.get(height) as BlockRow | undefined;
      if (row === undefined) throw new Error(`chain.db has no block ${height}`);
      const { transactions } = decodeBlock(unpackBlock(row.bytes));
      const codes = codesOf(transactions.length, JSON.parse(row.failures) as Failure[]);
      return { height, hash: row.hash, timeNs: row.timeNs, transactions, codes };
    },
  };
}
