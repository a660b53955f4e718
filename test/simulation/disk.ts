/**
 * The disk of a simulated process. It outlives the process, and decides at each death what of it is still there.
 *
 * log.db is a list of entries of which a number is synced; chain.db is a file without a name, with an image of every commit since its last checkpoint,
 * because its commits are not synced one by one: a power cut throws it back to any of them (protocol.md, rule 35). It is a file because each thread has a
 * connection of its own, which sees nothing of what another one has not committed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ENTRY_FORMAT, entryHash, NO_HASH, type LogEntry } from '../../server/log/log.ts';
import type { LastSigned, SignStateFile } from '../../server/engine/embedded/index.ts';
import { type ChainConnection, openChainDatabase } from '../../server/store/embedded/connection.ts';
import type { Random } from '../gateway/support/random.ts';

/** Thrown wherever a process dies, and by everything that it still tries. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** What becomes of one append. */
export type AppendFate =
  | 'durable'
  /** The disk takes its time. */
  | 'slow'
  /** Dead before anything was written, */
  | 'dies before'
  /** between the write and its sync, */
  | 'dies unsynced'
  /** before memory follows, */
  | 'dies before apply'
  /** or before anyone is answered. */
  | 'dies before answer'
  /** An I/O error: it may be there, or not. */
  | 'broken';

export type CommitFate = 'committed' | 'dies before' | 'dies after' | 'full';
export type CheckpointFate = 'whole' | 'partial' | 'full' | 'dies before' | 'dies after';

/** Pages of the write-ahead log that a block takes: some blocks are followed by a checkpoint, and most are not. */
const PAGES_PER_COMMIT = 300;

export interface Image {
  bytes: Buffer;
  /** The entry that it names. */
  seq: number;
}

const EMPTY: Buffer = (() => {
  const sql = openChainDatabase({ path: ':memory:' });
  const bytes = sql.serialize();
  sql.close();
  return bytes;
})();

export interface DiskEvents {
  fateOfAppend(): AppendFate;
  fateOfCommit(): CommitFate;
  fateOfCheckpoint(): CheckpointFate;
  /** A full disk took no such entry; it is given again. */
  held(bytes: Uint8Array): void;
  /** Entries that are durable from now on. */
  durable(entry: LogEntry): void;
  /** The process dies now; in a moment where `soon`. */
  die(soon: boolean): void;
  pass(ms: number): void;
}

export class Disk {
  readonly #random: Random;
  /** As a process reads them; entry 0 is always the first. */
  entries: LogEntry[];
  /** Up to this entry a power cut takes nothing. */
  syncedSeq = 0;
  /** Dropped since the last sync: a power cut may bring them back. */
  #droppedUnsynced: LogEntry[] = [];
  isFull = false;
  /** Of chain.db's write-ahead log: all pages, and those that are in the file. They outlive a process. */
  readonly pages = { all: 0, checkpointed: 0 };
  /** Of chain.db since its last checkpoint, which is the first. */
  #images: Image[] = [{ bytes: EMPTY, seq: 0 }];
  /** Copies of chain.db that somebody may put back. */
  #old: Image[] = [];
  #signState: LastSigned | undefined;
  /** The entry that chain.db names. */
  heldSeq = 0;
  /** What is open, or was: it holds `bytes`. */
  connection: { is: Connection; bytes: Buffer | undefined } | undefined;

  constructor(random: Random, chain: { chainId: string; genesisHash: string }) {
    this.#random = random;
    const bytes = Buffer.concat([Buffer.of(ENTRY_FORMAT), Buffer.from(JSON.stringify(chain))]);
    this.entries = [{ seq: 0, hash: entryHash(NO_HASH, 0, bytes), bytes }];
  }

  get head(): LogEntry {
    return this.entries.at(-1) as LogEntry;
  }

  get baseSeq(): number {
    return this.entries[1]?.seq ?? 1;
  }

  /** As SQLite answers a checkpoint. */
  pagesNow(): { busy: number; log: number; checkpointed: number } {
    return { busy: 0, log: this.pages.all, checkpointed: this.pages.checkpointed };
  }

  write(entry: LogEntry): void {
    this.entries.push(entry);
  }

  sync(): void {
    this.syncedSeq = this.head.seq;
    this.#droppedUnsynced = [];
  }

  drop(upTo: number, max: number): number {
    const dropped = this.entries.filter(({ seq }) => seq >= 1 && seq <= upTo).slice(0, max);
    this.entries = this.entries.filter((entry) => !dropped.includes(entry));
    this.#droppedUnsynced.push(...dropped);
    return dropped.length;
  }

