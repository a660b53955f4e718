/**
 * Log of accepted transfers and of the blocks made of them, in log.db beside chain.db.
 *
 * An entry is a group, a block, or a change of access or webhooks. chain.db names the last entry that its rows hold, in the transaction of
 * each block; the entries after it are the tail, which readers see as a view of their connection. Access does not wait for a block:
 * chain.db names the last such entry separately. An acknowledgement waits for an append here and for nothing in chain.db.
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  ENTRY_FORMAT,
  LogBrokenError,
  LogDamagedError,
  type LogEntry,
  type LogPlace,
  LogUnavailableError,
  LogVersionError,
} from '../../log/log.ts';
import { openLogReader, SqliteLog, type SqliteLogOptions, type SqliteLogReader } from '../../log/sqlite-log.ts';
import type { Stopwatch } from '../../engine/ports.ts';
import { LaterVersionError, StoreDamagedError, StoreOutcomeUnknownError, StoreUnavailableError } from '../errors.ts';
import { type ChainConnection, counted, writing } from './connection.ts';
import { decodeAccess, encodeAccess, type EntryWrite } from './access-entry.ts';
import { encodeEntries, type JournalEntry } from './journal.ts';
import { readWitness, refuseOlderLog } from './log-witness.ts';
import { OLD_JOURNAL } from './migrations.ts';

/** Kinds of entries, in their second byte. */
export const GROUP = 1;
export const BLOCK = 2;
/** Uptime of the service on this chain, ms. */
export const UPTIME = 3;
/** A change of tokens, bound addresses, webhooks or the audit trail. */
export const ACCESS = 4;

const KINDS = [GROUP, BLOCK, UPTIME, ACCESS] as const;
type Kind = (typeof KINDS)[number];

const HEAD_BYTES = 2;

export interface ChainLogOptions {
  /** The connection that writes chain.db. */
  sql: ChainConnection;
  /** Path of chain.db. */
  chainFile: string;
  chain: { chainId: string; genesisHash: string };
  /** The file that names the last entry; beside chain.db when absent. */
  witnessFile?: string | undefined;
  /** A second such file, which may be on another disk. */
  otherWitnessFile?: string | undefined;
  /** Of log.db; see SqliteLogOptions. */
  bytesMax?: number | undefined;
  connect?: SqliteLogOptions['connect'] | undefined;
  /** Storage of log.db; on disk when absent. */
  storage?: LogStorage | undefined;
  /** Measures each append. */
  appends?: Stopwatch | undefined;
}

/** Operations on the log of a service. */
export type OpenLog = Pick<SqliteLog, 'head' | 'first' | 'append' | 'tail' | 'follow' | 'drop' | 'restart' | 'close'>;

/** Storage of a log. A simulation has one in memory, on a disk that fails at its command. */
export interface LogStorage {
  exists(path: string): boolean;
  /** Throws as `SqliteLog.open` does. */
  open(options: SqliteLogOptions): OpenLog;
}

const ON_DISK: LogStorage = { exists: existsSync, open: (options) => SqliteLog.open(options) };

export class ChainLog {
  readonly #log: OpenLog;
  readonly #sql: ChainConnection;
  readonly #appends: Stopwatch | undefined;
  #head: LogPlace;
  /** Entries that chain.db had when entries were dropped last. */
  #droppable = 0;

  /** Throws StoreDamagedError, also where the two files do not belong together, and StoreUnavailableError. */
  constructor({
    sql,
    chainFile,
    chain,
    storage = ON_DISK,
    witnessFile = storage === ON_DISK ? witnessBeside(chainFile) : undefined,
    otherWitnessFile,
    bytesMax,
    connect,
    appends,
  }: ChainLogOptions) {
    const log = asStore(() =>
      opened(
        sql,
        { storage, witnessFiles: [witnessFile, otherWitnessFile].filter((file) => file !== undefined) },
        {
          path: logBeside(chainFile),
          chain,
          check: checkKnown,
          bytesMax,
          ...(connect && { connect }),
        },
      ),
    );
    this.#log = log;
    this.#head = log.head();
    this.#sql = sql;
    this.#appends = appends;
  }

  /** The last entry. */
  get head(): LogPlace {
    return this.#head;
  }

  /** Makes a group durable: from then on it may be acknowledged. Throws as `Store.write` does. */
  append(entries: readonly JournalEntry[]): void {
    this.#append(GROUP, encodeEntries(entries));
  }

