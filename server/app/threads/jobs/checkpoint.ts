/**
 * Brings the log of chain.db or gateway.db into the file, on a thread of its own: it takes a tenth of a second under load, and whoever waits for the
 * writer would wait for it.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface CheckpointJob {
  /** Of the database. */
  file: string;
}

export function run({ file }: CheckpointJob, port: MessagePort): void {
  const sql = new Database(file, { fileMustExist: true });
  sql.pragma('synchronous = FULL');
  port.on('message', () => {
    const beganMs = performance.now();
    sql.pragma('wal_checkpoint(PASSIVE)');
    port.postMessage(performance.now() - beganMs);
  });
}
