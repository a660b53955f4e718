/**
 * A random life of a gateway, or of several: clients, outsiders, a mempool that loses things, and whatever else its
 * world has in store. It keeps a record of what was promised, and checks it against the gateways and against the chain.
 */
import { expect } from '@jest/globals';
import type {
  Gateway,
  Principal,
  Submitted,
  TransactionRecord,
  TransactionStatus,
} from '../../../server/gateway/index.ts';
import type { Transaction, Transfer, VerifiedTransaction } from '../../../server/ledger/index.ts';
import { CODES, decodeTransaction, txHash } from '../../../server/ledger/index.ts';
import { devAddress, devSeed, signedCancel, signedTransfer, type TransferOptions } from '../../ledger/support.ts';
import { END_OF_BLOCK } from '../../../server/gateway/event-types.ts';
import { expectedEvents, readLog, shown } from './event-log.ts';
import { ALICE, BOB, inputOf, principal, START_MS } from './fixture.ts';
import { settled } from './manual-clock.ts';
import { Random } from './random.ts';
import { signedAgain } from './second-signature.ts';
import type { OpenWorld, World } from './world.ts';
import { pendingCount } from '../../store/support/accepted-rows.ts';

type Signed = VerifiedTransaction & { tx: Transfer };

const ACCOUNTS = 5;
const BALANCE = 1000n;
const AMOUNT_MAX = 250;
const CLIENTS: readonly Principal[] = [ALICE, BOB, principal('carol')];
const TTL_MS = 120_000;
/** Validities end this many seconds after the last block, or before. */
const VALIDITY_S_MAX = 12;
const CLOCK_BEHIND_MS = 86_400_000;
const FLOOD_MAX = 40;
const OTHER_SIGNATURES_MAX = 4;

interface Promised {
  signed: Signed;
  owner: Principal;
  /** The last status told, and when. */
  status: TransactionStatus;
  toldAt: number;
  /** A client's cancel was recorded. */
  deleted: boolean;
}

/** What a client may be told beside what its world excuses; what a client did right is never malformed. */
const REFUSALS = ['nonce_conflict', 'nonce_too_low', 'nonce_cancelled', 'validity_passed', 'insufficient_funds'];
/** Nobody but the gateway's clients has this account's signatures: what is accepted for it never fails. */
const PRIVATE_ACCOUNT = 0;

/** Blocks, each after everything went out again, in which all that can be decided is. */
const ROUNDS = 4;
/** Milliseconds of a wait. */
const WAIT_MS = 1000;

export class Simulation {
  readonly random: Random;
  readonly #open: OpenWorld;
  readonly #promised = new Map<string, Promised>();
  /** Acknowledged, also by a replay of what was stored without an answer. */
  readonly #acknowledged = new Set<string>();
  readonly #signed: Signed[] = [];
  #dryStepsLeft = 0;
  /** What clients wait for. */
  #work: Promise<unknown>[] = [];
  /** Goes up with each answer and with each question, so that it is known which came before which. */
  #moment = 0;
  #world!: World;
  /** Outcomes met in this life, by status and reason. */
  readonly outcomes = new Set<string>();

  constructor(seed: number, open: OpenWorld) {
    this.random = new Random(seed);
    this.#open = open;
  }

  get promises(): number {
    return this.#promised.size;
  }

  get crashes(): number {
    return this.#world.crashes;
  }

