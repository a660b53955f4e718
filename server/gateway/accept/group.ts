/**
 * State that a group of submissions is checked against: everything it touches, loaded in a few queries under the write lock.
 *
 * The checks change it item by item, so that each submission is checked after those before it: two payments that only one balance covers
 * cannot both pass, and the same payment twice is one.
 */
import type { FollowerState, KeyedTransfer, StoredAccount, StoredOwner, StoredTransfer } from '../../store/index.ts';
import type { Submission } from '../core-api.ts';
import { NO_OWNER } from '../limits.ts';
import { Places, type TakenNonces } from './places.ts';

/** Numbers that a group assigns and counts. */
export interface GroupNumbers {
  /** All pending transfers. */
  readonly pending: number;
  takeSeq(from: string): number;
  takeAccountId(): number;
  takeOwnerId(): number;
  addPending(from: string, count: number): void;
}

export interface GroupRows {
  numbers: GroupNumbers;
  follower: FollowerState;
  accounts: readonly StoredAccount[];
  /** Every row at the slots that the group names. */
  transfers: readonly StoredTransfer[];
  /** The transfers that the group's idempotency keys belong to. */
  keyed: readonly KeyedTransfer[];
  bindings: readonly { address: string; owner: string }[];
  owners: readonly StoredOwner[];
  /** Pending nonces of the senders; undefined for one that has none. */
  taken(account: StoredAccount): TakenNonces | undefined;
}

export interface GroupMoment {
  /** Wall clock. */
  nowMs: number;
  /** Wall clock as far as blocks confirm it: a jump ahead is left out (chain-clock.ts). */
  believedMs: number;
  uptimeMs: number;
}

/** `ownerId` is undefined for a transfer without an owner; its pending transfers are counted under an owner in any case. */
export interface AcceptedRow {
  transfer: StoredTransfer;
  ownerId: number | undefined;
  countedUnder: number;
  tokenId: string | undefined;
  idempotencyKey: string | undefined;
}

export class Group {
  readonly #numbers: GroupNumbers;
  readonly #follower: FollowerState;
  readonly #moment: GroupMoment;
  readonly #accounts: Map<string, StoredAccount>;
  readonly #slots = new Map<string, StoredTransfer[]>();
  readonly #keyed: Map<string, StoredTransfer>;
  readonly #bindings: ReadonlyMap<string, string>;
  readonly #owners: Map<string, StoredOwner>;
  readonly #taken: GroupRows['taken'];
  readonly #places = new Map<number, Places>();
  readonly #changedSenders = new Set<StoredAccount>();
  readonly #newAccounts: StoredAccount[] = [];
  readonly #newOwners: StoredOwner[] = [];
  readonly #accepted: AcceptedRow[] = [];

  constructor(rows: GroupRows, moment: GroupMoment) {
    this.#numbers = rows.numbers;
    this.#follower = rows.follower;
    this.#moment = moment;
    this.#accounts = new Map(rows.accounts.map((account) => [account.address, { ...account }]));
    for (const transfer of rows.transfers) this.#at(transfer.from, transfer.nonce).push(transfer);
    this.#keyed = new Map(rows.keyed.map(({ owner, key, transfer }) => [ownedKey(owner, key), transfer]));
    this.#bindings = new Map(rows.bindings.map(({ address, owner }) => [address, owner]));
    this.#owners = new Map(rows.owners.map((owner) => [owner.name, { ...owner }]));
    this.#taken = rows.taken;
  }

  /** Time of the last block, in milliseconds since 1970. */
  get lastBlockMs(): number {
    return this.#follower.blockTimeMs;
  }

  /** Wall clock as far as blocks confirm it, in milliseconds since 1970. */
  get believedMs(): number {
    return this.#moment.believedMs;
  }

  /** Accounts in the projection, or named as a receiver before. */
  account(address: string): StoredAccount | undefined {
    return this.#accounts.get(address);
  }

  boundTo(address: string): string | undefined {
    return this.#bindings.get(address);
  }

  transfersAt(from: string, nonce: number): readonly StoredTransfer[] {
    return this.#at(from, nonce);
  }

