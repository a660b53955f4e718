/**
 * What a group of submissions is judged against: everything it touches, loaded in a few queries under the write lock.
 *
 * Judging changes it item by item, so that each submission is judged after those before it: two payments that only
 * one balance covers cannot both pass, and the same payment twice is one.
 */
import type { Counters, FollowerState, KeyedTransfer, StoredAccount, StoredOwner, StoredTransfer } from '../../store/index.ts';
import type { Submission } from '../core-api.ts';
import { NO_OWNER } from '../limits.ts';
import { Places, type TakenNonces } from './places.ts';

export interface GroupRows {
  counters: Counters;
  follower: FollowerState;
  accounts: readonly StoredAccount[];
  /** Every row at the slots that the group names. */
  transfers: readonly StoredTransfer[];
  /** The transfers that the group's idempotency keys belong to. */
  keyed: readonly KeyedTransfer[];
  bindings: readonly { address: string; owner: string }[];
  owners: readonly StoredOwner[];
  /** What the senders have pending; undefined for one that has nothing. */
  taken(account: StoredAccount): TakenNonces | undefined;
}

export interface GroupMoment {
  /** Wall clock. */
  nowMs: number;
  uptimeMs: number;
}

/** `ownerId` is undefined when nobody is named as the owner. */
export interface AcceptedRow {
  transfer: StoredTransfer;
  ownerId: number | undefined;
  tokenId: string | undefined;
  idempotencyKey: string | undefined;
}

export class Group {
  readonly counters: Counters;
  readonly #follower: FollowerState;
  readonly #moment: GroupMoment;
  readonly #accounts: Map<string, StoredAccount>;
  readonly #slots = new Map<string, StoredTransfer[]>();
  readonly #keyed: Map<string, StoredTransfer>;
  readonly #bindings: ReadonlyMap<string, string>;
  readonly #owners: Map<string, StoredOwner>;
  readonly #taken: GroupRows['taken'];
  readonly #places = new Map<number, Places>();
  readonly #changedAccounts = new Set<StoredAccount>();
  readonly #changedOwners = new Set<StoredOwner>();
  readonly #accepted: AcceptedRow[] = [];

  constructor(rows: GroupRows, moment: GroupMoment) {
    this.counters = { ...rows.counters };
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

  /** Known to the projection or named as a receiver before. */
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
    return owner === undefined || idempotencyKey === undefined ? undefined : this.#keyed.get(ownedKey(owner, idempotencyKey));
  }

  pendingOf(owner: string | undefined): number {
    return this.#owners.get(owner ?? NO_OWNER)?.pending ?? 0;
  }

  placesOf(sender: StoredAccount): Places {
    let places = this.#places.get(sender.id);
    if (places === undefined) this.#places.set(sender.id, (places = new Places(sender, this.#taken(sender))));
    return places;
  }

  /** The caller judged it good; the sender has an account then. */
  accept(submission: Submission, sender: StoredAccount): StoredTransfer {
    const owner = this.#ownerNamed(submission.owner ?? NO_OWNER);
    const receiver = this.#accounts.get(submission.to) ?? this.#addReceiver(submission.to);
    const transfer: StoredTransfer = {
      seq: this.counters.nextSeq++,
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
    this.#changedAccounts.add(sender);
    this.placesOf(sender).take(submission.nonce);
    owner.pending += 1;
    this.#changedOwners.add(owner);
    this.counters.pending += 1;
    const { owner: ownerName, tokenId, idempotencyKey } = submission;
    if (ownerName !== undefined && idempotencyKey !== undefined) this.#keyed.set(ownedKey(ownerName, idempotencyKey), transfer);
    this.#accepted.push({ transfer, ownerId: ownerName === undefined ? undefined : owner.id, tokenId, idempotencyKey });
    return transfer;
  }

  /** What has to be written, when anything was accepted. */
  changes(): { accepted: readonly AcceptedRow[]; accounts: StoredAccount[]; owners: StoredOwner[] } {
    return { accepted: this.#accepted, accounts: [...this.#changedAccounts], owners: [...this.#changedOwners] };
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
    const owner = { id: this.counters.nextOwnerId++, name, pending: 0 };
    this.#owners.set(name, owner);
    return owner;
  }

  #addReceiver(address: string): StoredAccount {
    const account: StoredAccount = { id: this.counters.nextAccountId++, address, onChain: false, balance: 0n, nonce: 0, voids: 0n, reserved: 0n };
    this.#accounts.set(address, account);
    this.#changedAccounts.add(account);
    return account;
  }
}

/** A key has no line feed, so no two pairs read alike. */
const ownedKey = (owner: string, key: string): string => `${key}\n${owner}`;