  async run(steps: number): Promise<void> {
    this.#world = await this.#open(this.random, {
      genesis: { accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: BALANCE })) },
      limits: { pendingTtlMs: TTL_MS },
    });
    try {
      this.#world.engine.checks = this.random.chance(70);
      // The clock runs ahead of the blocks here. With one that is behind, blocks alone decide which validity has passed, and more transfers expire.
      if (this.random.chance(70)) this.#world.clock.jump(-CLOCK_BEHIND_MS);
      for (let step = 0; step < steps; step++) {
        await this.#step();
        if (step % 10 === 9) await this.#check();
      }
      await this.#settleAll();
    } finally {
      await this.#world.dispose();
    }
  }

  async #step(): Promise<void> {
    const { random } = this;
    const { engine, clock } = this.#world;
    if (this.#world.pendingPerOwnerMax !== undefined && random.chance(2)) await this.#drought();
    engine.fate = () =>
      this.#dryStepsLeft > 0 ? 'lose' : random.pick(['take', 'take', 'take', 'lose', 'refuse', 'twice'] as const)!;
    this.#dryStepsLeft -= 1;
    this.#world.disturb();
    for (let i = random.below(6); i >= 0; i--)
      this.#work.push(this.#act().catch((error: unknown) => this.#world.excuse(error)));
    if (this.#world.pendingPerOwnerMax !== undefined && random.chance(4)) this.#flood();
    await settled();
    if (random.chance(40)) await this.#block();
    if (random.chance(30)) await clock.advance(random.below(15_000));
    if (random.chance(5)) engine.forget();
    // Nothing waits longer than this.
    await clock.advance(WAIT_MS + 500);
    if (!this.#world.holdsCalls) await this.#answers();
    await this.#world.recover();
  }

  async #answers(): Promise<void> {
    await Promise.all(this.#work);
    this.#work = [];
  }

  /** Nothing is taken for some steps: what is pending has to be cancelled for its age, or is executed under signatures that others have. */
  async #drought(): Promise<void> {
    this.#dryStepsLeft = 1 + this.random.below(6);
    await this.#world.clock.advance(this.random.below(2) * TTL_MS);
    await this.#world.block({ afterMs: TTL_MS });
    const known = [...this.#promised.values()]
      .filter(({ status, signed }) => status === 'pending' && !isPrivate(signed))
      .slice(-OTHER_SIGNATURES_MAX);
    const variants = known.map(({ signed }) => signedAgain(signed, devSeed(accountOf(signed.tx.from)), 'drought'));
    this.#signed.push(...variants);
    if (this.random.chance(50)) await this.#world.block({ outsiders: variants.map(({ raw }) => raw) });
  }

  /** All at once, one behind the other. */
  #flood(): void {
    const from = this.random.below(ACCOUNTS);
    const nonce = this.#world.engine.ledger.account(ADDRESSES[from]!)?.nonce ?? 0;
    for (let i = this.random.below(FLOOD_MAX); i >= 0; i--) {
      const signed = signedTransfer({ from, to: this.random.below(ACCOUNTS + 2), nonce: nonce + i, amount: 1n });
      this.#signed.push(signed);
      this.#work.push(this.#submit(signed).catch((error: unknown) => this.#world.excuse(error)));
    }
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
    const base = this.#world.engine.ledger.account(devAddress(from))?.nonce ?? 0;
    const nonce = Math.max(0, base + random.below(8) - 1);
    const signed = signedTransfer({
      from,
      to: random.below(ACCOUNTS + 2),
      nonce,
      amount: BigInt(1 + random.below(AMOUNT_MAX)),
      ...this.#members(),
    });
    this.#signed.push(signed);
    return signed;
  }

  #members(): Pick<TransferOptions, 'reference' | 'validUntil'> {
    const { random } = this;
    const lastS = Math.floor((this.#world.engine.committed.at(-1)?.timeMs ?? START_MS) / 1000);
    return {
      ...(random.chance(30) && { reference: `INV-${random.below(3)}` }),
      ...(random.chance(25) && { validUntil: lastS - 1 + random.below(VALIDITY_S_MAX) }),
    };
  }

  get #nowMs(): number {
    const { engine, clock } = this.#world;
    return Math.max(engine.committed.at(-1)?.timeMs ?? START_MS, clock.nowMs());
  }

  #oldPayment(): Signed {
    const old = this.random.pick(this.#signed.slice(-30)) ?? this.#newPayment();
    if (this.random.chance(70)) return old;
    const variant = signedAgain(old, devSeed(accountOf(old.tx.from)), `${this.random.below(2)}`);
    this.#signed.push(variant);
    return variant;
  }

  async #submit(signed: Signed, who = CLIENTS[accountOf(signed.tx.from) % CLIENTS.length]!): Promise<void> {
    const { gateway, isDead } = this.#world.reach();
    const asked = ++this.#moment;
    const answer = await gateway.submit(inputOf(signed), who);
    if (!answer.ok) {
      if (!isDead()) expect([...REFUSALS, ...this.#world.excuses]).toContain(answer.code);
      // A block can have come since it was asked, or time gone on: what was true then is true now.
      if (answer.code === 'validity_passed')
        expect((signed.tx.validUntil ?? Infinity) * 1000).toBeLessThanOrEqual(this.#nowMs);
      return;
    }
    const { txHash: hash } = answer.transaction;
    this.#acknowledged.add(hash);
    if (!answer.replayed) {
      expect(this.#promised.has(hash)).toBe(false);
      this.#promised.set(hash, { signed, owner: who, status: 'pending', toldAt: asked, deleted: false });
    }
    this.#told(answer, asked);
  }

  async #cancel(): Promise<void> {
    const [hash, promise] = this.random.pick([...this.#promised]) ?? [];
    if (hash === undefined || promise === undefined) return;
    const { gateway, isDead } = this.#world.reach();
    const stranger = this.random.chance(10);
    const who = stranger ? principal('mallory') : promise.owner;
    const [asked, askedAtMs] = [++this.#moment, this.#world.clock.monotonicMs()];
    const waitMs = this.random.chance(50) ? WAIT_MS : 0;
    const answer = await gateway.cancel(hash, who, waitMs);
    if (answer.ok) {
      promise.deleted = true;
      this.#told(answer, asked);
      // Only what decides it, or the end of the wait, wakes who waits.
      if (!answer.decided && !isDead())
        expect(this.#world.clock.monotonicMs() - askedAtMs).toBeGreaterThanOrEqual(waitMs);
    } else if (!isDead())
      expect([stranger ? 'not_submitter' : 'already_settled', ...this.#world.excuses]).toContain(answer.code);
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
      () =>
        signedCancel({
          from: old.tx.from,
          nonce: old.tx.nonce,
          signer: devSeed(accountOf(old.tx.from)),
          txHash: old.hash,
        }).raw,
      () =>
        signedCancel({
          from: old.tx.from,
          nonce: old.tx.nonce,
          signer: devSeed(accountOf(old.tx.from)),
          txHash: 'E'.repeat(64),
        }).raw,
    ];
    const choice = random.chance(25) ? random.pick(choices)! : choices[random.below(2)]!;
    await this.#world.engine.broadcast([{ raw: choice() }]);
  }

  async #block(): Promise<void> {
    const outsiders = this.random.chance(20)
      ? this.#signed
          .slice(-5)
          .filter((signed) => !isPrivate(signed))
          .map(({ raw }) => raw)
      : [];
    await this.#world.block({ outsiders, afterMs: this.random.chance(3) ? TTL_MS : 1000 });
  }

  /** A terminal status never changes, and whoever asks after it was told hears the same. */
  #told({ transaction }: Pick<Submitted, 'transaction'>, asked: number): void {
    const promise = this.#promised.get(transaction.txHash);
    if (promise === undefined) return;
    if (promise.status !== 'pending') {
      const outdated = transaction.status === 'pending' && asked < promise.toldAt;
      if (!outdated)
        expect({ hash: transaction.txHash, status: transaction.status }).toEqual({
          hash: transaction.txHash,
          status: promise.status,
        });
      return;
    }
    promise.status = transaction.status;
    promise.toldAt = ++this.#moment;
    if (promise.deleted) expect(transaction.status).not.toBe('expired');
  }

  async #check(): Promise<void> {
    await this.#world.heal();
    await this.#world.clock.advance(WAIT_MS);
    await settled();
    await this.#answers();
    const lists: TransactionRecord[][] = [];
    for (const gateway of this.#world.gateways) lists.push(await this.#checkGateway(gateway));
    for (const listed of lists) expect(listed).toEqual(lists[0]);
    this.#checkAgainstChain(lists[0] ?? []);
    await this.#checkReserved(lists[0] ?? []);
  }

  async #checkGateway(gateway: Gateway): Promise<TransactionRecord[]> {
    const { engine } = this.#world;
    // The age of the last block is chance here.
    expect((await gateway.readiness()).checks.filter(({ name, ok }) => !ok && name !== 'block_age')).toEqual([]);
    expect((await gateway.chain()).height).toBe(engine.height);
    const listed = await this.#listAll(gateway);
    const rows = new Map(listed.map((record) => [record.txHash, record]));
    expect(rows.size).toBe(listed.length);
    // Nothing acknowledged is lost.
    for (const hash of this.#acknowledged) {
      const transaction = rows.get(hash);
      expect({ hash, listed: transaction !== undefined }).toEqual({ hash, listed: true });
      if (transaction !== undefined) this.#told({ transaction }, this.#moment);
    }
    await this.#checkRecords(gateway, listed);
    await this.#checkEvents(gateway, listed);
    let supply = 0n;
    for (let i = 0; i < ACCOUNTS + 2; i++) {
      const account = engine.ledger.account(devAddress(i));
      const answer = await gateway.account(devAddress(i));
      // Balance and nonce are those of the ledger at the height that the answer names.
      expect(answer).toMatchObject({
        balance: (account?.balance ?? 0n).toString(),
        nonce: account?.nonce ?? 0,
        height: engine.height,
      });
      if (answer.ok)
        expect(answer.pendingOut).toBe(
          listed
            .filter(({ from, status }) => from === devAddress(i) && status === 'pending')
            .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
            .toString(),
        );
      if (answer.ok) supply += BigInt(answer.balance);
    }
    expect(supply).toBe(BigInt(ACCOUNTS) * BALANCE);
    expect((await gateway.metrics()).pending).toBe(listed.filter((record) => record.status === 'pending').length);
    return listed;
  }

  /** Each is what was signed, found by either hash, and the same wherever it is asked for. */
  async #checkRecords(gateway: Gateway, listed: readonly TransactionRecord[]): Promise<void> {
    const signed = new Map(this.#signed.map((one) => [one.hash, one.tx]));
    for (const record of listed) {
      const { txHash: hash, executedAs = hash, from, to, amount, reference, validUntil } = record;
      const tx = signed.get(hash);
      expect({ hash, from, to, amount, reference, validUntil }).toEqual({
        hash,
        from: tx?.from,
        to: tx?.to,
        amount: tx?.amount.toString(),
        reference: tx?.reference,
        validUntil: tx?.validUntil,
      });
      expectForwards(await gateway.get(hash));
      for (const either of new Set([hash, executedAs]))
        expect(await gateway.get(either)).toMatchObject({ ...record, nonce: tx?.nonce });
      // A wait is answered from the core's memory, a list from the database.
      if (this.#world.store === undefined) expect(await gateway.waitUntilSettled(hash, 0)).toEqual(record);
    }
  }

  /** The event log is what the blocks say, in both directions: every settled row once, and every nonce that was voided unknown here. */
  async #checkEvents(gateway: Gateway, listed: readonly TransactionRecord[]): Promise<void> {
    const { committed, height } = this.#world.engine;
    const nonces = new Map(this.#signed.map(({ hash, tx }) => [hash, tx.nonce]));
    const expected = expectedEvents(committed, listed, ({ txHash: hash }) => nonces.get(hash));
    const rows = new Map(listed.map((record) => [record.txHash, record]));
    const { events, last } = await readLog(gateway, { order: 'asc' }, () => 1 + this.random.below(300));
    expect(shown(events, (hash) => rows.get(hash))).toEqual(expected);
    expect(last).toMatchObject({ height, place: { height, index: END_OF_BLOCK } });
    expect(expected.filter(({ record }) => record !== undefined)).toHaveLength(
      listed.filter(({ status }) => status !== 'pending').length,
    );
    if (this.random.chance(25))
      expect((await readLog(gateway, { order: 'desc' }, () => 1 + this.random.below(300))).events).toEqual(
        events.toReversed(),
      );
    if (expected.some(({ record }) => record === undefined)) this.outcomes.add('unknown void');
  }

  async #listAll(gateway: Gateway): Promise<TransactionRecord[]> {
    const all: TransactionRecord[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await gateway.list({
        limit: 1 + this.random.below(50),
        ...(cursor === undefined ? {} : { cursor }),
      });
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
    for (const { transactions, codes, timeNs } of this.#world.engine.committed) {
      for (const [index, raw] of transactions.entries()) {
        const tx = transactionOf(raw);
        if (tx === undefined || tx.kind === 'governance' || (codes[index] ?? 99) > 1) continue;
        const slot = `${tx.from}/${tx.nonce}`;
        expect(slots.has(slot)).toBe(false);
        slots.add(slot);
        // Never in a block later than its validity, failed or not.
        if (tx.kind === 'transfer' && tx.validUntil !== undefined)
          expect(timeNs <= BigInt(tx.validUntil) * 1_000_000_000n).toBe(true);
        if (tx.kind === 'transfer') executed.set(txHash(raw), codes[index] === 0 ? 'committed' : 'failed');
      }
    }
    for (const record of listed) {
      if (record.from === ADDRESSES[PRIVATE_ACCOUNT]) expect(record.status).not.toBe('failed');
      const decider = record.executedAs ?? record.txHash;
      const ran = record.status === 'committed' || record.reason?.code === 'insufficient_funds';
      expect({ hash: record.txHash, ran: executed.get(decider) }).toEqual({
        hash: record.txHash,
        ran: ran ? record.status : undefined,
      });
      if (ran) executed.delete(decider);
    }
    expect([...executed]).toEqual([]);
  }

  async #checkReserved(listed: readonly TransactionRecord[]): Promise<void> {
    const { store } = this.#world;
    if (store === undefined) return;
    const pending = listed.filter((record) => record.status === 'pending');
    for (let i = 0; i < ACCOUNTS + 2; i++) {
      const address = devAddress(i);
      const [stored] = await store.read((tx) => tx.accountsByAddress([address]));
      const reserved = pending
        .filter(({ from }) => from === address)
        .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
      expect(stored?.reserved ?? 0n).toBe(reserved);
    }
    expect(await store.read(pendingCount)).toBe(pending.length);
  }

  /** From every state everything can be settled: what no block takes can be cancelled. */
  async #settleAll(): Promise<void> {
    await this.#check();
    const world = this.#world;
    world.engine.fate = () => 'take';
    // What was handed over before is gone, so that only what still goes out can run.
    world.engine.forget();
    await this.#rounds();
    // Nobody has to help what can run, or what a client asked to cancel; a time to live may have ended just now.
    const stuck = (await this.#listAll(world.gateways[0]!)).filter(({ status }) => status === 'pending');
    const waits = [
      expect.stringContaining('waits for a transfer'),
      expect.stringContaining('time to live'),
      expect.stringContaining('later than its validUntil'),
    ];
    const sent = stuck.filter(({ reason }) => reason?.code === 'broadcast');
    for (const { reason } of stuck.filter((record) => !sent.includes(record)))
      expect(waits).toContainEqual(reason?.detail);
    await this.#checkUnaffordable(sent);
    // Also what was stored and never acknowledged, because the process died in between.
    const anything = principal('operator', ['transactions:cancel-any']);
    for (const { txHash: hash } of await this.#listAll(world.gateways[0]!))
      await world.reach().gateway.cancel(hash, anything, 0);
    await this.#rounds();
    await this.#check();
    const listed = await this.#listAll(world.gateways[0]!);
    for (const { txHash: hash, status, reason, executedAs } of listed) {
      this.outcomes.add(`${status} ${executedAs === undefined ? (reason?.code ?? '') : 'executed_as'}`.trim());
      const detail = status === 'expired' ? await world.gateways[0]!.get(hash) : undefined;
      if (detail !== undefined && !('ok' in detail))
        this.outcomes.add(`expired ${detail.history.find(({ event }) => event === 'expiry_requested')?.reason}`);
    }
    expect(listed.filter(({ status }) => status === 'pending')).toEqual([]);
    if (world.store === undefined) return await this.#fillUp();
    const { owners } = await world.store.write((tx) =>
      tx.groupStanding({ addresses: [], senders: [], owners: CLIENTS.map(({ owner }) => owner) }),
    );
    expect(owners.map(({ pending }) => pending)).toEqual(owners.map(() => 0));
  }

  /** Nothing is pending: each sender can spend all that it has and no more, and each owner has all its places. */
  async #fillUp(): Promise<void> {
    const { gateway } = this.#world.reach();
    const answerOf = async (from: number, amount: bigint, who: Principal): Promise<string> => {
      const account = await gateway.account(ADDRESSES[from]!);
      if (!account.ok) return account.code;
      const answer = await gateway.submit(
        inputOf(signedTransfer({ from, to: from, nonce: account.nextNonce, amount })),
        who,
      );
      return answer.ok ? 'accepted' : answer.code;
    };
    const balances = ADDRESSES.map((address) => this.#world.engine.ledger.account(address)?.balance ?? 0n);
    const richest = balances.reduce((best, balance, i) => (balance > balances[best]! ? i : best), 0);
    const places = this.#world.pendingPerOwnerMax!;
    for (const who of CLIENTS) {
      const answers = [];
      for (let i = 0; i <= places; i++) answers.push(await answerOf(richest, 1n, who));
      expect(answers).toEqual([...Array.from({ length: places }, () => 'accepted'), 'too_many_pending']);
    }
    for (const [from, balance] of balances.entries()) {
      const rest = from === richest ? balance - BigInt(places * CLIENTS.length) : balance;
      expect(await answerOf(from, rest + 1n, principal('spender'))).toBe('insufficient_funds');
      if (rest > 0n) expect(await answerOf(from, rest, principal('spender'))).toBe('accepted');
    }
  }

  /**
   * What goes out again and again can stay pending for one reason: others spent the sender's money, and a mempool does
   * not take what it lacks. The chain itself says so of the first of each sender; the others are behind that one.
   */
  async #checkUnaffordable(sent: readonly TransactionRecord[]): Promise<void> {
    const { engine } = this.#world;
    expect(sent.filter(({ from }) => from === ADDRESSES[PRIVATE_ACCOUNT])).toEqual([]);
    const signed = new Map(this.#signed.map((one) => [one.hash, one]));
    const transfers = sent.map(({ txHash: hash }) => signed.get(hash)!).sort((a, b) => a.tx.nonce - b.tx.nonce);
    engine.forget();
    for (const inOrder of Map.groupBy(transfers, ({ tx }) => tx.from).values()) {
      const codes = (await engine.broadcast(inOrder.map(({ raw }) => ({ raw })))).map(({ code }) => code);
      expect(codes).toEqual(codes.map((_, index) => (index === 0 ? CODES.check_funds : CODES.nonce_gap)));
    }
  }

  async #rounds(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await this.#world.clock.advance(11_000);
      await this.#world.block();
    }
  }
}

const ADDRESSES = Array.from({ length: ACCOUNTS + 2 }, (_, i) => devAddress(i));
const isPrivate = ({ tx }: Signed): boolean => tx.from === ADDRESSES[PRIVATE_ACCOUNT];
const accountOf = (address: string): number => ADDRESSES.indexOf(address);

/** The times of its history never run backwards, and what a block decided has the block's own time beside. */
function expectForwards(detail: Awaited<ReturnType<Gateway['get']>>): void {
  if (detail === undefined || 'ok' in detail) throw new Error('a listed transfer is not found');
  const times = detail.history.map(({ atMs }) => atMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(detail.history.at(-1)?.blockTimeMs).toBe(detail.blockTimeMs);
}

function transactionOf(raw: Uint8Array): Transaction | undefined {
  const decoded = decodeTransaction(raw);
  return decoded.ok ? decoded.tx : undefined;
}
