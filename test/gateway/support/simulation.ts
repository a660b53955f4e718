/**
 * A random life of a gateway on a real SQLite file: clients, outsiders, a mempool that loses things, and death at any
 * moment. It keeps a record of what was promised, and checks it against the gateway and against the chain.
 */
import { expect } from '@jest/globals';
import type { Principal, Submitted, TransactionRecord, TransactionStatus } from '../../../server/gateway/index.ts';
import type { Transaction, Transfer, VerifiedTransaction } from '../../../server/ledger/index.ts';
import { decodeTransaction, txHash } from '../../../server/ledger/index.ts';
import { devAddress, devSeed, signedCancel, signedTransfer } from '../../ledger/support.ts';
import { FaultyStore } from './faulty-store.ts';
import { ALICE, BOB, Fixture, principal } from './fixture.ts';
import { settled } from './manual-clock.ts';
import { Random } from './random.ts';
import { signedAgain } from './second-signature.ts';

type Signed = VerifiedTransaction & { tx: Transfer };

const ACCOUNTS = 5;
const BALANCE = 1000n;
const AMOUNT_MAX = 250;
const CLIENTS: readonly Principal[] = [ALICE, BOB, principal('carol')];
const TTL_MS = 120_000;

interface Promised {
  signed: Signed;
  owner: Principal;
  /** The last status told. */
  status: TransactionStatus;
  /** A client's cancel was recorded. */
  deleted: boolean;
}

/** What a client may be told; a store that works never refuses, and what a client did right is never malformed. */
const REFUSALS = ['nonce_conflict', 'nonce_too_low', 'nonce_cancelled', 'insufficient_funds'];
/** Nobody but the gateway's clients has this account's signatures: what is accepted for it never fails. */
const PRIVATE_ACCOUNT = 0;

export class Simulation {
  readonly random: Random;
  readonly #promised = new Map<string, Promised>();
  readonly #signed: Signed[] = [];
  readonly #stores: FaultyStore[] = [];
  #fixture!: Fixture;
  crashes = 0;
  /** Outcomes met in this life, by status and reason. */
  readonly outcomes = new Set<string>();

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  get promises(): number {
    return this.#promised.size;
  }

