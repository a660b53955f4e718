/**
 * Leases: each names the gateway that does the work of which one gateway is enough.
 *
 * Each is one statement and ends by the database's clock, so the clocks of the gateways' hosts do not matter. It ends before its time when
 * the holder's session has ended, which the server notices at once for a process that died: the session keeps an advisory lock, and a
 * session that gets that lock has proof that the holder is gone.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../schema.ts';

/** Read again for every row it is used for, also after a wait for that row: the transaction's own time would be older. */
const NOW_MS = sql.raw('(extract(epoch from clock_timestamp()) * 1000)::bigint');

/** `sessionKey` is that of a lock which the holder's session has; null when there is none: then only time ends the lease. */
export async function holdLease(
  db: Kysely<Tables>,
  name: string,
  holder: string,
  ttlMs: number,
  sessionKey: number | null,
  evenIfHeld = false,
): Promise<boolean> {
  const { rows } = await sql`insert into leases (name, holder, until_ms, session_key)
    values (${name}, ${holder}, ${NOW_MS} + ${ttlMs}::bigint, ${sessionKey})
    on conflict (name) do update set holder = excluded.holder, until_ms = ${NOW_MS} + ${ttlMs}::bigint, session_key = excluded.session_key
    where leases.holder = excluded.holder or leases.until_ms <= ${NOW_MS} or ${evenIfHeld}::boolean or pg_try_advisory_xact_lock(leases.session_key) returning name`.execute(
    db,
  );
  return rows.length === 1;
}

export async function dropLease(db: Kysely<Tables>, name: string, holder: string): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`.execute(db);
}
