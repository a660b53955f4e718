/**
 * The settings of every connection.
 *
 * `synchronous=FULL` makes every commit wait for the disk: without it a power cut loses acknowledged writes,
 * although a killed process does not show the difference.
 */
import { CHAIN_FILE_ID } from '../../ledger/index.ts';
import type { SqliteConnection } from './library.ts';

/** Time for which a writer waits for another process (the command line) to finish its transaction. */
const BUSY_TIMEOUT_MS = 5000;

export function makeDurable(connection: SqliteConnection): void {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
}

/** Writes the chain format into the header of a new file, before anything that would write the header to a log instead. */
export function markNew(connection: SqliteConnection): void {
  if (connection.pragma('page_count', { simple: true }) === 0) connection.pragma(`application_id = ${CHAIN_FILE_ID}`);
}
