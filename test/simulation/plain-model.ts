/**
 * What the entries of a log say, by rules written down once more and as plainly as they can be: every transfer with its status, every account, every
 * event. It is given each entry when that is durable, and judges it: one that no rule explains is a fault of the product.
 */
import { ACCESS, kindOf, GROUP, BLOCK, textOf } from '../../server/store/embedded/chain-log.ts';
import { decodeAccess } from '../../server/store/embedded/access-entry.ts';
import type { EventPlace, StoredWebhook, WebhookChange } from '../../server/store/webhooks/types.ts';
import { decodeBlockEntry, type BlockEntry } from '../../server/store/embedded/block-entry.ts';
import { decodeEntries, type AcceptedEntry } from '../../server/store/embedded/journal.ts';
import { decodeTransaction, txHash, type Cancel, type Transfer } from '../../server/ledger/index.ts';
import type { LogEntry } from '../../server/log/log.ts';
import { isSamePayment, type Payment } from '../../server/gateway/same-payment.ts';

export type Status = 'pending' | 'committed' | 'failed' | 'cancelled' | 'expired';

export interface Known extends Payment {
  seq: number;
  hash: string;
  status: Status;
  owner: string | undefined;
  key: string | undefined;
  cancelRequested: boolean;
  expiryRequested: boolean;
  executedAs: string | undefined;
  height: number | undefined;
}

interface PlainAccount {
  balance: bigint;
  nonce: number;
  voids: Set<number>;
}

export interface PlainWebhook extends Pick<StoredWebhook, 'url' | 'status' | 'version'> {
  secret: string;
  place: EventPlace;
}

export const isBefore = (a: EventPlace, b: EventPlace): boolean =>
  a.height < b.height || (a.height === b.height && a.index < b.index);

export interface PlainEvent {
  height: number;
  index: number;
  type: string;
  hash: string;
}