  /** Makes a block durable: from then on it may be shown. `text` is its entry (block-entry.ts). Throws as `append` does. */
  appendBlock(text: string): void {
    this.#append(BLOCK, text);
  }

  /** Makes durable how long the service has been running. Throws as `append` does. */
  appendUptime(uptimeMs: number): void {
    this.#append(UPTIME, String(uptimeMs));
  }

  /** Makes a change of access or webhooks durable. Throws as `append` does. */
  appendAccess(writes: readonly EntryWrite[]): void {
    this.#append(ACCESS, encodeAccess(writes));
  }

  /** For the one that writes chain.db on this thread. */
  get entries(): LogEntries {
    return this.#log;
  }

  /**
   * Called when chain.db has these entries, synced: drops a piece of the entries that it had at the call before. A reader may still be in a
   * snapshot from between the two. @returns true when there is more to drop.
   */
  drop(seq: number): boolean {
    const more = this.#log.drop(this.#droppable) === 'more';
    if (!more) this.#droppable = seq;
    return more;
  }

  close(): void {
    this.#log.close();
  }

  #append(kind: Kind, text: string): void {
    const bytes = entryOf(kind, text);
    const startedMs = this.#appends?.start() ?? 0;
    const append = (): ReturnType<OpenLog['append']> => this.#log.append(this.#head, bytes);
    let appended;
    try {
      appended = counted(this.#sql, append);
    } catch (error) {
      if (!(error instanceof LogBrokenError)) throw error;
      throw new StoreOutcomeUnknownError('the outcome of an append to log.db is unknown', {
        cause: error,
        rereadable: false,
      });
    }
    this.#appends?.stop(startedMs);
    if (appended.outcome === 'held') throw new StoreUnavailableError(appended.reason);
    if (appended.outcome === 'taken')
      throw new StoreOutcomeUnknownError('another process has written to log.db', {
        cause: undefined,
        rereadable: false,
      });
    this.#head = appended.place;
  }
}

/** Part of the log that the writer of chain.db reads. */
export type LogEntries = Pick<SqliteLogReader, 'follow' | 'first'>;

/** All of them are in one folder. */
export const logBeside = (chainFile: string): string => path.join(path.dirname(chainFile), 'log.db');
const witnessBeside = (chainFile: string): string => path.join(path.dirname(chainFile), 'log_witness.json');

function entryOf(kind: Kind, text: string): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(text));
  bytes[0] = ENTRY_FORMAT;
  bytes[1] = kind;
  bytes.write(text, HEAD_BYTES);
  return bytes;
}

/**
 * Attaches the log to this connection, which only reads (a write transaction would lock both files): `tail` has the log's entries after
 * the entry that chain.db holds, and `journal` the groups of it. In a file of an earlier version both are a table.
 */
export function attachLog(sql: ChainConnection, chainFile: string): void {
  const log = logBeside(chainFile);
  const old = oldJournalOf(sql);
  const view = (name: string, query: string): void => void sql.exec(`CREATE TEMP VIEW ${name} AS ${query}`);
  if (old !== undefined) view('tail', `SELECT id, ${GROUP} AS kind, entries FROM main.${old}`);
  else if (existsSync(log)) {
    sql.prepare('ATTACH ? AS log').run(log);
    view(
      'tail',
      `SELECT seq AS id, CASE substr(bytes, 1, 2) ${KINDS.map((kind) => `WHEN x'0${ENTRY_FORMAT}0${kind}' THEN ${kind}`).join(' ')} END AS kind,
         CAST(substr(bytes, ${HEAD_BYTES + 1}) AS TEXT) AS entries
       FROM log.log WHERE seq > (SELECT entry_seq FROM main.chain)`,
    );
    refuseUnknown(sql, log);
  } else view('tail', `SELECT 0 AS id, ${GROUP} AS kind, '' AS entries WHERE false`);
  if (old !== 'journal') view('journal', `SELECT id, entries FROM temp.tail WHERE kind = ${GROUP}`);
}

/** Throws when the log has an entry of an unknown kind: queries for one kind would skip it. */
function refuseUnknown(sql: ChainConnection, log: string): void {
  const seq = sql.prepare<[], number>('SELECT id FROM tail WHERE kind IS NULL LIMIT 1').pluck().get();
  if (seq !== undefined)
    throw new LaterVersionError(
      `${log}: entry ${seq} is of a format or kind that this program does not know: a later version wrote it; run that one`,
    );
}