  /** What a kill leaves, or a power cut: of the log what was synced, and maybe more; of chain.db any state since its last checkpoint. */
  afterDeath(kind: 'kill' | 'power', last: Image | undefined): Buffer {
    if (last !== undefined) this.#images.push(last);
    if (kind === 'power') {
      // A torn end is left out, as SQLite leaves it out by its checksums; a whole one that was not synced may be there.
      if (this.head.seq > this.syncedSeq && this.#random.chance(60))
        this.entries = this.entries.filter(({ seq }) => seq <= this.syncedSeq);
      if (this.#random.chance(50)) this.#undrop();
    }
    // What a power cut left is there to stay; what a kill left, the next power cut may take.
    if (kind === 'power') this.#images = [this.#random.pick(this.#images) as Image];
    return (this.#images.at(-1) as Image).bytes;
  }

  #undrop(): void {
    const [first, ...rest] = this.entries as [LogEntry, ...LogEntry[]];
    const known = new Set(this.entries.map(({ seq }) => seq));
    this.entries = [first, ...this.#droppedUnsynced.filter(({ seq }) => !known.has(seq)), ...rest];
    this.#droppedUnsynced = [];
  }

  committed(image: Image): void {
    this.#images.push(image);
  }

  /** Everything before is on disk for good. */
  checkpointed(image: Image): void {
    this.#old.push(this.#images[0] as Image);
    if (this.#old.length > 3) this.#old.shift();
    this.#images = [image];
  }

  /** The entry that a state of chain.db names. */
  seqOf(bytes: Buffer): number {
    return [...this.#images, ...this.#old].find((image) => image.bytes === bytes)?.seq ?? 0;
  }

  /** A copy from before the last checkpoint, as an operator may put one back, and what is there now; undefined where there is none. */
  olderCopy(): Image | undefined {
    return this.#random.pick(this.#old);
  }

  /** It is chain.db now, and on disk for good: what a start writes comes behind it. @returns what takes it back, for a start that was refused. */
  putBack(image: Image): () => void {
    const before = this.#images;
    this.#images = [image];
    return () => (this.#images = before);
  }

  close(): void {
    if (this.connection !== undefined) disconnect(this.connection.is);
  }

  readonly signStateFile: SignStateFile = {
    read: () => this.#signState,
    write: (last) => void (this.#signState = last),
  };
}

export interface ChainFile {
  /** Of the ledger thread: it writes what a start writes. */
  sql: ChainConnection;
  /** Of the chain thread, which writes from then on. */
  chainSql: ChainConnection;
  /** For readers. Everything runs on one thread, so no snapshot has to outlive a turn. */
  reader(): ChainConnection;
  /** As it is now; what was not committed is left out. */
  image(): Image;
  /** The connections are kept for as long as this image is chain.db. */
  close(last: Image | undefined): void;
}

const THREADS = ['ledger', 'chain', 'readers'] as const;

/** Kept for as long as what they hold is chain.db: to compile the statements of a process is a third of its start. */
type Connection = Record<(typeof THREADS)[number], Prepared>;

interface Prepared {
  sql: Database.Database;
  /** Compiled before and not used by the process that runs now. */
  free: Map<string, Database.Statement[]>;
  used: [string, Database.Statement][];
}

/**
 * chain.db as the last process left it, or thrown back to `bytes`. What the ledger thread commits is synced.
 */
export function openChainFile(bytes: Buffer, disk: Disk, events: DiskEvents, isRunning: () => boolean): ChainFile {
  const kept = disk.connection?.bytes === bytes ? disk.connection.is : undefined;
  if (kept === undefined) disk.close();
  const connection = kept ?? connect(bytes, disk);
  disk.connection = { is: connection, bytes: undefined };
  for (const thread of THREADS) freeStatements(connection[thread]);
  const { ledger, chain, readers } = connection;
  const selectHeld = statementOf(readers, 'SELECT entry_seq FROM chain').pluck();
  const heldSeq = (): number => Number(selectHeld.get() ?? 0);
  const image = (): Image => {
    for (const { sql } of [ledger, chain]) if (sql.inTransaction) sql.exec('ROLLBACK');
    return { bytes: readers.sql.serialize(), seq: heldSeq() };
  };
  disk.heldSeq = heldSeq();
  const die = (): never => {
    events.die(false);
    throw new Killed('killed');
  };
  const commitOf = (writer: Prepared): { run(): void } => {
    const commit = statementOf(writer, 'COMMIT');
    const run = (): void => {
      if (!isRunning()) throw new Killed('killed');
      const fate = disk.isFull ? 'full' : events.fateOfCommit();
      if (fate === 'dies before') die();
      if (fate === 'full') throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
      commit.run();
      disk.heldSeq = heldSeq();
      disk.pages.all += PAGES_PER_COMMIT;
      if (writer === ledger) disk.checkpointed(image());
      else disk.committed(image());
      if (fate === 'dies after') die();
    };
    return { run };
  };
  const checkpoint = (): void => {
    const fate = disk.isFull ? 'full' : events.fateOfCheckpoint();
    if (fate === 'dies before') die();
    if (fate === 'full') throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    if (fate === 'partial') {
      disk.pages.checkpointed = Math.max(disk.pages.checkpointed, disk.pages.all - 1);
      return;
    }
    disk.checkpointed(image());
    disk.pages.all = 0;
    disk.pages.checkpointed = 0;
    if (fate === 'dies after') die();
  };
  const facade = (of: Prepared, changes: Partial<Database.Database>): ChainConnection =>
    Object.assign(Object.create(of.sql) as ChainConnection, { close: () => undefined }, changes);
  const writer = (of: Prepared): ChainConnection =>
    facade(of, {
      prepare: ((text: string) =>
        text === 'COMMIT' ? commitOf(of) : statementOf(of, text)) as Database.Database['prepare'],
      pragma: (text: string, options?: Database.PragmaOptions) => {
        if (!text.startsWith('wal_checkpoint')) return of.sql.pragma(text, options);
        if (of.sql.inTransaction) throw new Database.SqliteError('database table is locked', 'SQLITE_LOCKED');
        if (text === 'wal_checkpoint(PASSIVE)') checkpoint();
        return [disk.pagesNow()];
      },
    });
  return {
    sql: writer(ledger),
    chainSql: writer(chain),
    reader: () =>
      facade(readers, {
        prepare: ((text: string) =>
          text === 'BEGIN' || text === 'COMMIT'
            ? { run: () => undefined }
            : statementOf(readers, text)) as Database.Database['prepare'],
      }),
    image,
    close: (last) => {
      disk.connection = { is: connection, bytes: last?.bytes };
    },
  };
}

/** The file has no name any more when all have opened it, so nothing of it is left when they are closed. */
function connect(bytes: Buffer, disk: Disk): Connection {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-simulated-'));
  const path = join(folder, 'chain.db');
  writeFileSync(path, bytes);
  const open = (): Prepared => {
    const sql = new Database(path);
    // What a power cut takes is the life's to say.
    sql.pragma('synchronous = OFF');
    sql.pragma('journal_mode = MEMORY');
    attachTail(sql, disk);
    return { sql, free: new Map(), used: [] };
  };
  const connection = { ledger: open(), chain: open(), readers: open() };
  rmSync(folder, { recursive: true });
  return connection;
}

function disconnect(connection: Connection): void {
  for (const thread of THREADS) connection[thread].sql.close();
}

/** Of the processes before all statements are free. */
function freeStatements({ free, used }: Prepared): void {
  for (const [text, statement] of used.splice(0)) {
    const others = free.get(text);
    if (others === undefined) free.set(text, [statement]);
    else others.push(statement);
  }
}

function statementOf({ sql, free, used }: Prepared, text: string): Database.Statement {
  const statement = free.get(text)?.pop() ?? sql.prepare(text);
  if (statement.reader) statement.raw(false).pluck(false).safeIntegers(false);
  used.push([text, statement]);
  return statement;
}

const texts = new WeakMap<LogEntry, string>();

/** What `attachLog` gives a connection to files. */
function attachTail(sql: ChainConnection, disk: Disk): void {
  sql.table('log_entries', {
    columns: ['id', 'kind', 'entries'],
    *rows() {
      for (const entry of disk.entries) {
        if (entry.seq <= disk.heldSeq) continue;
        const text = texts.get(entry) ?? Buffer.from(entry.bytes.subarray(2)).toString();
        texts.set(entry, text);
        yield [entry.seq, entry.bytes[1], text];
      }
    },
  });
  sql.exec(`CREATE TEMP VIEW tail AS SELECT id, kind, entries FROM log_entries WHERE id > (SELECT entry_seq FROM main.chain);
    CREATE TEMP VIEW journal AS SELECT id, entries FROM temp.tail WHERE kind = 1`);
}