/** Found by the model: an entry that no rule explains, or an answer that the entries do not give. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function demand(holds: boolean, says: () => string): asserts holds {
  if (!holds) throw new Violation(says());
}

const NONCE_WINDOW = 1024;
const NS_PER_S = 1_000_000_000n;
const INSUFFICIENT_FUNDS = 1;

export class PlainModel {
  readonly supply: bigint;
  readonly accounts = new Map<string, PlainAccount>();
  /** By seq. */
  readonly transfers: Known[] = [];
  readonly byHash = new Map<string, Known>();
  readonly #bySeq = new Map<number, Known>();
  readonly #byKey = new Map<string, Known>();
  readonly #bySlot = new Map<string, Known[]>();
  readonly #pending = new Set<Known>();
  readonly events: PlainEvent[] = [];
  /** Tokens by id, whether they were revoked; owners by address; what the audit trail names, in order. */
  readonly tokens = new Map<string, 'valid' | 'revoked'>();
  readonly owners = new Map<string, string>();
  readonly trail: string[] = [];
  /** Webhooks by id, as entries have made them; their places as the last entry that has one says. */
  readonly webhooks = new Map<string, PlainWebhook>();
  /** Each id with each secret that it ever had. */
  readonly secrets = new Set<string>();
  /** Hash of each entry so far, by its number. */
  readonly places: Uint8Array[];
  height = 0;
  timeNs = 0n;
  #uptimeMs = 0;
  readonly #executed = new Set<string>();

  constructor(first: LogEntry, balances: ReadonlyMap<string, bigint>) {
    this.places = [first.hash];
    for (const [address, balance] of balances) this.accounts.set(address, { balance, nonce: 0, voids: new Set() });
    this.supply = [...balances.values()].reduce((sum, balance) => sum + balance, 0n);
  }

  get lastSeq(): number {
    return this.places.length - 1;
  }

  account(address: string): PlainAccount {
    return this.accounts.get(address) ?? { balance: 0n, nonce: 0, voids: new Set() };
  }

  pendingOf(address: string): Known[] {
    return [...this.#pending].filter(({ from }) => from === address);
  }

  get pending(): Known[] {
    return [...this.#pending];
  }

  at(from: string, nonce: number): readonly Known[] {
    return this.#bySlot.get(`${from}/${nonce}`) ?? [];
  }

  keyed(owner: string, key: string): Known | undefined {
    return this.#byKey.get(`${owner}\n${key}`);
  }

  isVoid(from: string, nonce: number): boolean {
    return this.account(from).voids.has(nonce);
  }

  reserved(address: string): bigint {
    return this.pendingOf(address).reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** The lowest nonce that is neither void nor held by a pending transfer. */
  nextNonce(address: string): number {
    const { nonce, voids } = this.account(address);
    const held = new Set(this.pendingOf(address).map((one) => one.nonce));
    let next = nonce;
    while (voids.has(next) || held.has(next)) next += 1;
    return next;
  }

  /** Applied once, in order. */
  apply(entry: LogEntry): void {
    demand(entry.seq === this.places.length, () => `entry ${entry.seq} came behind entry ${this.lastSeq}`);
    this.places.push(entry.hash);
    const kind = kindOf(entry);
    if (kind === GROUP)
      for (const one of decodeEntries(textOf(entry)))
        if (one.kind === 'accepted') this.#accept(one);
        else this.#requestCancel(one.seq);
    if (kind === BLOCK) this.#block(decodeBlockEntry(textOf(entry)));
    if (kind === ACCESS) this.#changeAccess(textOf(entry));
  }

  #changeAccess(text: string): void {
    for (const write of decodeAccess(text)) {
      if (write[0] === 'insertToken') {
        demand(!this.tokens.has(write[1].id), () => `token ${write[1].id} was made twice`);
        this.tokens.set(write[1].id, 'valid');
      }
      if (write[0] === 'revokeToken') this.tokens.set(write[1], 'revoked');
      if (write[0] === 'saveBinding') this.owners.set(write[1].address, write[1].owner);
      if (write[0] === 'removeBinding') this.owners.delete(write[1]);
      if (write[0] === 'insertWebhook') {
        const { id, url, status, version, secrets, place } = write[1];
        demand(!this.webhooks.has(id), () => `webhook ${id} was made twice`);
        this.webhooks.set(id, { url, status, version, secret: secrets.current, place });
        this.secrets.add(`${id} ${secrets.current}`);
      }
      if (write[0] === 'changeWebhook') this.#changeWebhook(write[1], write[2], write[3]);
      if (write[0] === 'deleteWebhook')
        demand(this.webhooks.delete(write[1]), () => `webhook ${write[1]} was deleted and is not there`);
      if (write[0] === 'movePlaces')
        for (const { id, place } of write[1]) {
          const webhook = this.webhooks.get(id);
          if (webhook !== undefined && isBefore(webhook.place, place)) webhook.place = place;
        }
      if (write[0] === 'appendAudit') this.trail.push(...write[1].map(({ action, subject }) => `${action} ${subject}`));
    }
  }

  #changeWebhook(id: string, version: number, { status, secrets }: WebhookChange): void {
    const webhook = this.webhooks.get(id);
    demand(
      webhook?.version === version,
      () => `webhook ${id} was changed in version ${version}, and has ${webhook?.version}`,
    );
    webhook.version += 1;
    webhook.status = status ?? webhook.status;
    webhook.secret = secrets?.current ?? webhook.secret;
    this.secrets.add(`${id} ${webhook.secret}`);
  }

  #accept({ transfer, idempotencyKey }: AcceptedEntry): void {
    const { seq, hash, from, nonce, amount, owner } = transfer;
    const last = this.transfers.at(-1)?.seq ?? 0;
    demand(seq > last, () => `transfer ${hash} was accepted as number ${seq} behind ${last}`);
    demand(!this.byHash.has(hash), () => `transfer ${hash} was accepted twice`);
    const account = this.account(from);
    demand(nonce >= account.nonce && !account.voids.has(nonce), () => `${hash} was accepted at a nonce that is used`);
    const others = this.at(from, nonce).filter(({ status }) => status === 'pending' || status === 'committed');
    demand(others.length === 0, () => `${hash} was accepted at the nonce of ${others[0]?.hash}`);
    demand(
      account.balance - this.reserved(from) >= amount,
      () => `${hash} was accepted without the money that it moves`,
    );
    const key = idempotencyKey === undefined ? undefined : `${owner}\n${idempotencyKey}`;
    demand(key === undefined || !this.#byKey.has(key), () => `the key of ${hash} belongs to another payment`);
    const known = this.#know(transfer, idempotencyKey, 'pending');
    if (key !== undefined) this.#byKey.set(key, known);
  }

  #know(
    transfer: Payment & { seq: number; hash: string; owner: string | undefined },
    key: string | undefined,
    status: Status,
  ): Known {
    const { seq, hash, from, to, amount, nonce, reference, validUntil, owner } = transfer;
    const known: Known = {
      ...{ seq, hash, from, to, amount, nonce, reference, validUntil, owner, key, status },
      cancelRequested: false,
      expiryRequested: false,
      executedAs: undefined,
      height: undefined,
    };
    this.transfers.push(known);
    this.#pending.add(known);
    this.#bySlot.set(`${from}/${nonce}`, [...this.at(from, nonce), known]);
    this.byHash.set(hash, known);
    this.#bySeq.set(seq, known);
    return known;
  }

  #requestCancel(seq: number): void {
    const found = this.#bySeq.get(seq);
    demand(
      found?.status === 'pending',
      () => `a cancel was asked for of transfer number ${seq}, which is ${found?.status}`,
    );
    found.cancelRequested = true;
  }

  #block(entry: BlockEntry): void {
    const { height, timeNs, transactionCount } = entry.block;
    demand(height === this.height + 1, () => `block ${height} was signed behind block ${this.height}`);
    demand(timeNs > this.timeNs, () => `the time of block ${height} is not later than that of the block before`);
    demand(entry.order.length === transactionCount, () => `block ${height} lacks transactions`);
    demand(entry.uptimeMs >= this.#uptimeMs, () => `uptime went back in block ${height}`);
    this.#uptimeMs = entry.uptimeMs;
    this.height = height;
    this.timeNs = timeNs;
    const codes = new Map(entry.failures.map(([index, code]) => [index, code]));
    const behind: PlainEvent[] = [];
    entry.order.forEach((one, index) => {
      const code = codes.get(index) ?? 0;
      if (typeof one === 'number') {
        const known = this.#bySeq.get(one);
        demand(known !== undefined, () => `block ${height} executes transfer number ${one}, which no group has`);
        this.#transfer(known, known.hash, { index, code, count: transactionCount }, behind);
        return;
      }
      const decoded = decodeTransaction(one);
      demand(decoded.ok, () => `block ${height} has bytes that are no transaction`);
      const { tx } = decoded;
      if (tx.kind === 'cancel') this.#cancel(tx, txHash(one), { index, code });
      else if (tx.kind === 'transfer')
        this.#transfer(paymentOf(tx), txHash(one), { index, code, count: transactionCount }, behind, entry);
    });
    this.events.push(...behind);
    for (const { transfer } of entry.changes)
      if (transfer.expiryRequestedAtMs !== undefined) {
        const known = this.#bySeq.get(transfer.seq);
        if (known !== undefined) known.expiryRequested = true;
      }
    this.#checkAccounts(entry);
  }

  #transfer(
    payment: Payment,
    hash: string,
    { index, code, count }: { index: number; code: number; count: number },
    behind: PlainEvent[],
    entry?: BlockEntry,
  ): void {
    const { from, to, amount, nonce, validUntil } = payment;
    const { height } = this;
    const account = this.accounts.get(from);
    demand(
      account?.nonce === nonce && !account.voids.has(nonce),
      () => `block ${height} executes ${hash} at a nonce that is not next`,
    );
    const slot = `${from}/${nonce}`;
    demand(!this.#executed.has(slot), () => `block ${height} uses a nonce twice`);
    this.#executed.add(slot);
    demand(
      validUntil === undefined || this.timeNs <= BigInt(validUntil) * NS_PER_S,
      () => `block ${height} executes ${hash} later than its validity`,
    );
    const isPaid = account.balance >= amount;
    demand(isPaid ? code === 0 : code === INSUFFICIENT_FUNDS, () => `block ${height} gives ${hash} the code ${code}`);
    if (isPaid) {
      account.balance -= amount;
      const receiver = this.account(to);
      receiver.balance += amount;
      this.accounts.set(to, receiver);
    }
    account.nonce += 1;
    pass(account);
    const status = isPaid ? 'committed' : 'failed';
    const here = this.at(from, nonce);
    let same = here.find((one) => isSamePayment(one, payment));
    demand(
      same === undefined || same.status === 'pending',
      () => `block ${height} executes ${same?.hash}, which is ${same?.status}`,
    );
    if (same === undefined) {
      const seen = entry?.seen.find((row) => row.transfer.hash === hash);
      demand(seen !== undefined, () => `block ${height} executes ${hash}, and no row says so`);
      same = this.#know(seen.transfer, undefined, 'pending');
    }
    this.#settle(same, status, index);
    if (same.hash !== hash) {
      same.executedAs = hash;
      this.byHash.set(hash, same);
    }
    for (const other of here) if (other.status === 'pending') this.#settle(other, 'failed', count + index, behind);
  }

  #cancel(tx: Cancel, hash: string, { index, code }: { index: number; code: number }): void {
    const { from, nonce } = tx;
    const account = this.accounts.get(from);
    demand(
      account !== undefined &&
        code === 0 &&
        nonce >= account.nonce &&
        nonce < account.nonce + NONCE_WINDOW &&
        !account.voids.has(nonce),
      () => `block ${this.height} voids a nonce that is used (${hash})`,
    );
    account.voids.add(nonce);
    pass(account);
    const pending = this.at(from, nonce).filter(({ status }) => status === 'pending');
    if (pending.length === 0)
      this.events.push({ height: this.height, index, type: 'transaction.cancelled', hash: tx.txHash });
    for (const one of pending) {
      const meant = tx.txHash === one.hash;
      this.#settle(
        one,
        one.cancelRequested ? 'cancelled' : one.expiryRequested ? 'expired' : meant ? 'cancelled' : 'failed',
        index,
      );
    }
  }

  #settle(known: Known, status: Status, index: number, events = this.events): void {
    known.status = status;
    this.#pending.delete(known);
    known.height = this.height;
    events.push({ height: this.height, index, type: `transaction.${status}`, hash: known.hash });
  }

  /** The entry names every account that the block changed, as it is afterwards. */
  #checkAccounts({ accounts, block }: BlockEntry): void {
    let sum = 0n;
    for (const { balance } of this.accounts.values()) sum += balance;
    demand(
      sum === this.supply,
      () => `there are ${sum} after block ${block.height}, and were ${this.supply} at genesis`,
    );
    for (const { address, account } of accounts) {
      if (address === '') continue;
      demand(
        this.account(address).balance === account.balance,
        () => `block ${block.height} opens ${address} with ${account.balance}`,
      );
    }
  }
}

const paymentOf = ({ from, to, amount, nonce, reference, validUntil }: Transfer): Payment => ({
  from,
  to,
  amount,
  nonce,
  reference,
  validUntil,
});

function pass(account: PlainAccount): void {
  while (account.voids.delete(account.nonce)) account.nonce += 1;
}
