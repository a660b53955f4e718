/** What the server itself says: its log of writes, the bytes it keeps, and how much it forgets while it is filled. */
import type pg from 'pg';

/** While a server is filled: what a power cut took would be filled again. The store refuses such a server, so it is opened before and after. */
const FILL_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** Runs `work` on a server that waits for no disk, and brings all of it to the disk afterwards. */
export async function withoutSyncs<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const reload = async (change: (name: string) => string): Promise<void> => {
    for (const name of FILL_SETTINGS) await client.query(change(name));
    await client.query('select pg_reload_conf()');
  };
  await reload((name) => `alter system set ${name} = off`);
  try {
    return await work();
  } finally {
    await reload((name) => `alter system reset ${name}`);
    await client.query('checkpoint');
  }
}

/** Reads the history with its indexes into the server's memory. */
export async function warm(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_prewarm');
  await client.query(
    `select pg_prewarm(c.oid) from pg_class c where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace`,
  );
}

export async function walBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}

/** Bytes of each table of the history and of each of its indexes. */
export async function keptBytes(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select c.relname as name, pg_relation_size(c.oid) as bytes from pg_class c left join pg_index i on i.indexrelid = c.oid
     where coalesce(i.indrelid, c.oid)::regclass::text in ('transfers', 'events', 'idempotency_keys') order by bytes desc`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
