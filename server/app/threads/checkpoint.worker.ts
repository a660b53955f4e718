/**
 * Brings the log of chain.db or gateway.db into the file, on a thread of its own: it takes a tenth of a second under load, and whoever waits for the
 * writer would wait for it.
 *
 * @module
 */
import Database from 'better-sqlite3';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

export interface CheckpointThreadData {
  /** Of the database. */
  file: string;
}

const { file } = workerData as CheckpointThreadData;
const sql = new Database(file, { fileMustExist: true });
sql.pragma('synchronous = FULL');

const port = parentPort as MessagePort;
port.on('message', () => {
  const beganMs = performance.now();
  sql.pragma('wal_checkpoint(PASSIVE)');
  port.postMessage(performance.now() - beganMs);
});