  /** The transfer that the submission's idempotency key belongs to; undefined without a key, and for a new one. */
  transferOfKey({ owner, idempotencyKey }: Submission): StoredTransfer | undefined {
    return owner === undefined || idempotencyKey === undefined
      ? undefined
      : this.#keyed.get(ownedKey(owner, idempotencyKey));
  }

  /** Pending transfers of all owners. */
  get pending(): number {
    return this.#numbers.pending;
  }

  pendingOf(owner: string | undefined): number {
    return this.#owners.get(owner ?? NO_OWNER)?.pending ?? 0;
  }

  placesOf(sender: StoredAccount): Places {
    let places = this.#places.get(sender.id);
    if (places === undefined) this.#places.set(sender.id, (places = new Places(sender, this.#taken(sender))));
    return places;
  }

  /** Adds a submission that passed its checks; its sender has an account. */
  accept(submission: Submission, sender: StoredAccount): StoredTransfer {
    const owner = this.#ownerNamed(submission.owner ?? NO_OWNER);
    const receiver = this.#accounts.get(submission.to) ?? this.#addReceiver(submission.to);
    const transfer: StoredTransfer = {
      seq: this.#numbers.takeSeq(submission.from),
      hash: submission.txHash,
      fromId: sender.id,
      toId: receiver.id,
      from: submission.from,
      to: submission.to,
      amount: submission.amount,
      nonce: submission.nonce,
      reference: submission.reference,
      validUntil: submission.validUntil,
      signature: submission.signature,
      owner: submission.owner,
      status: 'pending',
      reason: undefined,
      reasonHash: undefined,
      executedAs: undefined,
      firstSeenAtMs: this.#moment.nowMs,
      seenBlockMs: this.#follower.blockTimeMs,
      seenUptimeMs: this.#moment.uptimeMs,
      broadcastAtMs: undefined,
      cancelRequestedAtMs: undefined,
      expiryRequestedAtMs: undefined,
      height: undefined,
      blockTimeMs: undefined,
    };
    this.#at(submission.from, submission.nonce).push(transfer);
    sender.reserved += submission.amount;
    this.#changedSenders.add(sender);
    this.placesOf(sender).take(submission.nonce);
    owner.pending += 1;
    this.#numbers.addPending(submission.from, 1);
    const { owner: ownerName, tokenId, idempotencyKey } = submission;
    if (ownerName !== undefined && idempotencyKey !== undefined)
      this.#keyed.set(ownedKey(ownerName, idempotencyKey), transfer);
    this.#accepted.push({
      transfer,
      ownerId: ownerName === undefined ? undefined : owner.id,
      countedUnder: owner.id,
      tokenId,
      idempotencyKey,
    });
    return transfer;
  }

  /** Rows to write, when anything was accepted. */
  changes(): {
    accepted: readonly AcceptedRow[];
    senders: StoredAccount[];
    newAccounts: readonly StoredAccount[];
    newOwners: readonly StoredOwner[];
  } {
    return {
      accepted: this.#accepted,
      senders: [...this.#changedSenders],
      newAccounts: this.#newAccounts,
      newOwners: this.#newOwners,
    };
  }

  #at(from: string, nonce: number): StoredTransfer[] {
    const key = `${from}/${nonce}`;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const empty: StoredTransfer[] = [];
    this.#slots.set(key, empty);
    return empty;
  }

  #ownerNamed(name: string): StoredOwner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner = { id: this.#numbers.takeOwnerId(), name, pending: 0 };
    this.#owners.set(name, owner);
    this.#newOwners.push(owner);
    return owner;
  }

  #addReceiver(address: string): StoredAccount {
    const account: StoredAccount = {
      id: this.#numbers.takeAccountId(),
      address,
      onChain: false,
      balance: 0n,
      nonce: 0,
      voids: 0n,
      reserved: 0n,
    };
    this.#accounts.set(address, account);
    this.#newAccounts.push(account);
    return account;
  }
}

/** A key has no line feed, so no two pairs read alike. */
const ownedKey = (owner: string, key: string): string => `${key}\n${owner}`;
