/**
 * The log of a service: everything that it accepted and decided, entry after entry. The log is the state, and everything else is an index
 * of it (reference: Tango, SOSP 2013; docs/decisions/0131).
 *
 * Every entry holds the SHA-256 of the one before, so a process that applied its entries sees that a log has lost its end or was exchanged
 * for another. The last entry is the only lock: an append succeeds behind the entry that its process applied, and behind no other.
 */
import { createHash } from 'node:crypto';

/** Number and hash of an entry: two logs that agree on both agree on all entries before. */
export interface LogPlace {
  /** 0 is the entry that names the chain. */
  readonly seq: number;
  /** SHA-256 of the hash before, the number (8 bytes, big-endian) and the bytes. */
  readonly hash: Uint8Array;
}

export interface LogEntry extends LogPlace {
  /** The first one is the format version. */
  readonly bytes: Uint8Array;
}

export type Appended =
  /** The entry is durable, at this place. */
  | { outcome: 'durable'; place: LogPlace }
  /** Another entry is behind the place, or the log does not have the place: apply the new entries, check again, try again. */
  | { outcome: 'taken' }
  /** Nothing was written, and no reader saw anything: the disk is full, another process has a lock. The same call may succeed later. */
  | { outcome: 'held'; reason: string }
  /**
   * For a log on another machine: the entry may be there, now or later. The same call, with the same place and bytes, finds out; until then
   * nothing else is appended.
   */
  | { outcome: 'unknown'; reason: string };

/** For a log in a file of this process: the outcome of an append is certain, or it throws LogBrokenError. */
export type LocalAppended = Exclude<Appended, { outcome: 'unknown' }>;

type Awaitable<T> = T | Promise<T>;

/** The answers of a store on another machine are promises. */
export interface Log {
  /** The last entry. */
  head(): Awaitable<LogPlace>;
  /**
   * Makes an entry durable behind `previous`. Throws LogBrokenError when its durability is unknown and this process cannot find out: then
   * it must not answer from its memory.
   */
  append(previous: LogPlace, bytes: Uint8Array): Awaitable<Appended>;
  /**
   * The entries behind `after`, in order: all, or as many as have `bytesMax` bytes together, but at least one if there is any. Undefined
   * when some of them were dropped: their reader begins with a store that contains them. Throws LogDamagedError, also when entry `after` is
   * another one here.
   */
  tail(after: LogPlace, bytesMax: number): Awaitable<LogEntry[] | undefined>;
}

/** A log whose outcomes may stay unknown, and whose entries may be lost by a fail-over. */
export interface RemoteLog extends Log {
  append(previous: LogPlace, bytes: Uint8Array): Promise<Appended>;
  /** Appends again an entry that the log had and has lost. */
  appendAgain(previous: LogPlace, bytes: Uint8Array): Promise<Appended>;
  /** Resolves with true when the log has this entry and keeps it. */
  confirm(place: LogPlace): Promise<boolean>;
  /** After a change of server: time that other processes still have to append again the entries that it lacks, ms. */
  settlesInMs(): number;
  tail(after: LogPlace, bytesMax: number): Promise<LogEntry[] | undefined>;
}

/** Format of the entries that this program can apply: their first byte. */
export const ENTRY_FORMAT = 1;
/** Upper bound of an entry. A group of transfers is far below; writers cut longer ones. */
export const ENTRY_BYTES_MAX = 64 * 1024 * 1024;

/** The log differs from what was written. The message is for the operator, with the resolution. */
export class LogDamagedError extends Error {
  override readonly name = 'LogDamagedError';
}

/**
 * The log does not have an entry that its reader applied: an older copy was put in its place, or a standby that lacked it was promoted.
 * `head` is the last entry that it has.
 */
export class LogSteppedBackError extends LogDamagedError {
  readonly head: LogPlace;

  constructor(message: string, head: LogPlace) {
    super(message);
    this.head = head;
  }
}

/** A later version wrote an entry. Nothing of it is skipped. */
export class LogVersionError extends Error {
  override readonly name = 'LogVersionError';
}

/** The system does not let the log be used: no room, no right, a lock. Nothing was changed. The message is for the operator. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
}

/** The disk failed while an entry was written: it may be there after the next start, or not. The process has to end. */
export class LogBrokenError extends Error {
  override readonly name = 'LogBrokenError';
}

const SEQ_BYTES = 8;
/** The hash before the first entry. */
export const NO_HASH: Uint8Array = new Uint8Array(32);

export function entryHash(previous: Uint8Array, seq: number, bytes: Uint8Array): Buffer {
  const number = Buffer.alloc(SEQ_BYTES);
  number.writeBigUInt64BE(BigInt(seq));
  return createHash('sha256').update(previous).update(number).update(bytes).digest();
}

/** The chain of a log. */
export interface LogChain {
  chainId: string;
  genesisHash: string;
}

/** Entry 0, which names the chain; the same in every store, so that hashes do not depend on where a log was begun. */
export function firstEntry({ chainId, genesisHash }: LogChain): LogEntry {
  const bytes = Buffer.concat([Buffer.of(ENTRY_FORMAT), Buffer.from(JSON.stringify({ chainId, genesisHash }))]);
  return { seq: 0, hash: entryHash(NO_HASH, 0, bytes), bytes };
}

/** The bytes of an entry of which only number and hash are left: the format version alone. */
export const BASE: Uint8Array = Buffer.of(ENTRY_FORMAT);
export const isBase = (bytes: Uint8Array): boolean => bytes.length === BASE.length;

/** Throws for bytes that no caller should append. */
export function checkAppended(bytes: Uint8Array): void {
  if (bytes.length > ENTRY_BYTES_MAX)
    throw new RangeError(`an entry of ${bytes.length} bytes is too long to be appended`);
  if (bytes[0] !== ENTRY_FORMAT || isBase(bytes))
    throw new TypeError('the first byte of an entry is its format version');
}

export const samePlace = (one: LogPlace, other: LogPlace): boolean =>
  one.seq === other.seq && Buffer.compare(one.hash, other.hash) === 0;

/** Throws the fault of an entry that was found behind `previous`; `where` names the log in the message. */
export function checkEntry(previous: LogPlace, { seq, hash, bytes }: LogEntry, where: string): void {
  if (seq !== previous.seq + 1)
    throw new LogDamagedError(
      `${where} has entry ${seq} behind entry ${previous.seq}: entries are missing. ${WAY_OUT}`,
    );
  if (Buffer.compare(entryHash(previous.hash, seq, bytes), hash) !== 0)
    throw new LogDamagedError(
      `${where}: the hash of entry ${seq} is not that of its bytes and of the entry before. ${WAY_OUT}`,
    );
  const [format] = bytes;
  if (format !== ENTRY_FORMAT)
    throw new LogVersionError(
      `${where}: entry ${seq} has format ${format}, and this program reads format ${ENTRY_FORMAT}: a later version wrote it; run that one`,
    );
}

export const WAY_OUT = 'Put a backup of the data folder back (txledger restore)';