/** Changes of access and webhooks that the log has and the rows of this snapshot do not have. */
export function accessBehind(sql: ChainConnection): EntryWrite[] {
  const entries = sql
    .prepare<[], { id: number; entries: string }>(`SELECT id, entries FROM tail WHERE kind = ${ACCESS} ORDER BY id`)
    .all();
  // A chain.db of an earlier version does not name the last one that it has, and its log has none.
  const seq = entries.length === 0 ? 0 : accessSeqIn(sql);
  return entries.flatMap((entry) => (entry.id > seq ? decodeAccess(entry.entries) : []));
}

/** The table that had the tail in earlier versions. */
const oldJournalOf = (sql: ChainConnection): string | undefined =>
  [OLD_JOURNAL, 'journal'].find((name) => hasTable(sql, name));

/**
 * The entries after the rows of the snapshot that this connection reads; every entry of the log has been verified. Undefined when a
 * service has dropped a part of it since the snapshot began: begin another one.
 */
export function verifiedTail(
  chainFile: string,
  sql: ChainConnection,
  chain: ChainLogOptions['chain'],
): { groups: string[]; entries: number } | undefined {
  const old = oldJournalOf(sql);
  if (old !== undefined)
    return { groups: sql.prepare<[], string>(`SELECT entries FROM ${old} ORDER BY id`).pluck().all(), entries: 0 };
  const file = logBeside(chainFile);
  if (!existsSync(file))
    throw new StoreDamagedError(`${file} is missing, which has what was accepted since the last block`);
  // Read before the log, which a service makes longer meanwhile.
  const witnessFile = witnessBeside(chainFile);
  const witness = readWitness(witnessFile);
  return asStore(() => {
    const { log, close } = openLogReader(file, { chain, check: checkKnown });
    try {
      const held = heldIn(sql, log.first());
      refuseOlderLog(witness, { file: witnessFile, chain, held, log });
      if (log.head().seq <= held.seq) return { groups: [], entries: log.count() };
      const tail = log.tail(held, Number.POSITIVE_INFINITY);
      return tail && { groups: tail.filter(isGroup).map(textOf), entries: log.count() };
    } finally {
      close();
    }
  });
}

/** The last entry, after every one was verified; undefined where an earlier version left no log. Throws as `verifiedTail` does. */
export function verifiedHead(chainFile: string, chain: ChainLogOptions['chain']): LogPlace | undefined {
  const file = logBeside(chainFile);
  if (!existsSync(file)) return undefined;
  return asStore(() => {
    const { log, close } = openLogReader(file, { chain, check: checkKnown });
    try {
      return log.head();
    } finally {
      close();
    }
  });
}

/** Throws LaterVersionError for an unknown kind: no entry of the log is skipped. */
export function kindOf({ seq, bytes }: LogEntry): Kind {
  const kind = KINDS.find((known) => known === bytes[1]);
  if (kind !== undefined) return kind;
  throw new LaterVersionError(
    `log.db: entry ${seq} is of kind ${bytes[1]}, which this program does not know: a later version wrote it; run that one`,
  );
}

/** Called before any entry is applied: a log with an entry that this program cannot apply is not applied at all, and not appended to. */
function checkKnown(entry: LogEntry): void {
  if (kindOf(entry) === ACCESS) readable(entry, () => void decodeAccess(textOf(entry)));
}

export const isGroup = (entry: LogEntry): boolean => kindOf(entry) === GROUP;

export const textOf = ({ bytes }: LogEntry): string => Buffer.from(bytes.subarray(HEAD_BYTES)).toString();

/**
 * Runs `work` on an entry with correct hashes. Where it lacks members, or has others in their place, its first use throws, and this turns
 * the error into one of damage.
 */
export function readable(entry: LogEntry, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)) throw error;
    throw new StoreDamagedError(
      `log.db: entry ${entry.seq} is not one that this program writes (${error.message}). Put a backup of the data folder back (txledger restore)`,
      { cause: error },
    );
  }
}

/** Converts faults of the log to errors of a store. */
function asStore<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LogVersionError) throw new LaterVersionError(error.message);
    if (error instanceof LogDamagedError) throw new StoreDamagedError(error.message);
    if (error instanceof LogUnavailableError) throw new StoreUnavailableError(error.message);
    throw error;
  }
}

const notBehind = (file: string, seq: number): StoreDamagedError =>
  new StoreDamagedError(
    `${file} has no entry ${seq + 1}, which comes behind what chain.db holds: chain.db is an older copy. Put back the files that belong together (txledger restore)`,
  );

