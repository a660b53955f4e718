/**
 * The settings of every connection, sent before anything else is.
 *
 * `synchronous_commit=on` makes every commit wait for the disk: a server, database or role whose default is off would acknowledge writes
 * that a power cut loses. A standby is refused except as a replica, because its rows are behind what was acknowledged.
 */
import { StoreUnavailableError } from '../errors.ts';
import type { PostgresClient } from './library.ts';
import { LOCK_MS_MAX, READ_STATEMENT_MS_MAX, REPLICA_ANSWER_MS_MAX, SILENT_TRANSACTION_MS_MAX } from './limits.ts';

/** `migrate` waits as long as it takes: an index over a long history is not made in seconds. */
export type SessionKind = 'write' | 'read' | 'replica' | 'webhooks' | 'migrate';

interface Bounds {
  lockMs: number;
  silentMs: number;
  statementMs: number;
}

/**
 * No time limit on the statements of a writing session: a COMMIT that waits for a synchronous standby and is cancelled
 * by one answers success although the standby has nothing. Locks are bounded, and so is the wait for an answer.
 */
const BOUNDS: Record<SessionKind, Bounds> = {
  write: { lockMs: LOCK_MS_MAX, silentMs: SILENT_TRANSACTION_MS_MAX, statementMs: 0 },
  read: { lockMs: LOCK_MS_MAX, silentMs: SILENT_TRANSACTION_MS_MAX, statementMs: READ_STATEMENT_MS_MAX },
  replica: { lockMs: LOCK_MS_MAX, silentMs: SILENT_TRANSACTION_MS_MAX, statementMs: REPLICA_ANSWER_MS_MAX },
  webhooks: { lockMs: LOCK_MS_MAX, silentMs: SILENT_TRANSACTION_MS_MAX, statementMs: 0 },
  migrate: { lockMs: 0, silentMs: 0, statementMs: 0 },
};

const SETUP = `select set_config('synchronous_commit', 'on', false), set_config('lock_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $2, false), set_config('statement_timeout', $3, false),
  pg_is_in_recovery() as standby, current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`;

/**
 * A statement is planned each time it runs, for the sizes that the tables have then. A plan kept from when they were empty goes through a
 * table, or through all of a sender's transfers, until the tables are next analysed, and a new database grows by hundreds of thousands of
 * rows before that. Planning costs less than a millisecond; compiling a statement that reads a few rows never pays.
 *
 * Every statement reads a few rows, and the planner has no statistics for that: it takes a rowset for a hundred rows, and a page that is
 * not in its own cache for four times a page read in sequence. By these prices it starts two workers for a page of a list (74 ms instead of
 * 0.5 ms), or reads all accounts, once the tables have grown. So no workers, and the price of a page as it is on a solid-state disk or in
 * the cache.
 */
export const PLANNER =
  'set plan_cache_mode = force_custom_plan; set jit = off; set max_parallel_workers_per_gather = 0; set random_page_cost = 1.1';

/** Throws StoreUnavailableError when this server must not be used. */
export async function setUpSession(client: Pick<PostgresClient, 'query'>, kind: SessionKind): Promise<void> {
  const { lockMs, silentMs, statementMs } = BOUNDS[kind];
  const { rows } = await client.query<{ standby: boolean; fsync: string; full_page_writes: string }>(
    SETUP,
    [lockMs, silentMs, statementMs].map(String),
  );
  if (kind !== 'migrate') await client.query(PLANNER);
  // Each answer of a replica is checked, and a replica keeps nothing.
  if (kind === 'replica') return;
  const [server] = rows;
  if (server?.standby !== false)
    throw new StoreUnavailableError('this PostgreSQL server is a standby; the store needs the primary only');
  if (server.full_page_writes !== 'on')
    throw new StoreUnavailableError(
      'this PostgreSQL server runs with full_page_writes off: a power cut would damage what it confirmed',
    );
  if (server.fsync !== 'on')
    throw new StoreUnavailableError(
      'this PostgreSQL server runs with fsync off: a power cut would take back what it confirmed',
    );
}
