/**
 * The nonces of an account as a strip of cells: used, void, occupied by a pending transfer, missing, and the next one to sign.
 *
 * Each nonce is used exactly once, in order, so every problem with nonces is a place on this strip. It is computed here and drawn in
 * strip-view.ts; the table beside the picture is made of the same runs.
 */

export type NonceState = 'used' | 'void' | 'pending' | 'gap' | 'next' | 'free';

export interface NonceFacts {
  /** The nonce that the chain expects next. */
  readonly nonce: number;
  /** The nonce to sign next. */
  readonly nextNonce: number;
  readonly gaps: readonly { readonly first: number; readonly last: number }[];
  /** Pending transfers whose nonces are known. */
  readonly pending: readonly { readonly nonce: number; readonly txHash: string }[];
  /** Void nonces, of which those below `nonce` count as used. */
  readonly voids: readonly number[];
}

/** Nonces that follow each other in one state. */
export interface NonceRun {
  readonly state: NonceState;
  readonly first: number;
  readonly last: number;
}

export interface NonceCell extends NonceRun {
  /** Hash of a pending transfer; absent in a cell of several nonces. */
  readonly txHash?: string;
}

export interface NonceStrip {
  /** The picture as text, in a sentence or two. */
  readonly summary: string;
  readonly runs: readonly NonceRun[];
  /** The cells that are drawn: a long run is one cell for its first nonce, one for those between, one for its last. */
  readonly cells: readonly NonceCell[];
  /** True if nonces after the last cell are left out. */
  readonly isCut: boolean;
}

/** Used nonces that are drawn one by one. */
const USED_SHOWN = 3;
/** A longer run is drawn as its ends. */
const RUN_CELLS_MAX = 4;
/** As many as can be read; nonces after them do not matter before these are settled. */
const CELLS_MAX = 24;

export function nonceStrip(facts: NonceFacts): NonceStrip {
  const runs = runsOf(facts);
  const hashes = new Map(facts.pending.map(({ nonce, txHash }) => [nonce, txHash]));
  const cells = runs.flatMap((run) => cellsOf(run, hashes));
  return { summary: summaryOf(facts), runs, cells: cells.slice(0, CELLS_MAX), isCut: cells.length > CELLS_MAX };
}

function runsOf({ nonce, nextNonce, gaps, pending, voids }: NonceFacts): NonceRun[] {
  const aheadVoids = new Set(voids);
  const ends = [nextNonce, ...gaps.map(({ last }) => last + 1), ...pending.map((each) => each.nonce), ...aheadVoids];
  const runs: NonceRun[] = nonce > 0 ? [{ state: 'used', first: 0, last: nonce - 1 }] : [];
  const pendingNonces = new Set(pending.map((each) => each.nonce));
  const last = Math.max(...ends);
  const highestHeld = Math.max(-1, ...pendingNonces, ...gaps.map((gap) => gap.last + 1));
  const stateOf = (at: number): NonceState => {
    if (aheadVoids.has(at)) return 'void';
    if (pendingNonces.has(at)) return 'pending';
    if (at === nextNonce) return 'next';
    if (gaps.some((gap) => gap.first <= at && at <= gap.last)) return 'gap';
    // Below a pending transfer, a nonce that is neither void nor missing is pending too, though its nonce was not read.
    return at < nextNonce || at <= highestHeld ? 'pending' : 'free';
  };
  for (let at = nonce; at <= last; at += 1) {
    const state = stateOf(at);
    const before = runs.at(-1);
    if (before?.state === state) runs[runs.length - 1] = { ...before, last: at };
    else runs.push({ state, first: at, last: at });
  }
  // The strip continues: without this run the last cell would look like the last nonce of all.
  const end = runs.at(-1);
  if (end?.state !== 'free') runs.push({ state: 'free', first: last + 1, last: last + 1 });
  return runs;
}

function cellsOf(run: NonceRun, hashes: ReadonlyMap<number, string>): NonceCell[] {
  const { state, first, last } = run;
  const cell = (from: number, to = from): NonceCell => {
    const txHash = from === to ? hashes.get(from) : undefined;
    return { state, first: from, last: to, ...(txHash !== undefined && state === 'pending' && { txHash }) };
  };
  const each = (from: number, to: number): NonceCell[] =>
    Array.from({ length: to - from + 1 }, (_, i) => cell(from + i));
  if (last - first < RUN_CELLS_MAX) return each(first, last);
  // Of used nonces the latest ones matter, of other runs both ends.
  if (state === 'used') return [cell(first, last - USED_SHOWN), ...each(last - USED_SHOWN + 1, last)];
  return [cell(first), cell(first + 1, last - 1), cell(last)];
}

const nonces = (first: number, last: number): string =>
  first === last ? `Nonce ${first}` : `Nonces ${first} to ${last}`;

function summaryOf({ nonce, nextNonce, gaps, pending }: NonceFacts): string {
  const used = nonce === 0 ? 'No nonce is used yet.' : `${nonces(0, nonce - 1)} ${nonce === 1 ? 'is' : 'are'} used.`;
  const next = `Sign the next transfer with nonce ${nextNonce}.`;
  const [gap] = gaps;
  if (gap === undefined) return `${used} ${next}`;
  const waiting = pending.filter((each) => each.nonce > gap.first).length;
  const held =
    waiting === 1 ? 'one pending transfer' : waiting === 0 ? 'pending transfers' : `${waiting} pending transfers`;
  const missing = gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return `${used} ${next} ${missing === 1 ? `It is missing and holds up ${held}.` : `${missing} nonces from ${gap.first} on are missing and hold up ${held}.`}`;
}

/** The meaning of each state, for the legend and the table. */
export const NONCE_STATES: Readonly<Record<NonceState, { readonly name: string; readonly meaning: string }>> = {
  used: { name: 'used', meaning: 'A block executed, failed or voided it. It can never be used again.' },
  void: { name: 'void', meaning: 'Cancelled ahead of its turn. No transfer can use it.' },
  pending: { name: 'pending', meaning: 'A transfer holds it and waits for a block.' },
  gap: { name: 'gap', meaning: 'Missing. Pending transfers with higher nonces wait until it is used.' },
  next: { name: 'next', meaning: 'Sign the next transfer with it.' },
  free: { name: 'free', meaning: 'Not used yet.' },
};

/** Void nonces from the bit map of the proven state: bit i is `nonce + i`, in hex, highest bit first. */
export function voidNonces(nonce: number, bits: string): number[] {
  const map = bits === '' ? 0n : BigInt(`0x${bits}`);
  const found: number[] = [];
  for (let i = 0, rest = map; rest > 0n; i += 1, rest >>= 1n) if (rest & 1n) found.push(nonce + i);
  return found;
}