/** Its rows hold something of a log. */
const hasEntry = (sql: ChainConnection): boolean =>
  sql.prepare('SELECT 1 FROM chain WHERE entry_hash IS NOT NULL').get() !== undefined;

/** chain.db has the chain before its first block, at least. */
export const isBegun = (sql: ChainConnection): boolean => sql.prepare('SELECT 1 FROM chain').get() !== undefined;

const hasTable = (sql: ChainConnection, name: string): boolean =>
  sql.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;

/** The last entry about access that the rows of chain.db hold. */
export const accessSeqIn = (sql: ChainConnection): number =>
  sql.prepare<[], number>('SELECT access_seq FROM chain').pluck().get() ?? 0;

/**
 * A backup copies log.db first, so chain.db may have changes of access whose entries this log lacks. The next entries have their numbers,
 * and are other ones.
 */
function forgetAccessBehind(sql: ChainConnection, headSeq: number): void {
  if (accessSeqIn(sql) > headSeq) writing(sql, () => sql.prepare('UPDATE chain SET access_seq = ?').run(headSeq));
}

/** The last entry that the rows of chain.db hold; before the first it is the one that names the chain. */
export function heldIn(sql: ChainConnection, first: LogPlace): LogPlace {
  const row = heldRow(sql);
  return row === undefined || row.hash === null ? first : { seq: row.seq, hash: row.hash };
}

const heldRow = (sql: ChainConnection): { seq: number; hash: Buffer | null } | undefined =>
  sql.prepare<[], { seq: number; hash: Buffer | null }>('SELECT entry_seq AS seq, entry_hash AS hash FROM chain').get();

function opened(
  sql: ChainConnection,
  { storage, witnessFiles }: { storage: LogStorage; witnessFiles: readonly string[] },
  options: SqliteLogOptions,
): OpenLog {
  for (const file of witnessFiles) checkWitness(sql, file, options);
  if (hasTable(sql, OLD_JOURNAL)) return moveOldJournal(sql, options);
  if (!storage.exists(options.path) && hasEntry(sql))
    throw new StoreDamagedError(
      `${options.path} is missing, which has the payments and signed blocks that chain.db does not have yet. Put it back, or a backup of the data folder (txledger restore)`,
    );
  const log = storage.open(options);
  try {
    if (!isBegun(sql) && log.head().seq > 0)
      throw new StoreDamagedError(
        `chain.db is missing or an old copy: ${options.path} has entries of a chain, and chain.db is empty. Put back the files that belong together (txledger restore)`,
      );
    const held = heldIn(sql, log.first());
    if (log.head().seq < held.seq) log.restart(held);
    else if (log.tail(held, 1) === undefined) throw notBehind(options.path, held.seq);
    forgetAccessBehind(sql, log.head().seq);
    return log;
  } catch (error) {
    log.close();
    throw error;
  }
}

/** Called before anything is written: a folder that is refused is not changed. */
function checkWitness(sql: ChainConnection, file: string, { path: logFile, chain }: SqliteLogOptions): void {
  const witness = readWitness(file);
  if (witness === undefined) return;
  const reader = existsSync(logFile) ? openLogReader(logFile) : undefined;
  try {
    const row = heldRow(sql);
    refuseOlderLog(witness, {
      file,
      isElsewhere: path.dirname(file) !== path.dirname(logFile),
      chain,
      held: row === undefined || row.hash === null ? undefined : { seq: row.seq, hash: row.hash },
      log: reader?.log,
    });
  } finally {
    reader?.close();
  }
}

/** Earlier versions kept the tail in a table of chain.db. A log that a start has left half made, because it was killed, is made again. */
function moveOldJournal(sql: ChainConnection, options: SqliteLogOptions): SqliteLog {
  // Only a log of this version may be taken for such a leftover.
  SqliteLog.open(options).close();
  for (const end of ['', '-wal', '-shm']) rmSync(options.path + end, { force: true });
  const log = SqliteLog.open(options);
  const groups = sql.prepare<[], string>(`SELECT entries FROM ${OLD_JOURNAL} ORDER BY id`).pluck();
  for (const group of groups.iterate()) {
    const { outcome } = log.append(log.head(), entryOf(GROUP, group));
    if (outcome !== 'durable') throw new StoreUnavailableError(`an append to ${options.path} was ${outcome}`);
  }
  writing(sql, () => sql.exec(`DROP TABLE ${OLD_JOURNAL}`));
  return log;
}