  async run(steps: number): Promise<void> {
    this.#fixture = await Fixture.open({
      genesis: { accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: BALANCE })) },
      limits: { pendingTtlMs: TTL_MS },
      wrapStore: (real) => this.#stores[this.#stores.push(new FaultyStore(real)) - 1]!,
    });
    try {
      this.#fixture.engine.checks = this.random.chance(70);
      for (let step = 0; step < steps; step++) {
        await this.#step();
        if (step % 10 === 9) await this.#check();
      }
      await this.#settleAll();
    } finally {
      await this.#fixture.dispose();
    }
  }

  async #step(): Promise<void> {
    const { random } = this;
    this.#fixture.engine.fate = () => random.pick(['take', 'take', 'take', 'lose', 'refuse', 'twice'] as const)!;
    if (random.chance(6)) this.#doom();
    const work: Promise<unknown>[] = [];
    for (let i = random.below(6); i >= 0; i--) work.push(this.#act().catch((error: unknown) => this.#onlyDeath(error)));
    await settled();
    if (random.chance(40)) await this.#block();
    if (random.chance(30)) await this.#fixture.clock.advance(random.below(15_000));
    if (random.chance(5)) this.#fixture.engine.forget();
    // Nothing waits longer than this.
    await this.#fixture.clock.advance(1500);
    await Promise.all(work);
    if (this.#store.dead || random.chance(2)) await this.#reopen();
  }

  get #store(): FaultyStore {
    return this.#stores.at(-1)!;
  }

  #doom(): void {
    if (this.random.chance(30)) this.#store.dieAfterCommit = true;
    else this.#store.callsLeft = this.random.below(25);
  }

  #onlyDeath(error: unknown): void {
    if (!this.#store.dead || !(error instanceof Error) || error.message !== 'killed') throw error;
  }

  async #reopen(): Promise<void> {
    this.crashes += 1;
    this.#store.dead = true;
    await this.#fixture.core.close();
    await this.#fixture.start();
    await settled();
  }

  #act(): Promise<void> {
    const { random } = this;
    const kind = random.below(100);
    if (kind < 45) return this.#submit(this.#newPayment());
    if (kind < 58) return this.#submit(this.#oldPayment(), random.pick(CLIENTS));
    if (kind < 75) return this.#cancel();
    return this.#outsider();
  }

  /** Mostly at the next nonce, sometimes at one that is taken or far ahead. */
  #newPayment(): Signed {
    const { random } = this;
    const from = random.below(ACCOUNTS);
    const base = this.#fixture.engine.ledger.account(devAddress(from))?.nonce ?? 0;
    const nonce = Math.max(0, base + random.below(8) - 1);
    const signed = signedTransfer({ from, to: random.below(ACCOUNTS + 2), nonce, amount: BigInt(1 + random.below(AMOUNT_MAX)) });
    this.#signed.push(signed);
    return signed;
  }

  #oldPayment(): Signed {
    const old = this.random.pick(this.#signed.slice(-30)) ?? this.#newPayment();
    if (this.random.chance(70)) return old;
    const variant = signedAgain(old, devSeed(accountOf(old.tx.from)), `${this.random.below(2)}`);
    this.#signed.push(variant);
    return variant;
  }

  async #submit(signed: Signed, who = CLIENTS[accountOf(signed.tx.from) % CLIENTS.length]!): Promise<void> {
    const answer = await this.#fixture.submit(signed, who);
    if (!answer.ok) {
      expect(REFUSALS).toContain(answer.code);
      return;
    }
    const { txHash: hash } = answer.transaction;
    if (!answer.replayed) {
      expect(this.#promised.has(hash)).toBe(false);
      this.#promised.set(hash, { signed, owner: who, status: 'pending', deleted: false });
    }
    this.#told(answer);
  }

  async #cancel(): Promise<void> {
    const [hash, promise] = this.random.pick([...this.#promised]) ?? [];
    if (hash === undefined || promise === undefined) return;
    const stranger = this.random.chance(10);
    const who = stranger ? principal('mallory') : promise.owner;
    const answer = await this.#fixture.gateway.cancel(hash, who, this.random.chance(50) ? 1000 : 0);
    if (answer.ok) {
      promise.deleted = true;
      this.#told(answer);
    } else expect(stranger ? ['not_submitter'] : ['already_settled']).toContain(answer.code);
  }

  /** Anyone may broadcast anything: other payments, other signatures, bytes long cancelled, the sender's own cancels. */
  async #outsider(): Promise<void> {
    const { random } = this;
    const old = this.#oldPayment();
    const fresh = this.#newPayment();
    if (isPrivate(old) || isPrivate(fresh)) return;
    const choices = [
      () => fresh.raw,
      () => old.raw,
      () => signedCancel({ from: old.tx.from, nonce: old.tx.nonce, signer: devSeed(accountOf(old.tx.from)), txHash: old.hash }).raw,
      () => signedCancel({ from: old.tx.from, nonce: old.tx.nonce, signer: devSeed(accountOf(old.tx.from)), txHash: 'E'.repeat(64) }).raw,
    ];
    const choice = random.chance(25) ? random.pick(choices)! : choices[random.below(2)]!;
    await this.#fixture.engine.broadcast([{ raw: choice() }]);
  }

  async #block(): Promise<void> {
    const outsiders = this.random.chance(20) ? this.#signed.slice(-5).filter((signed) => !isPrivate(signed)).map(({ raw }) => raw) : [];
    await this.#fixture.block({ outsiders, afterMs: this.random.chance(3) ? TTL_MS : 1000 });
  }

  /** What the gateway has said may be repeated, and a terminal status never changes. */
  #told({ transaction }: Pick<Submitted, 'transaction'>): void {
    const promise = this.#promised.get(transaction.txHash);
    if (promise === undefined) return;
    if (promise.status !== 'pending') expect({ hash: transaction.txHash, status: transaction.status }).toEqual({ hash: transaction.txHash, status: promise.status });
    promise.status = transaction.status;
    if (promise.deleted) expect(transaction.status).not.toBe('expired');
  }

  async #check(): Promise<void> {
    if (this.#store.dead || this.#store.callsLeft < Number.POSITIVE_INFINITY || this.#store.dieAfterCommit) await this.#reopen();
    await this.#fixture.clock.advance(1000);
    await settled();
    const { gateway, engine } = this.#fixture;
    // The age of the last block is chance here.
    expect((await gateway.readiness()).checks.filter(({ name, ok }) => !ok && name !== 'block_age')).toEqual([]);
    expect((await gateway.chain()).height).toBe(engine.height);
    const listed = await this.#listAll();
    const rows = new Map(listed.map((record) => [record.txHash, record]));
    expect(rows.size).toBe(listed.length);
    // Nothing acknowledged is lost.
    for (const hash of this.#promised.keys()) {
      const transaction = rows.get(hash);
      expect({ hash, listed: transaction !== undefined }).toEqual({ hash, listed: true });
      if (transaction !== undefined) this.#told({ transaction });
    }
    this.#checkAgainstChain(listed);
    await this.#checkAccounts(listed);
  }

  async #listAll(): Promise<TransactionRecord[]> {
    const all: TransactionRecord[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await this.#fixture.gateway.list({ limit: 1 + this.random.below(50), ...(cursor === undefined ? {} : { cursor }) });
      if (!page.ok) throw new Error(page.detail);
      all.push(...page.transactions);
      if (page.nextCursor === undefined) return all;
      cursor = page.nextCursor;
    }
  }

  /** Committed and failed-by-execution rows are the executed transfers of the chain, one for one; voided ones never are. */
  #checkAgainstChain(listed: readonly TransactionRecord[]): void {
    const executed = new Map<string, 'committed' | 'failed'>();
    const slots = new Set<string>();
    for (const { transactions, codes } of this.#fixture.engine.committed) {
      for (const [index, raw] of transactions.entries()) {
        const tx = transactionOf(raw);
        if (tx === undefined || tx.kind === 'governance' || (codes[index] ?? 99) > 1) continue;
        const slot = `${tx.from}/${tx.nonce}`;
        expect(slots.has(slot)).toBe(false);
        slots.add(slot);
        if (tx.kind === 'transfer') executed.set(txHash(raw), codes[index] === 0 ? 'committed' : 'failed');
      }
    }
    for (const record of listed) {
      if (record.from === ADDRESSES[PRIVATE_ACCOUNT]) expect(record.status).not.toBe('failed');
      const decider = record.executedAs ?? record.txHash;
      const ran = record.status === 'committed' || record.reason?.code === 'insufficient_funds';
      expect({ hash: record.txHash, ran: executed.get(decider) }).toEqual({ hash: record.txHash, ran: ran ? record.status : undefined });
      if (ran) executed.delete(decider);
    }
    expect([...executed]).toEqual([]);
  }

  async #checkAccounts(listed: readonly TransactionRecord[]): Promise<void> {
    const { gateway, engine, store } = this.#fixture;
    for (let i = 0; i < ACCOUNTS + 2; i++) {
      const address = devAddress(i);
      const account = engine.ledger.account(address);
      expect(await gateway.account(address)).toMatchObject({ balance: (account?.balance ?? 0n).toString(), nonce: account?.nonce ?? 0 });
      const pending = listed.filter((record) => record.from === address && record.status === 'pending');
      const [stored] = await store.read((tx) => tx.accountsByAddress([address]));
      expect(stored?.reserved ?? 0n).toBe(pending.reduce((sum, record) => sum + BigInt(record.amount), 0n));
    }
    const pendingHere = listed.filter((record) => record.status === 'pending').length;
    expect((await gateway.metrics()).pending).toBe(pendingHere);
    expect(await store.write(async (tx) => (await tx.lockCounters()).pending)).toBe(pendingHere);
  }

  /** From every state everything can be settled: what no block takes can be cancelled. */
  async #settleAll(): Promise<void> {
    await this.#check();
    this.#fixture.engine.fate = () => 'take';
    // Also what was stored and never acknowledged, because the process died in between.
    const anything = principal('operator', ['transactions:cancel-any']);
    for (const { txHash: hash } of await this.#listAll()) await this.#fixture.gateway.cancel(hash, anything, 0);
    for (let round = 0; round < 4; round++) {
      await this.#fixture.clock.advance(11_000);
      await this.#fixture.block();
    }
    await this.#check();
    for (const { status, reason, executedAs } of await this.#listAll()) this.outcomes.add(`${status} ${executedAs === undefined ? (reason?.code ?? '') : 'executed_as'}`.trim());
    const open = (await this.#listAll()).filter(({ status }) => status === 'pending');
    expect(open).toEqual([]);
    const owners = await this.#fixture.store.write((tx) => tx.ownersByName(CLIENTS.map(({ owner }) => owner)));
    expect(owners.map(({ pending }) => pending)).toEqual(owners.map(() => 0));
  }
}

const ADDRESSES = Array.from({ length: ACCOUNTS + 2 }, (_, i) => devAddress(i));
const isPrivate = ({ tx }: Signed): boolean => tx.from === ADDRESSES[PRIVATE_ACCOUNT];
const accountOf = (address: string): number => ADDRESSES.indexOf(address);

function transactionOf(raw: Uint8Array): Transaction | undefined {
  const decoded = decodeTransaction(raw);
  return decoded.ok ? decoded.tx : undefined;
}
