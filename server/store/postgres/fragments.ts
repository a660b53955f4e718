/**
 * PostgreSQL's fragments: a rowset is one JSON parameter split by jsonb_array_elements (`json` reads a row again for each of its columns);
 * announcements are notifications.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SHARDS_SHARED } from '../shards.ts';
import type { ColumnType, SqlFragments } from '../sql-fragments.ts';
import { CHANNEL, encodeAnnouncement } from './announcements.ts';

/**
 * Two million transfers: a new one takes the next number of its shard, eight or nine numbers on as a rule. What a block adds goes to 170 MB
 * of the index by hash, however long the history; a hash that is not there costs ten or twenty microseconds for each segment.
 */
const SEGMENT_SEQS = 2 ** 24;

/** Every announcement of this store contains `sender`. */
export function postgresFragments(sender: string): SqlFragments {
  return {
    rowset: (columns, rows) =>
      sql`(select ${selection(columns)} from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as value)`,
    keyType: 'bigint',
    shards: SHARDS_SHARED,
    segmentSeqs: SEGMENT_SEQS,
    leaveRoom: (table, percent) => sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(percent)})`,
    appendOnly,
    selectTogether: (selects) =>
      sql`select ${sql.join(selects.map((select, i) => sql`(select coalesce(json_agg(q), '[]'::json) from (${select}) q) as ${sql.raw(`s${i}`)}`))}`,
    changeTogether: (changes) =>
      sql`with ${sql.join(changes.map((change, i) => sql`${sql.raw(`c${i}`)} as (${change})`))} select 1`,
    announce: (change) => {
      const texts = change.kind === 'missed' ? [] : encodeAnnouncement(sender, change);
      return sql`select pg_notify(${CHANNEL}, text) from json_array_elements_text(${JSON.stringify(texts)}::json) as text`;
    },
  };
}

const CASTS: Record<ColumnType, (value: string) => string> = {
  integer: (value) => `(${value})::bigint`,
  text: (value) => value,
  bytes: (value) => `decode(${value}, 'hex')`,
};

/** Column names come from the store's own code, never from a request, so they may be in the text. */
function selection(columns: Readonly<Record<string, ColumnType>>): RawBuilder<unknown> {
  return sql.raw(
    Object.entries(columns)
      .map(([name, type], index) => `${CASTS[type](`value ->> ${index}`)} as ${name}`)
      .join(', '),
  );
}

function appendOnly(table: string): RawBuilder<unknown>[] {
  return [
    sql.raw(
      `create function ${table}_refuses() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    ),
    sql.raw(
      `create trigger ${table}_refuses_changes before update or delete on ${table} for each row execute function ${table}_refuses()`,
    ),
    // `truncate` removes rows without firing the trigger of each.
    sql.raw(
      `create trigger ${table}_refuses_truncate before truncate on ${table} for each statement execute function ${table}_refuses()`,
    ),
  ];
}
