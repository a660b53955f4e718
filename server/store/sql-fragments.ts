/**
 * SQL that differs between databases: the form in which a set of rows becomes one query parameter, and one type.
 *
 * The store loads and writes whole groups: "the accounts at these addresses", "insert these transfers". A rowset is the group as a derived
 * table, so the text of a statement does not depend on the size of the group and one statement serves all sizes. Only the derived table
 * made from a parameter differs between the databases.
 */
import type { RawBuilder } from 'kysely';
import type { StoreChange } from './types.ts';

/** `bytes` travel as hex text inside the parameter. */
export type ColumnType = 'integer' | 'text' | 'bytes';

export type RowValue = number | string | null;

export interface SqlFragments {
  /** The rows as `(select ...)`, to be named by the caller; each row's values are in the order of the columns. */
  rowset(columns: Readonly<Record<string, ColumnType>>, rows: readonly (readonly RowValue[])[]): RawBuilder<unknown>;
  /** Type of a 64-bit primary key. SQLite looks rows up by it without an index of its own only when it is called `integer`. */
  readonly keyType: 'integer' | 'bigint';
  /** Shards of senders that a new database has. */
  readonly shards: number;
  /** Seqs of one segment of the index by hash; absent where that index goes over all of them at once. */
  readonly segmentSeqs?: number;
  /** The statement after which pages of the table are filled to `percent` only; absent where a row is changed in its place. */
  leaveRoom?(table: string, percent: number): RawBuilder<unknown>;
  /** The statements after which the database itself refuses to change, remove or replace a row of this table. */
  appendOnly(table: string): readonly RawBuilder<unknown>[];
  /**
   * Several selects as one statement, where each statement has a price of its own. It answers one row, whose columns `s0`,
   * `s1`, ... are the selects' rows; they travel as JSON, so no column of them may hold bytes.
   */
  selectTogether?(selects: readonly RawBuilder<unknown>[]): RawBuilder<Record<string, unknown[]>>;
  /** Several changes as one statement: of different tables, because none of them sees what the others write. */
  changeTogether?(changes: readonly RawBuilder<unknown>[]): RawBuilder<unknown>;
  /** The statement that announces a change to other gateways when its transaction commits; absent where there are none. */
  announce?(change: StoreChange): RawBuilder<unknown>;
}
