/**
 * Adds to a chain.db of contract 1.5.0 what later versions keep of its blocks: the event log, and the references of a build on the way to
 * 1.5.0.
 *
 * The rows of the transfers show which event each of them is; only a nonce that was made void while no transfer of this service was pending
 * at it has to be read from its block.
 */
import { brotliDecompressSync } from 'node:zlib';
import { BLOCK_MAX_BYTES, decodeTransaction } from '../../ledger/index.ts';
import { reasonCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import type { SqliteConnection } from '../sqlite/library.ts';
import { prefixOfText, segmentOf } from './segments.ts';

/**
 * Inside the transaction of the migration. Where these tables are missing, references came in blocks alone: nothing that was submitted had
 * one.
 */
export function addReferences(sql: SqliteConnection): void {
  const has = sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'payment_members'").get();
  if (has !== undefined) return;
  sql.exec(`
    CREATE TABLE payment_members (seq INTEGER PRIMARY KEY, reference TEXT, valid_until INTEGER) STRICT;
    CREATE TABLE by_reference (segment INTEGER NOT NULL, prefix INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (segment, prefix, seq)) STRICT, WITHOUT ROWID;
  `);
  const add = sql.prepare('INSERT INTO payment_members (seq, reference, valid_until) VALUES (?, ?, ?)');
  const index = sql.prepare('INSERT INTO by_reference (segment, prefix, seq) VALUES (?, ?, ?)');
  const block = sql.prepare<[number], Buffer>('SELECT bytes FROM blocks WHERE height = ?').pluck();
  const executed = sql
    .prepare('SELECT seq, position FROM transfers WHERE height = ? AND position IS NOT NULL ORDER BY seq')
    .raw() as unknown as { all(height: number): [seq: number, position: number][] };
  const heights = sql.prepare('SELECT height FROM blocks WHERE transaction_count > 0 ORDER BY height').pluck().all();
  for (const height of heights as number[]) {
    const transactions = transactionsIn(block.get(height));
    for (const [seq, position] of executed.all(height)) {
      const decoded = decodeTransaction(transactions[position] ?? new Uint8Array(0));
      if (!decoded.ok || decoded.tx.kind !== 'transfer')
        throw new StoreDamagedError(`block ${height} has no transfer at place ${position}, and a row names one`);
      const { reference, validUntil } = decoded.tx;
      if (reference === undefined && validUntil === undefined) continue;
      add.run(seq, reference ?? null, validUntil ?? null);
      if (reference !== undefined) index.run(segmentOf(seq), prefixOfText(reference), seq);
    }
  }
}

interface SettledRow {
  seq: number;
  height: number;
  reason: number | null;
  reasonHash: Buffer | null;
}

/**
 * Runs inside the transaction of the migration. A log that has events from some block on has all from there, so only the events before the
 * first are added. The places are those of effectsOfBlock (gateway/follow/block-effects.ts).
 */
export function completeEventLog(sql: SqliteConnection): void {
  const from = sql.prepare(`SELECT coalesce(min(height), ${Number.MAX_SAFE_INTEGER}) FROM events`).pluck().get();
  // Executed: the place in the block is the place of the event.
  sql
    .prepare(
      'INSERT INTO events (height, idx, seq) SELECT height, position, seq FROM transfers WHERE height < ? AND position IS NOT NULL ORDER BY height, position',
    )
    .run(from);
  const addEvent = sql.prepare('INSERT INTO events (height, idx, seq) VALUES (?, ?, ?)');
  const winner = sql
    .prepare(
      'SELECT e.idx + b.transaction_count FROM events e JOIN transfers t ON t.seq = e.seq JOIN blocks b ON b.height = e.height WHERE e.height = ? AND (t.hash = ? OR t.executed_as = ?)',
    )
    .pluck();
  const cancel = sql.prepare('SELECT position FROM other_transactions WHERE height = ? AND hash = ?').pluck();
  const others = sql
    .prepare(
      'SELECT seq, height, reason, reason_hash AS reasonHash FROM transfers WHERE height < ? AND position IS NULL ORDER BY height, seq',
    )
    .all(from) as SettledRow[];
  for (const { seq, height, reason, reasonHash } of others) {
    const place =
      reason === reasonCode('superseded_by_payment')
        ? winner.get(height, reasonHash, reasonHash)
        : cancel.get(height, reasonHash);
    if (place === undefined)
      throw new StoreDamagedError(
        `the transfer with seq ${seq} was settled by block ${height}, and what settled it is not there`,
      );
    addEvent.run(height, place, seq);
  }
  addUnknownVoids(sql, Number(from), addEvent);
}

/** Cancels that no transfer's row has: their blocks contain the nonce that they made void. */
function addUnknownVoids(sql: SqliteConnection, from: number, addEvent: { run(...values: unknown[]): unknown }): void {
  const addVoid = sql.prepare(
    'INSERT INTO unknown_voids (height, idx, hash, from_id, nonce, block_time_ms) SELECT ?, ?, ?, a.id, ?, b.time_ns / 1000000 FROM accounts a, blocks b WHERE a.address = ? AND b.height = ?',
  );
  const block = sql.prepare<[number], Buffer>('SELECT bytes FROM blocks WHERE height = ?').pluck();
  const unnamed = sql
    .prepare(
      'SELECT o.height, o.position FROM other_transactions o LEFT JOIN events e ON e.height = o.height AND e.idx = o.position WHERE o.height < ? AND e.idx IS NULL ORDER BY o.height, o.position',
    )
    .all(from) as { height: number; position: number }[];
  let read: { height: number; transactions: readonly Uint8Array[] } | undefined;
  for (const { height, position } of unnamed) {
    if (read?.height !== height) read = { height, transactions: transactionsIn(block.get(height)) };
    const raw = read.transactions[position];
    const decoded = raw && decodeTransaction(raw);
    if (!decoded?.ok)
      throw new StoreDamagedError(`block ${height} has no transaction at place ${position}, and its index names one`);
    const { tx } = decoded;
    // Governance makes no event.
    if (tx.kind !== 'cancel') continue;
    addEvent.run(height, position, null);
    const { changes } = addVoid.run(height, position, Buffer.from(tx.txHash, 'hex'), tx.nonce, tx.from, height);
    if (changes !== 1)
      throw new StoreDamagedError(
        `block ${height} made a nonce of ${tx.from} void, and this account is not in the database`,
      );
  }
}

/** Tags of tendermint.types.Block.data and of Data.txs: field 2 and field 1, both of a length and so many bytes. */
const DATA_TAG = 0x12;
const TXS_TAG = 0x0a;
/** First byte of packed bytes: engine/embedded/packed-block.ts. */
const PACKED = 0;

/** The transactions of a block; the store reads only their positions in it. Nothing for bytes that are not a block. */
function transactionsIn(stored: Buffer | undefined): readonly Uint8Array[] {
  if (stored === undefined) return [];
  const bytes =
    stored[0] === PACKED ? brotliDecompressSync(stored.subarray(1), { maxOutputLength: BLOCK_MAX_BYTES }) : stored;
  return fieldsOf(bytes, DATA_TAG).flatMap((data) => fieldsOf(data, TXS_TAG));
}

/** The values of one field of a message whose fields all have a length, as those of a block have. */
function fieldsOf(message: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < message.length;) {
    const tag = message[at];
    let length = 0;
    let shift = 0;
    for (at += 1; at < message.length; at += 1, shift += 7) {
      const byte = message[at] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    at += 1;
    if (tag === wanted) found.push(message.subarray(at, at + length));
    at += length;
  }
  return found;
}
