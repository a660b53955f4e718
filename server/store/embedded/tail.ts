/**
 * The journal as a reader holds it: what was accepted since the last block, newest last, found by hash and by either address.
 *
 * A busy service accepts thousands of transfers between two blocks, and every thread that reads takes in all of them. So taking one in finds
 * the four fields it is looked up by, and the rest of its text is taken apart for the few that somebody asks for.
 */
import { StoreDamagedError } from '../errors.ts';
import type { AcceptedEntry } from './journal.ts';
import { ACCEPTED_LINES, decodeEntries, referenceIn } from './journal.ts';

/** All of one length. */
const ACCEPTED_PREFIX_CHARS = ACCEPTED_LINES[0]?.length ?? 0;

/** A transfer of the journal. */
export class TailEntry {
  readonly seq: number;
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly #line: string;
  readonly #amountAt: number;
  #decoded: AcceptedEntry | undefined;

  constructor(line: string) {
    const seqAt = ACCEPTED_PREFIX_CHARS;
    const hashAt = line.indexOf('\t', seqAt) + 1;
    const fromAt = line.indexOf('\t', hashAt) + 1;
    const toAt = line.indexOf('\t', fromAt) + 1;
    this.seq = Number(line.slice(seqAt, hashAt - 1));
    this.hash = line.slice(hashAt, fromAt - 1);
    this.from = line.slice(fromAt, toAt - 1);
    this.#amountAt = line.indexOf('\t', toAt) + 1;
    this.to = line.slice(toAt, this.#amountAt - 1);
    this.#line = line;
  }

  get amount(): bigint {
    return BigInt(this.#line.slice(this.#amountAt, this.#line.indexOf('\t', this.#amountAt)));
  }

  get reference(): string | undefined {
    return referenceIn(this.#line);
  }

  get nonce(): number {
    const nonceAt = this.#line.indexOf('\t', this.#amountAt) + 1;
    return Number(this.#line.slice(nonceAt, this.#line.indexOf('\t', nonceAt)));
  }

  /** Throws StoreDamagedError for text that this program never wrote. */
  get decoded(): AcceptedEntry {
    return (this.#decoded ??= decodeEntries(this.#line)[0] as AcceptedEntry);
  }
}

interface Group {
  id: number;
  entries: string;
}

export class JournalTail {
  #groups: Group[] = [];
  #newest: TailEntry[] = [];
  #byHash = new Map<string, TailEntry>();
  #bySender = new Map<string, TailEntry[]>();
  #byReceiver = new Map<string, TailEntry[]>();
  #byReference = new Map<string, TailEntry[]>();
  #cancels = new Map<number, number>();
  #generation = 0;

  /** Changes whenever something was forgotten or a cancel was taken in; what was only added leaves it. */
  get generation(): number {
    return this.#generation;
  }

  /** By seq, the newest last. */
  get entries(): readonly TailEntry[] {
    return this.#newest;
  }

  byHash(hash: string): TailEntry | undefined {
    return this.#byHash.get(hash);
  }

  bySender(address: string): readonly TailEntry[] {
    return this.#bySender.get(address) ?? [];
  }

  byReceiver(address: string): readonly TailEntry[] {
    return this.#byReceiver.get(address) ?? [];
  }

  byReference(reference: string): readonly TailEntry[] {
    return this.#byReference.get(reference) ?? [];
  }

  /** When the journal's first request to cancel this transfer came; undefined without one. */
  cancelRequestedAtMs(seq: number): number | undefined {
    return this.#cancels.get(seq);
  }

  /** `firstId` is the lowest id that the journal has; undefined for an empty one. A block has moved what came before it. */
  forgetBefore(firstId: number | undefined): void {
    const [oldest] = this.#groups;
    if (oldest === undefined || oldest.id === firstId) return;
    const kept = firstId === undefined ? [] : this.#groups.filter(({ id }) => id >= firstId);
    if (kept.length === this.#groups.length) return;
    this.#clear();
    for (const group of kept) this.#take(group);
  }

  add(id: number, entries: string): void {
    try {
      this.#take({ id, entries });
    } catch (error) {
      // Half of a group must not be found twice: the reader begins with the whole journal.
      this.#clear();
      throw error;
    }
  }

  #clear(): void {
    this.#generation += 1;
    this.#groups = [];
    this.#newest = [];
    this.#byHash = new Map();
    this.#bySender = new Map();
    this.#byReceiver = new Map();
    this.#byReference = new Map();
    this.#cancels = new Map();
  }

  #take(group: Group): void {
    this.#groups.push(group);
    for (const line of group.entries.split('\n')) {
      if (ACCEPTED_LINES.some((prefix) => line.startsWith(prefix))) this.#takeAccepted(new TailEntry(line));
      else this.#takeCancel(line);
    }
  }

  #takeAccepted(entry: TailEntry): void {
    const last = this.#newest.at(-1);
    if (!(entry.seq > (last?.seq ?? 0)))
      throw new StoreDamagedError(
        `the journal has seq ${entry.seq} after ${last?.seq ?? 0}; restore the database from a backup`,
      );
    this.#newest.push(entry);
    this.#byHash.set(entry.hash, entry);
    append(this.#bySender, entry.from, entry);
    append(this.#byReceiver, entry.to, entry);
    const { reference } = entry;
    if (reference !== undefined) append(this.#byReference, reference, entry);
  }

  #takeCancel(line: string): void {
    const [cancel] = decodeEntries(line);
    if (cancel?.kind !== 'cancel' || this.#cancels.has(cancel.seq)) return;
    this.#cancels.set(cancel.seq, cancel.atMs);
    this.#generation += 1;
  }
}

function append(map: Map<string, TailEntry[]>, key: string, entry: TailEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}
