/**
 * Funds and nonce gaps of senders, held from one read to the next.
 *
 * Rows of accounts and of pending transfers change with a block only, and between two blocks a sender's transfers are only added to. So the
 * result for a sender is valid until the next block, and each read adds what was accepted since.
 */
import type { Account } from '../../ledger/index.ts';
import { isVoid } from '../../ledger/index.ts';
import type { JournalTail } from './tail.ts';

/** Senders held at one time, about 1 KiB each; with more all are dropped, and read again when they are needed. */
const SENDERS_MAX = 4096;

/** A pending row: its place, and whether a client or the time to live requested its cancel. */
export interface PendingPlace {
  seq: number;
  nonce: number;
  amount: bigint;
  cancelled: boolean;
}

export interface SenderRows {
  account: Account;
  pending: readonly PendingPlace[];
}

export interface Sender {
  readonly account: Account;
  /** The lowest nonce that is neither void nor held by a pending transfer. */
  free: number;
  /** The same, where a transfer with a requested cancel does not hold its nonce. */
  gap: number;
  /** The sum of its pending transfers. */
  pendingOut: bigint;
  /** The highest nonce that one of them holds; -1 without any. */
  highest: number;
  /** By the nonce of each pending transfer: true when its cancel was requested. */
  readonly places: ReadonlyMap<number, boolean>;
}

interface Held extends Sender {
  readonly places: Map<number, boolean>;
  /** Number of the tail's transfers that are among the places. */
  taken: number;
}

export class Senders {
  readonly #tail: JournalTail;
  readonly #load: (address: string) => SenderRows;
  readonly #held = new Map<string, Held>();
  #height = -1;
  #generation = -1;

  constructor(tail: JournalTail, load: (address: string) => SenderRows) {
    this.#tail = tail;
    this.#load = load;
  }

  /** Call it once a read, with the height of the last block. */
  refresh(height: number): void {
    const { generation } = this.#tail;
    if (height === this.#height && generation === this.#generation && this.#held.size <= SENDERS_MAX) return;
    this.#held.clear();
    this.#height = height;
    this.#generation = generation;
  }

  of(address: string): Sender {
    const known = this.#held.get(address);
    const sender = known ?? this.#open(address);
    const entries = this.#tail.bySender(address);
    if (known !== undefined && known.taken === entries.length) return known;
    for (; sender.taken < entries.length; sender.taken++) {
      const entry = entries[sender.taken];
      if (entry !== undefined) this.#hold(sender, entry, false);
    }
    advance(sender);
    return sender;
  }

  #open(address: string): Held {
    const { account, pending } = this.#load(address);
    const sender: Held = {
      account,
      free: account.nonce,
      gap: account.nonce,
      pendingOut: 0n,
      highest: -1,
      places: new Map(),
      taken: 0,
    };
    for (const place of pending) this.#hold(sender, place, place.cancelled);
    this.#held.set(address, sender);
    return sender;
  }

  /** Unless a block of the tail has settled it. */
  #hold(sender: Held, place: Omit<PendingPlace, 'cancelled'>, cancelled: boolean): void {
    const decision = this.#tail.decisionOf(place.seq);
    if (decision !== undefined && decision.status !== 'pending') return;
    const isGivenUp = decision?.cancelRequestedAtMs !== undefined || decision?.expiryRequestedAtMs !== undefined;
    hold(sender, place, cancelled || isGivenUp || this.#tail.cancelRequestedAtMs(place.seq) !== undefined);
  }
}

function hold(sender: Held, { nonce, amount }: { nonce: number; amount: bigint }, cancelled: boolean): void {
  sender.places.set(nonce, cancelled);
  sender.pendingOut += amount;
  sender.highest = Math.max(sender.highest, nonce);
}

function advance(sender: Held): void {
  const { account, places } = sender;
  while (places.has(sender.free) || isVoid(account, sender.free)) sender.free += 1;
  for (;;) {
    const cancelled = places.get(sender.gap);
    const runs = cancelled === undefined ? isVoid(account, sender.gap) : !cancelled;
    if (!runs) return;
    sender.gap += 1;
  }
}
