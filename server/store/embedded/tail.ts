/**
 * The tail of the log as a reader holds it: transfers accepted since the last block of chain.db, newest last, by hash and by either
 * address; and the decisions of later blocks.
 *
 * A busy service accepts thousands of transfers between two blocks, and every thread that reads adds all of them. So adding one parses only
 * the four fields by which it is looked up, and the rest of its text is parsed only for the few that are read.
 */
import { StoreDamagedError } from '../errors.ts';
import type { Account } from '../../ledger/index.ts';
import type { BlockEffects } from './block-entry.ts';
import type { TransferChange } from './block-rows.ts';
import type { AcceptedEntry } from './journal.ts';
import { ACCEPTED_LINES, decodeEntries, encodeEntries, referenceIn } from './journal.ts';

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

/** An entry of the log: a group, or a block. */
type Taken =
  | { id: number; entries: string; block?: undefined }
  | { id: number; entries?: undefined; block: BlockEffects };

/** Decision of a block about a transfer. */
export type Decision = TransferChange['transfer'];

export class JournalTail {
  #taken: Taken[] = [];
  #newest: TailEntry[] = [];
  #byHash = new Map<string, TailEntry>();
  #bySender = new Map<string, TailEntry[]>();
  #byReceiver = new Map<string, TailEntry[]>();
  #byReference = new Map<string, TailEntry[]>();
  #cancels = new Map<number, number>();
  #decisions = new Map<number, Decision>();
  /** By the hash that was executed in place of a transfer. */
  #executed = new Map<string, number>();
  #accounts = new Map<number, Account>();
  /** Leaves of accounts that a block of the tail made. */
  #leaves = new Map<string, number>();
  #lastBlock: BlockEffects | undefined;
  /** Seq of the last transfer before the first block. */
  #lastSeqBefore = Number.MAX_SAFE_INTEGER;
  #generation = 0;

  /** Changes when entries were dropped or a cancel was added; added transfers alone do not change it. */
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

  /** The transfer with this number, if a group of the tail has it. */
  bySeq(seq: number): TailEntry | undefined {
    let low = 0;
    let high = this.#newest.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#newest[middle] as TailEntry).seq < seq) low = middle + 1;
      else high = middle;
    }
    const found = this.#newest[low];
    return found?.seq === seq ? found : undefined;
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

  /** Time of the journal's first request to cancel this transfer; undefined without one. */
  cancelRequestedAtMs(seq: number): number | undefined {
    return this.#cancels.get(seq);
  }

  /** The last block that the tail has. */
  get lastBlock(): { height: number; blockTimeMs: number } | undefined {
    return this.#lastBlock;
  }

  /** Seq of the last transfer that came before the first block of the tail; above all others where it has no block. */
  get lastSeqBefore(): number {
    return this.#lastSeqBefore;
  }

  /** The last decision of a block of the tail about a transfer; undefined where there is none. */
  decisionOf(seq: number): Decision | undefined {
    return this.#decisions.get(seq);
  }

  /** The transfer in whose place a block of the tail executed another one with this hash. */
  executedAs(hash: string): number | undefined {
    return this.#executed.get(hash);
  }

  /** An account that a block of the tail changed; `leaf` is undefined for an address that chain.db has none of. */
  account(address: string, leaf: number | undefined): Account | undefined {
    const at = leaf ?? this.#leaves.get(address);
    return at === undefined ? undefined : this.#accounts.get(at);
  }

  /** `firstId` is the lowest id that the journal has; undefined for an empty one. A block has moved the entries before it. */
  forgetBefore(firstId: number | undefined): void {
    const [oldest] = this.#taken;
    if (oldest === undefined || oldest.id === firstId) return;
    const kept = firstId === undefined ? [] : this.#taken.filter(({ id }) => id >= firstId);
    if (kept.length === this.#taken.length) return;
    this.#clear();
    for (const taken of kept) this.#take(taken);
  }

  add(id: number, entries: string): void {
    this.#takeWhole({ id, entries });
  }

  /** Adds the decisions of a block, after the groups that came before it. */
  decide(id: number, block: BlockEffects): void {
    this.#takeWhole({ id, block });
  }

  #takeWhole(taken: Taken): void {
    try {
      this.#take(taken);
    } catch (error) {
      // Half of a group must not be added twice: the reader begins with the whole journal.
      this.#clear();
      throw error;
    }
  }

  #clear(): void {
    this.#generation += 1;
    this.#taken = [];
    this.#newest = [];
    this.#byHash = new Map();
    this.#bySender = new Map();
    this.#byReceiver = new Map();
    this.#byReference = new Map();
    this.#cancels = new Map();
    this.#decisions = new Map();
    this.#executed = new Map();
    this.#accounts = new Map();
    this.#leaves = new Map();
    this.#lastBlock = undefined;
    this.#lastSeqBefore = Number.MAX_SAFE_INTEGER;
  }

  #take(taken: Taken): void {
    this.#taken.push(taken);
    if (taken.block !== undefined) return this.#takeBlock(taken.block);
    for (const line of taken.entries.split('\n')) {
      if (ACCEPTED_LINES.some((prefix) => line.startsWith(prefix))) this.#takeAccepted(new TailEntry(line));
      else this.#takeCancel(line);
    }
  }

  #takeBlock(block: BlockEffects): void {
    this.#generation += 1;
    if (this.#lastBlock === undefined) this.#lastSeqBefore = this.#newest.at(-1)?.seq ?? 0;
    this.#lastBlock = block;
    for (const { leaf, address, account } of block.accounts) {
      this.#accounts.set(leaf, account);
      if (address !== '') this.#leaves.set(address, leaf);
    }
    for (const { transfer } of block.changes) this.#decide(transfer);
    for (const { transfer } of block.seen) {
      this.#takeAccepted(
        new TailEntry(encodeEntries([{ kind: 'accepted', transfer, tokenId: undefined, idempotencyKey: undefined }])),
      );
      this.#decide(transfer);
    }
  }

  #decide(decision: Decision): void {
    this.#decisions.set(decision.seq, decision);
    if (decision.executedAs !== undefined) this.#executed.set(decision.executedAs, decision.seq);
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
