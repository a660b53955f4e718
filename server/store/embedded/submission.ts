/** Tokens that submitted a transfer and requested its cancel, in its row or, since the last block, in the journal. */
import { bytesOfHash, hexOfHash } from '../hash-bytes.ts';
import type { StoredSubmission } from '../types.ts';
import { attachLog } from './chain-log.ts';
import { type ChainConnection, openChainReader, reading } from './connection.ts';
import { decodeEntries, type JournalEntry } from './journal.ts';
import { segmentOf } from './segments.ts';

/** Bytes of a hash that `by_hash` keeps. */
const PREFIX_BYTES = 6;

interface SubmissionRow {
  seq: number;
  hash: Uint8Array;
  executed_as: Uint8Array | null;
  owner: string | null;
  token_id: string | null;
  first_seen_at_ms: number;
  cancel_token_id: string | null;
  cancel_requested_at_ms: number | null;
}

const ROW = `SELECT t.seq, t.hash, t.executed_as, s.owner, s.token_id, t.first_seen_at_ms, c.token_id AS cancel_token_id, t.cancel_requested_at_ms
  FROM by_hash b JOIN transfers t ON t.seq = b.seq LEFT JOIN submitters s ON s.id = t.submitter_id LEFT JOIN submitters c ON c.id = t.cancel_submitter_id
  WHERE b.segment = ? AND b.prefix = ?`;

/** By the transfer's own hash or the hash it was executed as; upper-case hex. For a command line: it opens the file each time. */
export function findSubmission(chainFile: string, hash: string): StoredSubmission | undefined {
  const sql = openChainReader(chainFile);
  try {
    attachLog(sql, chainFile);
    return reading(sql, () => submissionOn(sql, hash));
  } finally {
    sql.close();
  }
}

function submissionOn(sql: ChainConnection, hash: string): StoredSubmission | undefined {
  const row = findRow(sql, bytesOfHash(hash));
  const journal = sql
    .prepare<[], string>('SELECT entries FROM journal ORDER BY id')
    .pluck()
    .all()
    .flatMap(decodeEntries);
  return row === undefined ? inJournal(journal, hash) : withCancel(ofRow(row), row.seq, journal);
}

function findRow(sql: ChainConnection, hash: Buffer): SubmissionRow | undefined {
  const inSegment = sql.prepare<[number, number], SubmissionRow>(ROW);
  const newestSeq = sql.prepare<[], number | null>('SELECT max(seq) FROM transfers').pluck().get() ?? 0;
  const prefix = hash.readUIntBE(0, PREFIX_BYTES);
  for (let segment = segmentOf(newestSeq); segment >= 0; segment--) {
    const found = inSegment
      .all(segment, prefix)
      .find((row) => hash.equals(row.hash) || (row.executed_as !== null && hash.equals(row.executed_as)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofRow(row: SubmissionRow): StoredSubmission {
  return {
    hash: hexOfHash(row.hash),
    owner: row.owner ?? undefined,
    tokenId: idOf(row.token_id),
    firstSeenAtMs: row.first_seen_at_ms,
    cancelTokenId: idOf(row.cancel_token_id),
    cancelRequestedAtMs: row.cancel_requested_at_ms ?? undefined,
  };
}

/** The empty token is the value where none was recorded. */
const idOf = (tokenId: string | null): string | undefined => (tokenId === null || tokenId === '' ? undefined : tokenId);

function inJournal(journal: readonly JournalEntry[], hash: string): StoredSubmission | undefined {
  for (const entry of journal) {
    if (entry.kind !== 'accepted' || entry.transfer.hash !== hash) continue;
    const { seq, owner, firstSeenAtMs } = entry.transfer;
    const submission = {
      hash,
      owner,
      tokenId: entry.tokenId,
      firstSeenAtMs,
      cancelTokenId: undefined,
      cancelRequestedAtMs: undefined,
    };
    return withCancel(submission, seq, journal);
  }
  return undefined;
}

/** The first request for a cancel is the one that counts. */
function withCancel(submission: StoredSubmission, seq: number, journal: readonly JournalEntry[]): StoredSubmission {
  if (submission.cancelRequestedAtMs !== undefined) return submission;
  const cancel = journal.find((entry) => entry.kind === 'cancel' && entry.seq === seq);
  return cancel?.kind === 'cancel'
    ? { ...submission, cancelTokenId: idOf(cancel.tokenId), cancelRequestedAtMs: cancel.atMs }
    : submission;
}
