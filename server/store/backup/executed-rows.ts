/** The transfers that blocks executed, by block, as a gateway's database has them: to be compared with the blocks of a node. */
import { statusCode } from '../codes.ts';
import type { SqliteConnection } from '../sqlite/library.ts';

export interface ExecutedRow {
  height: number;
  hash: string;
  executedAs: string | null;
}

/** With reasons 1 and 5 a transfer failed by being executed (codes.ts). */
const EXECUTED = `(status = ${statusCode('committed')} OR reason IN (1, 5)) AND height IS NOT NULL`;

export function executedIn(sql: SqliteConnection): {
  tip: { height: number; hash: string };
  all: number;
  blocks: Iterable<readonly [height: number, rows: ExecutedRow[]]>;
} {
  const tip = sql.prepare('SELECT height, hash FROM follower').get() as { height: number; hash: string };
  const all = Number(sql.prepare(`SELECT count(DISTINCT height) FROM transfers WHERE ${EXECUTED}`).pluck().get());
  const rows = sql.prepare(
    `SELECT height, hex(hash) AS hash, nullif(hex(executed_as), '') AS executedAs FROM transfers WHERE ${EXECUTED} ORDER BY height`,
  );
  return { tip, all, blocks: byHeight(() => rows.iterate() as Iterable<ExecutedRow>) };
}

/** Reads from its first step on: a cursor that is not ended would keep the database from being closed. */
function* byHeight(read: () => Iterable<ExecutedRow>): Generator<readonly [number, ExecutedRow[]]> {
  let group: ExecutedRow[] = [];
  for (const row of read()) {
    const [first] = group;
    if (first !== undefined && first.height !== row.height) {
      yield [first.height, group];
      group = [];
    }
    group.push(row);
  }
  const [first] = group;
  if (first !== undefined) yield [first.height, group];
}
