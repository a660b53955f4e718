/**
 * Makes the checkpoints of chain.db or gateway.db on a thread of its own: one takes a tenth of a second under load, and would delay
 * everyone who waits for the writer.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface CheckpointJob {
  /** File of the database. */
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
