/**
 * The log port in memory, over the disk of a simulated process. It answers as SqliteLog does (server/log/sqlite-log.ts): three outcomes and an error, behind
 * which nothing is written any more.
 */
import {
  type LocalAppended,
  checkEntry,
  ENTRY_FORMAT,
  entryHash,
  LogBrokenError,
  LogDamagedError,
  type LogEntry,
  type LogPlace,
  samePlace,
} from '../../server/log/log.ts';
import type { LogStorage, OpenLog } from '../../server/store/embedded/chain-log.ts';
import { type Disk, type DiskEvents, Killed } from './disk.ts';

const DROPPED_ENTRIES_MAX = 4;
const BASE_BYTES = 1;

export class MemoryLog implements OpenLog {
  readonly #disk: Disk;
  readonly #events: DiskEvents;
  readonly #isRunning: () => boolean;
  #isBroken = false;

  /** Throws LogDamagedError, as a start does that compares all hashes; what it read is durable from then on. */
  constructor(disk: Disk, events: DiskEvents, isRunning: () => boolean) {
    this.#disk = disk;
    this.#events = events;
    this.#isRunning = isRunning;
    let previous: LogEntry | undefined;
    for (const entry of disk.entries) {
      if (previous !== undefined && (previous.seq > 0 || entry.seq === 1)) checkEntry(previous, entry, 'log.db');
      previous = entry;
    }
    disk.sync();
  }

  head(): LogPlace {
    return this.#disk.head;
  }

  first(): LogPlace {
    return this.#disk.entries[0] as LogEntry;
  }

  append(previous: LogPlace, bytes: Uint8Array): LocalAppended {
    const disk = this.#disk;
    const events = this.#events;
    this.#assertRunning();
    if (this.#isBroken) throw new LogBrokenError('what was last written to log.db may be there or not');
    if (disk.isFull) {
      events.held(bytes);
      return { outcome: 'held', reason: 'SQLITE_FULL' };
    }
    if (!this.isBehind(previous)) return { outcome: 'taken' };
    const seq = previous.seq + 1;
    const entry = { seq, hash: entryHash(disk.head.hash, seq, bytes), bytes };
    const fate = events.fateOfAppend();
    if (fate === 'dies before') this.#die();
    if (fate === 'broken') {
      if (seq % 2 === 0) disk.write(entry);
      this.#isBroken = true;
      throw new LogBrokenError('what was last written to log.db may be there or not');
    }
    disk.write(entry);
    if (fate === 'dies unsynced') this.#die();
    disk.sync();
    events.durable(entry);
    if (fate === 'dies before apply') this.#die();
    if (fate === 'dies before answer') events.die(true);
    return { outcome: 'durable', place: { seq, hash: entry.hash } };
  }

  /** Number and hash (protocol.md, rule 27). */
  isBehind(previous: LogPlace): boolean {
    return samePlace(previous, this.#disk.head);
  }

  tail(after: LogPlace, bytesMax: number): LogEntry[] | undefined {
    const found = this.follow(after.seq, bytesMax);
    if (found === undefined) return undefined;
    this.checkPlace(after);
    let previous = after;
    for (const entry of found) {
      checkEntry(previous, entry, 'log.db');
      previous = entry;
    }
    return found;
  }

  /** Throws when the entry at a place that its reader applied is another one; one that was dropped says nothing. */
  checkPlace({ seq, hash }: LogPlace): void {
    const there = this.#disk.entries.find((entry) => entry.seq === seq);
    if (there === undefined ? seq > this.#disk.head.seq : Buffer.compare(there.hash, hash) !== 0)
      throw new LogDamagedError(`log.db does not have entry ${seq} as it was applied`);
  }

  follow(after: number, bytesMax: number): LogEntry[] | undefined {
    this.#assertRunning();
    const behind = this.#disk.entries.filter(({ seq }) => seq > after);
    const [first] = behind;
    if (first !== undefined && (first.seq !== after + 1 || first.bytes.length === BASE_BYTES)) return undefined;
    let bytesLeft = bytesMax;
    return behind.filter(({ bytes }, index) => {
      bytesLeft -= bytes.length;
      return index === 0 || bytesLeft >= 0;
    });
  }

  drop(seq: number): 'done' | 'more' | 'held' {
    this.#assertRunning();
    if (this.#disk.isFull) return 'held';
    const upTo = Math.min(seq, this.head().seq - 1);
    if (upTo < 1) return 'done';
    return this.#disk.drop(upTo, DROPPED_ENTRIES_MAX) === 0 ? 'done' : 'more';
  }

  restart({ seq, hash }: LogPlace): void {
    this.#disk.entries = [this.#disk.entries[0] as LogEntry, { seq, hash, bytes: Buffer.of(ENTRY_FORMAT) }];
    this.#disk.sync();
  }

  close(): void {
    this.#isBroken = true;
  }

  #die(): never {
    this.#events.die(false);
    throw new Killed('killed');
  }

  #assertRunning(): void {
    if (!this.#isRunning()) throw new Killed('killed');
  }
}

/** Always there: a log that is missing is refused before anything of it is asked. */
export const memoryStorage = (open: () => MemoryLog): LogStorage => ({ exists: () => true, open });
