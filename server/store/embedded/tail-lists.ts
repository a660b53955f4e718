/** Lists of the journal's transfers since the last block, from memory. */
import type { TransactionStatus } from '../../gateway/types.ts';
import type { JournalTail, TailEntry } from './tail.ts';

/** Above each seq that a row or an entry can have. */
export const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

/** One side, or both, of the transfers of a list, by address. */
export interface AddressSide {
  from?: string | undefined;
  to?: string | undefined;
}

export interface ChainListQuery {
  /** 1 or more. */
  limit: number;
  /** Transfers below this seq only. */
  before?: number | undefined;
  status?: TransactionStatus | undefined;
  /** Any of these, two at most, and two only of one side each; absent for all transfers. */
  sides?: readonly AddressSide[] | undefined;
  /** Only with one side that has a sender. */
  nonce?: number | undefined;
  /** Exactly this one. */
  reference?: string | undefined;
}

/**
 * Matching entries, newest first, at most `max`. With a status: as they were before the first block that chain.db does not have, like the
 * rows of chain.db; so the caller of such a list waits for what was shown.
 */
export function entriesOf(tail: JournalTail, query: ChainListQuery, max: number): TailEntry[] {
  const found: TailEntry[] = [];
  const { status, nonce } = query;
  if (status !== undefined && status !== 'pending') return found;
  const before = status === undefined ? query.before : Math.min(query.before ?? ABOVE_ALL, tail.lastSeqBefore + 1);
  for (const entry of candidates(tail, { ...query, before })) {
    if (nonce !== undefined && entry.nonce !== nonce) continue;
    found.push(entry);
    if (found.length === max) break;
  }
  return found;
}

function candidates(tail: JournalTail, { reference, sides, before = ABOVE_ALL }: ChainListQuery): Iterable<TailEntry> {
  if (reference !== undefined) return ofReference(tail, reference, sides, before);
  if (sides === undefined) return newestFirst(tail.entries, before);
  const [first, second] = sides;
  if (first === undefined) return [];
  return second === undefined
    ? ofSide(tail, first, before)
    : merged(ofSide(tail, first, before), ofSide(tail, second, before));
}

function* ofReference(
  tail: JournalTail,
  reference: string,
  sides: readonly AddressSide[] | undefined,
  before: number,
): Generator<TailEntry> {
  const isOf = (entry: TailEntry, { from, to }: AddressSide): boolean =>
    (from === undefined || entry.from === from) && (to === undefined || entry.to === to);
  for (const entry of newestFirst(tail.byReference(reference), before)) {
    if (sides === undefined || sides.some((side) => isOf(entry, side))) yield entry;
  }
}

function* ofSide(tail: JournalTail, { from, to }: AddressSide, before: number): Generator<TailEntry> {
  const entries = from === undefined ? tail.byReceiver(to ?? '') : tail.bySender(from);
  for (const entry of newestFirst(entries, before)) if (to === undefined || entry.to === to) yield entry;
}

/** From entries by seq, newest last. */
function* newestFirst(entries: readonly TailEntry[], before: number): Generator<TailEntry> {
  for (let at = placeOf(entries, before) - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry !== undefined) yield entry;
  }
}

/** Number of entries below this seq. */
function placeOf(entries: readonly TailEntry[], before: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) < before) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both newest first; an entry in both comes once. */
function* merged(a: Generator<TailEntry>, b: Generator<TailEntry>): Generator<TailEntry> {
  let first = a.next();
  let second = b.next();
  while (!first.done || !second.done) {
    const firstSeq = first.done ? -1 : first.value.seq;
    const secondSeq = second.done ? -1 : second.value.seq;
    if (!first.done && firstSeq >= secondSeq) yield first.value;
    else if (!second.done) yield second.value;
    if (firstSeq >= secondSeq) first = a.next();
    if (secondSeq >= firstSeq) second = b.next();
  }
}
