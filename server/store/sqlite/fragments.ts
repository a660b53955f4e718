/** SQLite's fragments: a rowset is one JSON parameter split by json_each. The only SQLite-specific SQL of the store. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SHARDS_ALONE } from '../shards.ts';
import type { ColumnType, SqlFragments } from '../sql-fragments.ts';

export const sqliteFragments: SqlFragments = {
  rowset: (columns, rows) => sql`(select ${selection(columns)} from json_each(${JSON.stringify(rows)}) where true)`,
  keyType: 'integer',
  shards: SHARDS_ALONE,
  appendOnly,
};

/** Column names come from the store's own code, never from a request, so they may be in the text. */
function selection(columns: Readonly<Record<string, ColumnType>>): RawBuilder<unknown> {
  const parts = Object.entries(columns).map(([name, type], index) => {
    const value = `value ->> ${index}`;
    return `${type === 'bytes' ? `unhex(${value})` : value} as ${name}`;
  });
  return sql.raw(parts.join(', '));
}

/**
 * `insert or replace` deletes without firing a delete trigger, so an insertion is refused too unless its id is the next one. The ids then
 * prove that no row was removed.
 */
function appendOnly(table: string): RawBuilder<unknown>[] {
  const refuse = (event: string, condition = ''): RawBuilder<unknown> =>
    sql.raw(
      `create trigger ${table}_refuses_${event} before ${event} on ${table} ${condition} begin select raise(abort, '${table} is append-only'); end`,
    );
  return [
    refuse('update'),
    refuse('delete'),
    refuse('insert', `when new.id <> (select coalesce(max(id), 0) + 1 from ${table})`),
  ];
}
