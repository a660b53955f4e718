/**
 * A random life of one process: clients, outsiders, a disk and a clock that fail, and a process that dies between any two steps. One seed gives one
 * life. What the product answers is compared with a plain model of what its log says; what was promised is kept to the end.
 */
import { createHash } from 'node:crypto';
import { STEPS_TRANSACTIONS_MIN } from '../../server/engine/embedded/block-loop.ts';
import { CLOCK_AHEAD_MS_MAX } from '../../server/engine/ports.ts';
import { readPrecommitTimeNs } from '../../server/engine/encoding/vote-time.ts';
import { EngineStartError, validatorKeyFromSeed } from '../../server/engine/embedded/index.ts';
import { createAdministration } from '../../server/gateway/index.ts';
import type { Principal, Refusal, Submitted, TransactionRecord } from '../../server/gateway/index.ts';
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import { ENTRY_FORMAT, entryHash, type LogEntry } from '../../server/log/log.ts';
import { accessRows } from '../../server/store/embedded/admin.ts';
import { BLOCK, kindOf, textOf, UPTIME } from '../../server/store/embedded/chain-log.ts';
import { decodeBlockEntry } from '../../server/store/embedded/block-entry.ts';
import { type LocalWebhookWrite, webhookRows } from '../../server/store/embedded/webhooks.ts';
import type { EventPlace } from '../../server/store/webhooks/types.ts';
import { StoreDamagedError, StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/errors.ts';
import { Random } from '../gateway/support/random.ts';
import { devAddress, testGenesis, validatorSeed } from '../ledger/support.ts';
import type { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import type { Coverage } from './coverage.ts';
import { type AppendFate, type CheckpointFate, type CommitFate, Disk, type DiskEvents, Killed } from './disk.ts';
import { demand, isBefore, type Known, PlainModel, type Status, Violation } from './plain-model.ts';
import {
  ACCOUNTS,
  addresses,
  BALANCE,
  cancelOf,
  NONCES,
  NONCES_SIGNED_TWICE,
  payment,
  SMALL,
  paymentSignedAgain,
  type Signed,
  START_MS,
  VARIANTS,
} from './prepared.ts';
import { SimulatedProcess, TTL_MS } from './process.ts';
import { settle, VirtualTime } from './time.ts';

export const STEPS = 200;
/** Of virtual time behind the last fault, after which everything has to be settled. */
const SETTLED_MS_MAX = 30 * 60_000;
const FOLLOWED_MAX = 12;
const WAIT_MS = 2000;
const SLOW_MS_MAX = 400;
const JUMP_MS_MIN = 15_000;
const JUMP_MS_MAX = 600_000;
const JUMPS_MAX = 8;
/** A block's reading of the clock is older than its append by what the disk took. */
const READING_MS_MAX = 1000;
const MS = 1_000_000n;

const genesis = testGenesis({
  accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: BALANCE })),
});
const validatorKey = validatorKeyFromSeed(validatorSeed(0));
const CLIENTS: readonly Principal[] = ['alice', 'bob', 'carol'].map((owner) => ({ owner, tokenId: owner, scopes: [] }));
const MALLORY: Principal = { owner: 'mallory', tokenId: 'mallory', scopes: [] };
const KEYS = 6;
/** Of accounts that pay nothing, so that no payment is refused for a binding. */
const BOUND = Array.from({ length: 4 }, (_, i) => devAddress(ACCOUNTS + i));
const OWNERS = ['alice', 'bob'] as const;
/** An orderly end waits for nothing that takes time. */
const STOP_TURNS_MAX = 20;
/** One life of so many has a flood: it costs as much as the rest of it. */
const LIVES_FOR_FLOOD = 16;
const FLOOD_OF_ACCOUNT = 36;

export interface LifeResult {
  seed: number;
  /** Undefined: nothing was wrong. */
  fault: Error | undefined;
  /** Of everything that happened. */
  traceHash: string;
  steps: number;
  promises: number;
  blocks: number;
  deaths: number;
}

/** Why a life proves nothing, which is a fault of the generator. */
export function stoodStill({ promises, blocks, deaths, steps }: LifeResult): string | undefined {
  if (promises < steps / 20) return `it has ${promises} promises in ${steps} steps`;
  if (blocks < steps / 60) return `it has ${blocks} blocks in ${steps} steps`;
  if (deaths === 0) return 'no process died in it';
  return undefined;
}

export interface LifeOptions {
  seed: number;
  coverage: Coverage;
  steps?: number;
  /** Each step as a line. */
  onTrace?: (line: string) => void;
}

export async function runLife(options: LifeOptions): Promise<LifeResult> {
  const life = new Life(options);
  let fault: Error | undefined;
  try {
    await life.run();
  } catch (error) {
    fault = error as Error;
  }
  life.dispose();
  return life.result(fault);
}

class Life {
  readonly #seed: number;
  readonly #steps: number;
  readonly #floodAt: number;
  /** In some lives chain.db is written at once, and in some it is far behind. */
  readonly #chainPercent: number;
  readonly #random: Random;
  readonly #coverage: Coverage;
  readonly #onTrace: ((line: string) => void) | undefined;
  readonly #trace = createHash('sha256');
  readonly #time = new VirtualTime(START_MS);
  readonly #disk: Disk;
  readonly #model: PlainModel;
  readonly #events: DiskEvents;
  #process: SimulatedProcess | undefined;
  /** chain.db as the last death left it. */
  #chainFile: Buffer;
  #faultsOn = true;
  /** The last append or commit of this process met a fault that lets it end. */
  #mayEnd = false;
  #deaths = 0;
  #step = 0;
  /** A block that the log has had no place for so far. */
  #heldBlock: { signedMs: number } | undefined;
  #heldUntilStep = -Infinity;
  /** Of the last block that this process signed: its vote, and when. */
  #vote: { ns: bigint; monotonicMs: number } | undefined;
  /** What clients were told last of a payment, by hash. */
  readonly #told = new Map<string, Status>();
  readonly #fresh = new Set<string>();
  /** A fault that showed where nobody could catch it. */
  #violation: Error | undefined;
  /** What was acknowledged of tokens: made, or revoked. */
  readonly #tokens = new Map<string, 'valid' | 'revoked'>();
  /** Up to which event a webhook was sent what there is. */
  readonly #sent = new Map<string, EventPlace>();
  /** Payments that clients know, newest last. */
  readonly #known: { signed: Signed; who: Principal; key: string | undefined }[] = [];

  constructor({ seed, coverage, steps = STEPS, onTrace }: LifeOptions) {
    this.#seed = seed;
    this.#steps = steps;
    this.#random = new Random(seed);
    this.#floodAt = this.#random.below(LIVES_FOR_FLOOD) === 0 ? this.#random.below(steps) : -1;
    this.#coverage = coverage;
    this.#chainPercent = this.#random.pick([0, 20, 60]) as number;
    this.#onTrace = onTrace;
    this.#disk = new Disk(this.#random, { chainId: genesis.chainId, genesisHash: genesis.hash });
    this.#model = new PlainModel(
      this.#disk.head,
      new Map(addresses.slice(0, ACCOUNTS).map((address) => [address, BALANCE])),
    );
    this.#chainFile = this.#disk.afterDeath('kill', undefined);
    this.#events = {
      fateOfAppend: () => this.#fateOfAppend(),
      fateOfCommit: () => this.#fateOfCommit(),
      fateOfCheckpoint: () => this.#fateOfCheckpoint(),
      durable: (entry) => this.#durable(entry),
      held: (bytes) => this.#held(bytes),
      die: () => undefined,
      pass: (ms) => this.#time.pass(ms),
    };
  }

  result(fault: Error | undefined): LifeResult {
    return {
      seed: this.#seed,
      fault,
      traceHash: this.#trace.digest('hex'),
      steps: this.#step,
      promises: this.#fresh.size,
      blocks: this.#model.height,
      deaths: this.#deaths,
    };
  }

  dispose(): void {
    this.#faultsOn = false;
    if (this.#process !== undefined) this.#process.bury();
    this.#disk.close();
  }

  async run(): Promise<void> {
    for (; this.#step < this.#steps; this.#step += 1) {
      const before = this.#state();
      const name = this.#process === undefined ? await this.#whileDown() : await this.#act();
      await settle();
      this.#look();
      if (this.#process !== undefined) {
        this.#check();
        await this.#checkAccess();
      }
      this.#coverage.move(before, name, this.#state());
      this.#note(`${this.#step} ${name} ${this.#time.monotonicMs} ${this.#model.lastSeq} ${this.#model.height}`);
    }
    await this.#end();
  }

  #note(line: string): void {
    this.#trace.update(`${line}\n`);
    this.#onTrace?.(line);
  }

  /** What a state is, for the count of states. */
  #state(): string {
    const few = (count: number): string => (count === 0 ? '0' : count < 3 ? 'few' : 'many');
    const aheadMs = this.#time.wallAheadMs - START_MS;
    const process = this.#process;
    return [
      process === undefined ? 'down' : 'up',
      this.#disk.isFull ? 'full' : 'room',
      aheadMs > CLOCK_AHEAD_MS_MAX ? 'ahead' : aheadMs < -CLOCK_AHEAD_MS_MAX ? 'behind' : 'right',
      `blocks behind ${few(process === undefined ? 0 : this.#model.height - process.commits.height)}`,
      `pending ${few(this.#model.pending.length)}`,
      `log ${few(this.#disk.entries.length - 2)}`,
    ].join(', ');
  }

  // --- the disk ---

  #fateOfAppend(): AppendFate {
    const fate = this.#faultsOn ? this.#pickFate() : 'durable';
    if (fate !== 'durable') this.#coverage.count(`append ${fate}`);
    if (fate === 'broken') this.#mayEnd = true;
    if (fate === 'slow') this.#time.pass(1 + this.#random.below(SLOW_MS_MAX));
    return fate;
  }

  #pickFate(): AppendFate {
    const kind = this.#random.below(1000);
    if (kind < 30) return 'slow';
    if (kind < 35) return 'dies before';
    if (kind < 41) return 'dies unsynced';
    if (kind < 46) return 'dies before apply';
    if (kind < 51) return 'dies before answer';
    return kind < 56 ? 'broken' : 'durable';
  }

  #fateOfCommit(): CommitFate {
    const kind = this.#faultsOn ? this.#random.below(1000) : 999;
    const fate =
      kind < 8 ? 'dies before' : kind < 16 ? 'dies after' : kind < 30 && this.#process ? 'full' : 'committed';
    if (fate !== 'committed') this.#coverage.count(`commit ${fate}`);
    return fate;
  }

  #fateOfCheckpoint(): CheckpointFate {
    const kind = this.#faultsOn ? this.#random.below(100) : 99;
    const fate =
      kind < 3 ? 'dies before' : kind < 6 ? 'dies after' : kind < 16 ? 'partial' : kind < 20 ? 'full' : 'whole';
    this.#coverage.count(`checkpoint ${fate}`);
    return fate;
  }

  /** A block that the log has no place for is signed already, and nothing is answered from the memory behind it. */
  #held(bytes: Uint8Array): void {
    if (bytes[1] !== BLOCK) return;
    if (this.#heldBlock === undefined) this.#coverage.count('block held');
    this.#heldBlock ??= { signedMs: this.#time.monotonicMs };
  }

  #durable(entry: LogEntry): void {
    this.#note(`entry ${Buffer.from(entry.hash).toString('hex')}`);
    try {
      this.#model.apply(entry);
      if (kindOf(entry) === BLOCK) this.#signed(entry);
    } catch (error) {
      this.#violation ??= error as Error;
    }
  }

  /** What the guard refuses is not signed: a vote is never further ahead of the one before than time has passed. */
  #signed(entry: LogEntry): void {
    const { block, signed } = decodeBlockEntry(textOf(entry));
    const ns = readPrecommitTimeNs(signed.signBytes as Uint8Array) ?? 0n;
    const monotonicMs = this.#heldBlock?.signedMs ?? this.#time.monotonicMs;
    if (this.#heldBlock !== undefined) this.#heldUntilStep = this.#step;
    this.#heldBlock = undefined;
    if (block.transactionCount >= STEPS_TRANSACTIONS_MIN) this.#coverage.count('block made in steps');
    if (this.#vote !== undefined && ns > block.timeNs + MS) {
      const passedMs = monotonicMs - this.#vote.monotonicMs + READING_MS_MAX;
      demand(
        ns - this.#vote.ns <= BigInt(Math.ceil(passedMs + CLOCK_AHEAD_MS_MAX)) * MS,
        () =>
          `the vote of block ${block.height} is ${(ns - this.#vote!.ns) / MS} ms later than the one before, and ${passedMs} ms have passed`,
      );
    }
    this.#vote = { ns, monotonicMs };
  }

  // --- processes ---

  /** After a step: what died is buried, and what nobody caught is thrown. */
  #look(): void {
    if (this.#violation !== undefined) throw this.#violation;
    const process = this.#process;
    if (process === undefined || process.isRunning) return;
    const { fatal } = process;
    if (fatal !== undefined && !isDeath(fatal)) {
      // A full disk holds, and ends nothing.
      demand(
        fatal instanceof StoreOutcomeUnknownError && this.#mayEnd,
        () => `the process ended itself: ${fatal.stack}`,
      );
    }
    this.#bury();
  }

  #bury(kind: 'kill' | 'power' = this.#random.chance(50) ? 'kill' : 'power'): void {
    const process = this.#process;
    if (process === undefined) return;
    this.#process = undefined;
    this.#heldBlock = undefined;
    this.#deaths += 1;
    this.#afterDeath(process.bury(), kind);
  }

  #afterDeath(image: { bytes: Buffer; seq: number }, kind: 'kill' | 'power'): void {
    this.#coverage.count(kind === 'kill' ? 'left by a kill' : 'left by a power cut');
    this.#chainFile = this.#disk.afterDeath(kind, image);
    if (this.#chainFile !== image.bytes && kind === 'power') this.#coverage.count('chain.db went back');
    this.#vote = undefined;
    this.#mayEnd = false;
    // What was not synced and is there all the same was never shown; from now on it counts.
    for (const entry of this.#disk.entries) {
      if (entry.seq <= this.#model.lastSeq) continue;
      this.#coverage.count('un-synced entry survived');
      this.#model.apply(entry);
    }
  }

  async #whileDown(): Promise<string> {
    const { random } = this;
    if (random.chance(20)) {
      await this.#time.advance(random.below(5000));
      return 'time passes';
    }
    if (this.#disk.isFull && random.chance(40)) {
      this.#disk.isFull = false;
      return 'disk has room';
    }
    if (this.#disk.isFull || !this.#faultsOn) {
      await this.#start();
      return 'start';
    }
    if (random.chance(6)) return await this.#startWithForeignLog();
    if (random.chance(8)) return await this.#startWithOlderChain();
    await this.#start();
    return 'start';
  }

  get random(): Random {
    return this.#random;
  }

  /** Dies on the way or is there; anything else is a fault. */
  async #start(): Promise<void> {
    const refused = await this.#tryStart(this.#chainFile);
    if (refused instanceof StoreUnavailableError && this.#disk.isFull)
      return this.#coverage.count('start refused by a full disk');
    if (refused !== undefined) throw new Violation(`a start was refused: ${refused.stack}`);
  }

  /** @returns what the product says where it does not start. */
  async #tryStart(chainFile: Buffer): Promise<Error | undefined> {
    const found: { image?: { bytes: Buffer; seq: number } } = {};
    try {
      this.#process = await SimulatedProcess.open(
        {
          genesis,
          validatorKey,
          time: this.#time,
          disk: this.#disk,
          chainFile,
          events: this.#events,
          bytes: (n) => Uint8Array.from({ length: n }, () => this.#random.below(256)),
        },
        (image) => (found.image = image),
      );
    } catch (error) {
      if (!isDeath(error as Error)) {
        if (this.#disk.isFull && found.image !== undefined)
          this.#chainFile = this.#disk.afterDeath('kill', found.image);
        return error as Error;
      }
      this.#coverage.count('start died');
      this.#deaths += 1;
      if (found.image !== undefined) this.#afterDeath(found.image, this.#random.chance(50) ? 'kill' : 'power');
      return undefined;
    }
    this.#checkWebhookRows();
    return undefined;
  }

  /** The log of another history, with as many entries: seen by the hash of the entry that chain.db names. */
  async #startWithForeignLog(): Promise<string> {
    const { entries } = this.#disk;
    const held = this.#heldSeq();
    const at = entries.findIndex(({ seq }) => seq === held);
    if (at < 1) {
      await this.#start();
      return 'start';
    }
    this.#disk.entries = foreign(entries, at);
    const refused = await this.#tryStart(this.#chainFile);
    const isRefused = refused instanceof StoreDamagedError || refused instanceof EngineStartError;
    demand(isRefused, () => `a log of another history was taken: ${refused?.stack ?? 'no error'}`);
    this.#disk.entries = entries;
    this.#coverage.count('refused a foreign log');
    return 'start with a foreign log';
  }

  #heldSeq(): number {
    return this.#disk.seqOf(this.#chainFile);
  }

  async #startWithOlderChain(): Promise<string> {
    const older = this.#disk.olderCopy();
    if (older === undefined) {
      await this.#start();
      return 'start';
    }
    const isWhole = older.seq > 0 && (older.seq + 1 >= this.#disk.baseSeq || older.seq >= this.#disk.head.seq);
    const refused = await this.#tryStart(older.bytes);
    if (refused === undefined) this.#disk.putBack(older);
    if (isWhole) {
      demand(refused === undefined, () => `a chain.db whose entries are all there was refused: ${refused?.stack}`);
      this.#coverage.count('start with an older chain.db');
      return 'start with an older chain.db';
    }
    if (refused === undefined) return 'start with an older chain.db';
    const isRightly = refused instanceof StoreDamagedError || refused instanceof EngineStartError;
    demand(isRightly, () => `an older chain.db was refused: ${refused.stack}`);
    this.#coverage.count('refused an older chain.db');
    return 'start with an older chain.db';
  }

  // --- steps of a process that runs ---

  async #act(): Promise<string> {
    const { random } = this;
    const process = this.#process as SimulatedProcess;
    if (this.#disk.isFull && random.chance(6)) {
      this.#disk.isFull = false;
      return 'disk has room';
    }
    const isRight = Math.abs(this.#time.wallAheadMs - START_MS) <= CLOCK_AHEAD_MS_MAX;
    if (!isRight && random.chance(5)) {
      this.#time.wallAheadMs = START_MS;
      return 'clock set right';
    }
    if (this.#step === this.#floodAt) return this.#flood();
    if (process.chain.isDue && random.chance(this.#chainPercent)) return this.#chainStep();
    const kind = random.below(1000);
    if (kind < 30) return this.#changeAccess();
    if (kind < 60) return this.#changeWebhooks();
    if (kind < 85) return this.#deliver();
    if (kind < 250) return this.#submitSome();
    if (kind < 330) return this.#submitAgain();
    if (kind < 430) return this.#cancelOne();
    if (kind < 490) return this.#outsider();
    if (kind < 690) {
      const timersMax = random.chance(40) ? 1 + random.below(3) : Infinity;
      await this.#time.advance(random.chance(10) ? random.below(20_000) : random.below(900), timersMax);
      return timersMax === Infinity ? 'time passes' : 'some timers';
    }
    if (kind < 850) return this.#chainStep();
    if (kind < 900) return this.#read();
    if (kind < 930) return this.#readLater();
    if (kind < 945) return this.#follow();
    if (kind < 961) return this.#setClock();
    if (kind < 965) {
      this.#disk.isFull = true;
      return 'disk full';
    }
    if (kind < 970) return await this.#exchangeLog();
    if (kind < 974) {
      await this.#stop(process);
      return 'stop';
    }
    if (kind < 978) {
      process.kill();
      this.#coverage.count('killed');
      return 'kill';
    }
    return this.#chainStep();
  }

  async #stop(process: SimulatedProcess): Promise<void> {
    const stopping = { isDone: false };
    process.stop().then(
      () => void (stopping.isDone = true),
      (error: unknown) => {
        if (!isDeath(error as Error) && !(error instanceof StoreUnavailableError)) this.#violation ??= error as Error;
      },
    );
    for (let turn = 0; turn < STOP_TURNS_MAX && !stopping.isDone && process.isRunning; turn += 1) await settle();
    if (stopping.isDone) this.#coverage.count('stopped');
    this.#look();
    if (this.#process !== undefined) this.#bury('kill');
  }

  #chainStep(): string {
    const process = this.#process as SimulatedProcess;
    if (!process.chain.isDue) return 'chain idle';
    const base = this.#disk.baseSeq;
    try {
      const did = process.chain.step(this.#random.chance(50));
      if (this.#disk.baseSeq > base) this.#coverage.count('entries dropped');
      return `chain ${did}`;
    } catch (error) {
      if (!isDeath(error as Error)) throw new Violation(`chain.db cannot be written: ${(error as Error).stack}`);
      return 'chain dies';
    }
  }

  #setClock(): string {
    const { random } = this;
    const byMs = (JUMP_MS_MIN + random.below(JUMP_MS_MAX)) * (random.chance(60) ? 1 : -1);
    if (random.chance(25)) {
      this.#time.wallAheadMs += byMs;
      this.#coverage.count('clock set');
      return 'clock set';
    }
    this.#time.jumps = [];
    for (let left = 1 + random.below(JUMPS_MAX); left > 0; left -= 1) {
      this.#time.jumps.push({ left: 1 + random.below(12), byMs: Math.abs(byMs) });
      this.#time.jumps.push({ left: 1 + random.below(4), byMs: -Math.abs(byMs) });
    }
    // Mostly it is put right again, so that it is another one between two readings only.
    if (random.chance(20)) this.#time.jumps.pop();
    this.#coverage.count('clock set between two readings');
    return 'clock set soon';
  }

  /** Somebody puts another log in the place of the one that is in use: the next append is refused, and the process ends. */
  async #exchangeLog(): Promise<string> {
    const { entries } = this.#disk;
    if (entries.length < 2 || this.#disk.isFull) return 'nothing';
    const process = this.#process as SimulatedProcess;
    this.#disk.entries = foreign(entries, entries.length - 1);
    this.#mayEnd = true;
    const fates = this.#faultsOn;
    this.#faultsOn = false;
    this.#submit(this.#newPayment(), this.#pickClient(), undefined);
    await settle();
    this.#faultsOn = fates;
    if (!process.isRunning) this.#coverage.count('ended at a foreign log');
    demand(
      this.#disk.entries.length === entries.length,
      () => `entry ${this.#disk.head.seq} was appended behind an entry that the process never applied`,
    );
    this.#disk.entries = entries;
    this.#mayEnd = !process.isRunning;
    return 'log exchanged';
  }

  // --- clients ---

  #pickClient(): Principal {
    return this.#random.pick(CLIENTS) as Principal;
  }

  #newPayment(): Signed {
    const { random } = this;
    const from = random.below(ACCOUNTS);
    const base = this.#model.nextNonce(addresses[from] as string);
    const nonce = Math.min(NONCES - 1, Math.max(0, base + (random.chance(75) ? 0 : random.below(5) - 2)));
    return payment(from, nonce, random.below(VARIANTS));
  }

  #submitSome(): string {
    const { random } = this;
    for (let left = random.chance(8) ? 12 : 1 + random.below(3); left > 0; left -= 1) {
      const signed = this.#newPayment();
      const key = random.chance(25) ? `key ${random.below(KEYS)}` : undefined;
      this.#submit(signed, this.#pickClient(), key);
    }
    return 'submit';
  }

  /** So much at once that its block is made in steps. */
  #flood(): string {
    for (const [from, address] of addresses.slice(0, ACCOUNTS).entries())
      for (let nonce = this.#model.nextNonce(address), left = FLOOD_OF_ACCOUNT; left > 0 && nonce < NONCES; left -= 1)
        this.#submit(payment(from, nonce++, SMALL), CLIENTS[from % CLIENTS.length] as Principal, undefined);
    return 'flood';
  }

  #submitAgain(): string {
    const { random } = this;
    const known = random.pick(this.#known.slice(-30));
    if (known === undefined) return 'nothing';
    const { signed, who, key } = known;
    const { from, nonce } = numbersOf(signed);
    const again =
      random.chance(30) && nonce < NONCES_SIGNED_TWICE ? paymentSignedAgain(from, nonce, variantOf(signed)) : signed;
    this.#submit(again, random.chance(80) ? who : this.#pickClient(), random.chance(80) ? key : undefined);
    return 'submit again';
  }

  #submit(signed: Signed, who: Principal, key: string | undefined): void {
    const process = this.#process as SimulatedProcess;
    this.#known.push({ signed, who, key });
    const { from, to, amount, nonce, reference, validUntil, signature } = signed.tx;
    const input = { from, to, amount: amount.toString(), nonce, reference, validUntil, signature };
    this.#ask(
      process,
      process.gateway.submit(input as Parameters<typeof process.gateway.submit>[0], who, key),
      (answer) => this.#submitted(answer, signed, who, key),
    );
  }

  /** An answer of a process that died meanwhile never comes. */
  #ask<T>(process: SimulatedProcess, asked: Promise<T>, told: (answer: T) => void): void {
    asked.then(
      (answer) => {
        if (!process.isRunning || process !== this.#process) return this.#coverage.count('answer lost');
        try {
          told(answer);
        } catch (error) {
          this.#violation ??= error as Error;
        }
      },
      (error: unknown) => {
        if (process.isRunning && process === this.#process) this.#violation ??= error as Error;
      },
    );
  }

  #submitted(answer: Submitted | Refusal, signed: Signed, who: Principal, key: string | undefined): void {
    const { model } = this;
    const { hash, tx } = signed;
    if (!answer.ok) {
      this.#note(`refused ${answer.code}`);
      this.#coverage.count(`refused ${answer.code}`);
      return this.#checkRefusal(answer.code, signed, who, key);
    }
    const { txHash, status } = answer.transaction;
    this.#note(`answered ${txHash} ${status} ${answer.replayed}`);
    const known = model.byHash.get(txHash);
    demand(known !== undefined, () => `${txHash} was acknowledged and the log does not have it`);
    demand(
      known.from === tx.from && known.nonce === tx.nonce && known.to === tx.to && known.amount === tx.amount,
      () => `${hash} was answered with another payment, ${txHash}`,
    );
    if (answer.replayed) {
      this.#coverage.count(txHash === hash ? 'replayed' : 'replayed under another signature');
    } else {
      demand(txHash === hash && !this.#fresh.has(hash), () => `${hash} was accepted a second time`);
      demand(known.owner === who.owner, () => `${hash} belongs to ${known.owner}`);
      demand(key === undefined || known.key === key, () => `${hash} has the key ${known.key}`);
      this.#fresh.add(hash);
      this.#coverage.count('accepted');
    }
    this.#tell(known, status);
  }

  get model(): PlainModel {
    return this.#model;
  }

  /** The log takes nothing, or did not a moment ago. */
  #mayHold(): boolean {
    return this.#disk.isFull || this.#mayEnd || this.#heldBlock !== undefined || this.#heldUntilStep >= this.#step - 1;
  }

  #checkRefusal(code: string, { tx, hash }: Signed, who: Principal, key: string | undefined): void {
    const { model } = this;
    const { from, nonce, amount, validUntil } = tx;
    const account = model.account(from);
    const explained = (): boolean => {
      switch (code) {
        case 'nonce_conflict':
          return model
            .at(from, nonce)
            .some((one) => one.hash !== hash && ['pending', 'committed', 'failed'].includes(one.status));
        case 'nonce_too_low':
          return nonce < account.nonce;
        case 'nonce_cancelled':
          return account.voids.has(nonce);
        case 'insufficient_funds':
          return account.balance - model.reserved(from) < amount;
        case 'validity_passed':
          return (
            validUntil !== undefined &&
            BigInt(validUntil) * 1000n <= BigInt(Math.max(this.#time.wallMsMax, Number(model.timeNs / MS)))
          );
        case 'idempotency_key_reused': {
          const other = key === undefined ? undefined : model.keyed(who.owner, key);
          return other !== undefined && other.hash !== hash;
        }
        case 'store_unavailable':
          return this.#mayHold();
        case 'engine_unavailable':
          return this.#mayEnd;
        case 'shutting_down':
          return true;
        default:
          return false;
      }
    };
    demand(explained(), () => `${hash} was refused as ${code}, and nothing says why`);
  }

  /** Once it is told a status that is final, a client hears no other one. */
  #tell(known: Known, status: Status): void {
    demand(
      status === known.status || status === 'pending',
      () => `${known.hash} is shown as ${status}, and the log says ${known.status}`,
    );
    const before = this.#told.get(known.hash);
    demand(
      before === undefined || before === 'pending' || before === status,
      () => `${known.hash} was ${before}, and is ${status}`,
    );
    this.#told.set(known.hash, status);
  }

  #cancelOne(): string {
    const { random, model } = this;
    const pending = model.pending;
    const known =
      random.chance(75) && pending.length > 0 ? random.pick(pending) : random.pick(model.transfers.slice(-20));
    if (known === undefined) return 'nothing';
    const process = this.#process as SimulatedProcess;
    const who = random.chance(10) ? MALLORY : CLIENTS.find(({ owner }) => owner === known.owner);
    if (who === undefined) return 'nothing';
    const cancel = process.gateway.cancel(known.hash, who, random.chance(60) ? WAIT_MS : 0);
    this.#ask(process, cancel, (answer) => {
      if (!answer.ok) {
        this.#note(`cancel refused ${answer.code}`);
        this.#coverage.count(`cancel refused ${answer.code}`);
        const isTrue =
          answer.code === 'already_settled'
            ? known.status !== 'pending' && known.status !== 'cancelled'
            : answer.code === 'not_submitter'
              ? who !== CLIENTS.find(({ owner }) => owner === known.owner)
              : this.#mayHold() || answer.code === 'shutting_down';
        demand(isTrue, () => `the cancel of ${known.hash}, which is ${known.status}, was refused as ${answer.code}`);
        return;
      }
      this.#note(`cancel ${answer.decided} ${answer.transaction.status}`);
      this.#coverage.count(answer.decided ? 'cancel decided' : 'cancel asked for');
      demand(
        answer.decided ? known.status === 'cancelled' : known.cancelRequested || known.status !== 'pending',
        () => `the cancel of ${known.hash} was acknowledged, and the log says ${known.status}`,
      );
      if (answer.decided) this.#tell(known, 'cancelled');
    });
    return 'cancel';
  }

  /** Somebody waits for a payment to be settled. */
  #follow(): string {
    const pending = this.#model.pending.slice(-FOLLOWED_MAX);
    const known = this.#random.pick(pending);
    if (known === undefined) return 'nothing';
    const process = this.#process as SimulatedProcess;
    this.#ask(process, process.gateway.waitUntilSettled(known.hash, WAIT_MS), (record) => {
      if (record === undefined) return;
      this.#note(`waited ${record.txHash} ${record.status}`);
      this.#coverage.count('told by a wait');
      this.#tell(known, record.status);
    });
    return 'follow';
  }

  /** Anyone may broadcast anything that a sender signed: another payment at a nonce, another signature, the sender's own cancel. */
  #outsider(): string {
    const { random } = this;
    const old = random.pick(this.#known.slice(-30))?.signed ?? this.#newPayment();
    const { from, nonce } = numbersOf(old);
    const choice = random.below(10);
    const raw =
      choice < 3
        ? this.#newPayment().raw
        : choice < 5
          ? old.raw
          : choice < 7 && nonce < NONCES_SIGNED_TWICE
            ? paymentSignedAgain(from, nonce, variantOf(old)).raw
            : choice < 8
              ? payment(from, nonce, random.below(VARIANTS)).raw
              : cancelOf(from, nonce, choice === 8 ? VARIANTS : variantOf(old)).raw;
    const process = this.#process as SimulatedProcess;
    const fresh = this.#newPayment();
    if (choice < 3 && numbersOf(fresh).nonce < NONCES_SIGNED_TWICE) {
      // A sender that signs twice, and sends one here and the other elsewhere.
      const again = paymentSignedAgain(numbersOf(fresh).from, numbersOf(fresh).nonce, variantOf(fresh)).raw;
      this.#ask(process, process.ledger.engine.broadcast([{ raw: again }]), ([answer]) =>
        this.#note(`broadcast ${answer?.code}`),
      );
      this.#submit(fresh, this.#pickClient(), undefined);
      return 'outsider';
    }
    this.#ask(process, process.ledger.engine.broadcast([{ raw }]), ([answer]) =>
      this.#note(`broadcast ${answer?.code}`),
    );
    return 'outsider';
  }

  // --- access ---

  /** Somebody makes or ends a token, or binds an address or lets it go. */
  #changeAccess(): string {
    const { random, model } = this;
    const process = this.#process as SimulatedProcess;
    const administration = createAdministration(
      {
        run: async (change) => {
          const answer: unknown = await process.ledger.core.changeAccess(change);
          if (typeof answer === 'object' && answer !== null && 'code' in answer) throw new Refused(answer as Refusal);
          return answer as never;
        },
        now: {} as never,
      },
      {
        clock: process.clock,
        random: { bytes: (n) => Uint8Array.from({ length: n }, () => random.below(256)) },
        actor: 'user:ann@desk',
      },
    );
    const ask = <T>(asked: Promise<T>, told: (answer: T) => void): void => {
      const settled = asked.then(
        (answer) => ({ answer }),
        (error: unknown) => {
          if (error instanceof Refused) return error;
          throw error;
        },
      );
      this.#ask(process, settled, (outcome) => {
        if (!(outcome instanceof Refused)) return told(outcome.answer);
        this.#coverage.count('access refused');
        const { code } = outcome.refusal;
        demand(
          this.#mayHold() || code === 'shutting_down',
          () => `access was not changed (${code}), and nothing says why`,
        );
      });
    };
    const address = random.pick(BOUND) as string;
    const kind = random.below(10);
    if (kind < 4)
      ask(administration.createToken({ owner: 'alice', scopes: ['transactions:read'] }), ({ tokenId }) => {
        demand(model.tokens.has(tokenId), () => `token ${tokenId} was acknowledged and the log does not have it`);
        if (!this.#tokens.has(tokenId)) this.#tokens.set(tokenId, 'valid');
        this.#coverage.count('token made');
      });
    else if (kind < 7) {
      const id = random.pick([...this.#tokens.keys()].slice(-10));
      if (id === undefined) return 'nothing';
      ask(administration.revokeToken(id), () => {
        demand(model.tokens.get(id) === 'revoked', () => `token ${id} was revoked, and the log does not say so`);
        this.#tokens.set(id, 'revoked');
        this.#coverage.count('token revoked');
      });
    } else if (kind < 9) {
      const owner = random.pick(OWNERS) as string;
      ask(administration.bindAddress(address, owner, { replace: true }), () => this.#coverage.count('address bound'));
    } else ask(administration.unbindAddress(address), () => this.#coverage.count('address let go'));
    return 'access';
  }

  /** What requests are judged by: memory and rows together. */
  async #checkAccess(): Promise<void> {
    const { model, random } = this;
    const { core } = (this.#process as SimulatedProcess).ledger;
    const id = random.pick([...model.tokens.keys()].slice(-10));
    if (id !== undefined) {
      const token = await core.token(id);
      const found =
        token === undefined || 'ok' in token ? undefined : token.revokedAtMs === undefined ? 'valid' : 'revoked';
      demand(found === model.tokens.get(id), () => `token ${id} is ${found}, and the log says ${model.tokens.get(id)}`);
    }
    const address = random.pick(BOUND) as string;
    const owner = model.owners.get(address);
    for (const one of OWNERS) {
      const may = await core.mayActFor(address, one);
      const wanted = owner === undefined || owner === one;
      demand(may === wanted, () => `${one} ${may ? 'may' : 'may not'} act for ${address}, which is bound to ${owner}`);
    }
  }

  /** Rows of chain.db once it has everything. */
  #checkAccessRows(): void {
    const { model } = this;
    const rows = accessRows((this.#process as SimulatedProcess).rows);
    const tokens = rows.tokens().map((token) => [token.id, token.revokedAtMs === undefined ? 'valid' : 'revoked']);
    demand(
      same(tokens.toSorted(), [...model.tokens].toSorted()),
      () => `chain.db has the tokens ${text(tokens)}, and the log says ${text([...model.tokens])}`,
    );
    const owners = rows.allBindings().map(({ address, owner }) => [address, owner]);
    demand(
      same(owners.toSorted(), [...model.owners].toSorted()),
      () => `chain.db has the bindings ${text(owners)}, and the log says ${text([...model.owners])}`,
    );
    const trail = rows.auditEntries({ after: 0, limit: 100_000 }).map(({ action, subject }) => `${action} ${subject}`);
    demand(
      same(trail, model.trail),
      () => `the audit trail of chain.db is ${text(trail)}, and the log says ${text(model.trail)}`,
    );
    for (const [id, told] of this.#tokens)
      demand(
        model.tokens.get(id) === told || told === 'valid',
        () => `token ${id} was ${told}, and is ${model.tokens.get(id)}`,
      );
  }

  // --- webhooks ---

  /** An owner makes one, gives it another secret, stops it or deletes it; or the service gives one up. */
  #changeWebhooks(): string {
    const { random, model } = this;
    const { api, control } = (this.#process as SimulatedProcess).webhooks;
    const process = this.#process as SimulatedProcess;
    const refused = ({ code }: Refusal): void => {
      this.#note(`webhook refused ${code}`);
      this.#coverage.count('webhook refused');
      // Rows that stand still for seconds, and URLs or ids that another change took, are reasons too.
      const isExpected = ['store_unavailable', 'shutting_down', 'webhook_exists', 'not_found'].includes(code);
      demand(isExpected, () => `a webhook was not changed (${code}), and nothing says why`);
    };
    const id = random.pick([...model.webhooks.keys()]) as string | undefined;
    const kind = random.below(10);
    const caller = { owner: 'alice', tokenId: 'alice' };
    if (kind < 4 || id === undefined) {
      const url = `https://shop-${random.below(8)}.example/`;
      this.#ask(process, api.createWebhook(caller, { url }), (answer) => {
        if (!answer.ok) return refused(answer);
        const { webhook, secret } = answer;
        demand(
          model.secrets.has(`${webhook.id} ${secret}`),
          () => `webhook ${webhook.id} was acknowledged and the log does not have it`,
        );
        this.#coverage.count('webhook made');
      });
    } else if (kind < 6)
      this.#ask(process, api.rotateWebhookSecret(caller, id, 0), (answer) => {
        if (!answer.ok) return refused(answer);
        demand(
          model.secrets.has(`${id} ${answer.secret}`),
          () => `webhook ${id} was told a secret that the log does not have`,
        );
        this.#coverage.count('webhook changed');
      });
    else if (kind < 8)
      this.#ask(
        process,
        api.updateWebhook(caller, id, { status: random.chance(50) ? 'disabled' : 'enabled' }),
        (answer) => {
          if (!answer.ok) return refused(answer);
          this.#coverage.count('webhook changed');
        },
      );
    else if (kind < 9)
      this.#ask(process, api.deleteWebhook(caller, id), (answer) => {
        if (!answer.ok) return refused(answer);
        demand(!model.webhooks.has(id), () => `webhook ${id} was deleted, and the log does not say so`);
        this.#coverage.count('webhook deleted');
      });
    else {
      const revision = model.webhooks.get(id)?.version ?? 0;
      const given = { id, revision, reason: 'gone', detail: 'It answered 410.', atMs: process.clock.nowMs() } as const;
      const told = control.disableWebhook(given).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
      });
      this.#ask(process, told, () => undefined);
    }
    return 'webhooks';
  }

  /** The webhooks thread: what it sent is of rows that chain.db has, and rows say so at once; now and then an entry says it of all. */
  #deliver(): string {
    const { random } = this;
    const process = this.#process as SimulatedProcess;
    const rows = webhookRows(process.rows);
    const enabled = rows.enabledWebhooks();
    if (random.chance(30)) {
      const places = enabled.map(({ id, place }) => ({ id, place }));
      const told = process.webhooks.control.moveWebhookPlaces(places).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) throw error;
          return false;
        },
      );
      this.#ask(process, told, (isDurable) => {
        if (!isDurable) return;
        this.#coverage.count('place in the log');
        for (const { id, place } of places) {
          const said = this.#model.webhooks.get(id)?.place;
          demand(
            said === undefined || !isBefore(said, place),
            () => `the log was told that ${id} has come to ${text(place)}, and says ${text(said)}`,
          );
        }
      });
      return 'places';
    }
    const to = { height: process.commits.height, index: END_OF_BLOCK };
    const writes = enabled.flatMap(({ id, place }): LocalWebhookWrite[] =>
      isBefore(place, to) && random.chance(70) ? [['advance', id, place, to, process.clock.nowMs()]] : [],
    );
    if (writes.length === 0) return 'nothing';
    for (const [, id] of writes) this.#sent.set(id as string, to);
    try {
      process.chain.writeLocal(writes);
      this.#coverage.count('events delivered');
    } catch (error) {
      if (isDeath(error as Error)) return 'delivery dies';
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
    return 'deliver';
  }

  /** Rows of chain.db once it has everything: changes as the log says, and places that pass nothing over. */
  #checkWebhookRows(): void {
    const { model } = this;
    const process = this.#process as SimulatedProcess;
    const found = webhookRows(process.rows).webhooksOf('alice');
    const settings = found.map(({ id, url, status, version, secrets: { current } }) =>
      text([id, { url, status, version, secret: current }]),
    );
    const wanted = [...model.webhooks].map(([id, { url, status, version, secret }]) =>
      text([id, { url, status, version, secret }]),
    );
    demand(
      same(settings.toSorted(), wanted.toSorted()),
      () => `chain.db has the webhooks ${text(settings)}, and the log says ${text(wanted)}`,
    );
    for (const { id, place } of found) {
      const said = model.webhooks.get(id)?.place ?? place;
      const sent = this.#sent.get(id) ?? said;
      demand(
        !isBefore(place, said) && place.height <= process.commits.height,
        () => `${id} is at ${text(place)}; the log says ${text(said)}, and chain.db ends at ${process.commits.height}`,
      );
      const furthest = isBefore(said, sent) ? sent : said;
      demand(!isBefore(furthest, place), () => `${id} is at ${text(place)}, and was sent events up to ${text(sent)}`);
      if (isBefore(place, furthest)) this.#coverage.count('place of a row lost');
    }
  }

  // --- readers ---

  #reader(): ThreadReads {
    return this.#random.pick((this.#process as SimulatedProcess).reads) as ThreadReads;
  }

  /** After each step: one payment and one account, as a reader sees them. */
  #check(): void {
    const { model, random } = this;
    const reads = this.#reader();
    const known = random.pick(model.transfers.slice(-12));
    if (known !== undefined) this.#checkTransfer(reads, known);
    if (this.#step % 2 === 0) this.#checkAccount(reads, addresses[random.below(addresses.length)] as string);
    const behind = model.height - (this.#process as SimulatedProcess).commits.height;
    if (behind > 0) this.#coverage.count(behind > 2 ? 'read far behind' : 'read behind');
  }

  #checkTransfer(reads: ThreadReads, known: Known): void {
    const shown = reads.get(known.executedAs ?? known.hash) as TransactionRecord | Refusal | undefined;
    demand(shown !== undefined && !('ok' in shown), () => `${known.hash} is in the log and a reader does not find it`);
    const { txHash, status, executedAs, height } = shown;
    const found = { txHash, status, executedAs, height };
    const wanted = { txHash: known.hash, status: known.status, executedAs: known.executedAs, height: known.height };
    demand(same(found, wanted), () => `a reader shows ${text(found)}, and the log says ${text(wanted)}`);
    this.#tell(known, status);
  }

  #checkAccount(reads: ThreadReads, address: string): void {
    const { model } = this;
    const shown = reads.account(address) as Exclude<Awaited<ReturnType<ThreadReads['account']>>, Refusal>;
    demand(shown.ok, () => `the account ${address} is not shown`);
    const { balance, nonce, pendingOut, nextNonce, height } = shown;
    const found = { balance, nonce, pendingOut, nextNonce, height };
    const account = model.account(address);
    const wanted = {
      balance: account.balance.toString(),
      nonce: account.nonce,
      pendingOut: model.reserved(address).toString(),
      nextNonce: model.nextNonce(address),
      height: model.height,
    };
    demand(same(found, wanted), () => `a reader shows ${text(found)} of ${address}, and the log says ${text(wanted)}`);
  }

  /** A whole list, page by page, under some filter. */
  #read(): string {
    const { random, model } = this;
    const address = addresses[random.below(addresses.length)] as string;
    const filters: [object, (one: Known) => boolean][] = [
      [{}, () => true],
      [{ account: address }, ({ from, to }) => from === address || to === address],
      [{ from: address }, ({ from }) => from === address],
      [{ reference: 'INV-1' }, ({ reference }) => reference === 'INV-1'],
      [{ from: address, nonce: 2 }, ({ from, nonce }) => from === address && nonce === 2],
    ];
    const [query, isWanted] = random.pick(filters) as (typeof filters)[number];
    const reads = this.#reader();
    const shown: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 100; pages += 1) {
      const page = reads.list({ ...query, limit: 1 + random.below(20), ...(cursor && { cursor }) }) as Page | Refusal;
      demand(page.ok, () => `a list is refused: ${text(page)}`);
      shown.push(...page.transactions.map(({ txHash, status }) => `${txHash} ${status}`));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const wanted = model.transfers.filter(isWanted).map(({ hash, status }) => `${hash} ${status}`);
    demand(
      same(shown, wanted.toReversed()),
      () => `a list shows ${text(shown)}, and the log says ${text(wanted.toReversed())}`,
    );
    this.#checkMoney(reads);
    return 'read';
  }

  #checkMoney(reads: ThreadReads): void {
    let sum = 0n;
    for (const address of addresses) {
      this.#checkAccount(reads, address);
      const shown = reads.account(address);
      if ('ok' in shown && shown.ok) sum += BigInt(shown.balance);
    }
    demand(
      sum === this.#model.supply,
      () => `readers see ${sum} in all accounts, and there were ${this.#model.supply}`,
    );
  }

  /** What chain.db alone answers: it waits until everything is there that anyone was shown. */
  #readLater(): string {
    const { model, random } = this;
    const process = this.#process as SimulatedProcess;
    const reads = this.#reader();
    const askedHeight = model.height;
    if (process.commits.height < askedHeight) this.#coverage.count('read waited');
    const refused = (answer: Refusal): void =>
      demand(answer.code === 'store_unavailable', () => `a read is refused: ${text(answer)}`);
    if (random.chance(60)) {
      const order = random.chance(50) ? 'asc' : 'desc';
      this.#ask(process, Promise.resolve(reads.events({ limit: 1000, order })), (answer) => {
        if (!answer.ok) return refused(answer);
        const { height } = process.commits;
        demand(
          answer.height >= askedHeight,
          () => `events are of block ${answer.height}, and block ${askedHeight} was shown`,
        );
        const shown = answer.events.map((event) => ({
          height: event.height,
          index: event.index,
          type: event.type,
          hash: event.transaction.txHash,
        }));
        const upTo = model.events.filter((event) => event.height <= height);
        const wanted = order === 'asc' ? upTo : upTo.toReversed();
        demand(same(shown, wanted), () => `the events are ${text(shown)}, and the log says ${text(wanted)}`);
      });
      return 'read events';
    }
    const status = random.pick(['pending', 'committed', 'failed', 'cancelled', 'expired'] as const) as Status;
    this.#ask(process, Promise.resolve(reads.list({ limit: 1000, status })), (answer) => {
      if (!answer.ok) return refused(answer);
      // Behind the log it is of the rows, and only never of before the question.
      if (process.commits.height !== model.height) return;
      this.#coverage.count('list by status');
      const shown = answer.transactions.map(({ txHash }) => txHash);
      const wanted = model.transfers.filter((one) => one.status === status).map(({ hash }) => hash);
      demand(
        same(shown, wanted.toReversed()),
        () => `the ${status} are ${text(shown)}, and the log says ${text(wanted)}`,
      );
    });
    return 'read by status';
  }

  // --- the end ---

  /** No more faults: everything that was promised has to come to its end. */
  async #end(): Promise<void> {
    this.#faultsOn = false;
    this.#disk.isFull = false;
    this.#time.jumps = [];
    this.#look();
    this.#time.wallAheadMs = START_MS;
    if (this.#process === undefined) await this.#start();
    // A start takes the clock as it is, so blocks may be of later; then no block is of now before the clock has come to that.
    const aheadMs = Math.max(0, Number(this.#model.timeNs / MS) - this.#time.wallMs);
    const endMs = this.#time.monotonicMs + aheadMs + SETTLED_MS_MAX;
    const isOpen = (): boolean => this.#model.pending.length > 0;
    for (let round = 0; isOpen() || (this.#process?.chain.isDue ?? false); round += 1) {
      demand(this.#time.monotonicMs < endMs, () => {
        const left = this.#model.pending.map(({ hash }) => hash);
        return `behind the last fault nothing settles ${text(left)}`;
      });
      await this.#time.advance(round < 20 ? 1000 : TTL_MS / 4);
      this.#look();
      demand(this.#process !== undefined, () => 'a process ends without a fault');
      for (let step = 0; step < 1000 && this.#process.chain.isDue; step += 1) this.#chainStep();
      await settle();
      this.#look();
      // A clock that was set right is one that jumped, for a process that began with it behind: it says that it wants to be started again.
      if (!(await this.#process.ledger.engine.status()).clockHeld) continue;
      this.#coverage.count('clock held');
      await this.#stop(this.#process);
      await this.#start();
    }
    this.#checkEnd();
    await this.#stop(this.#process as SimulatedProcess);
    // What a start reads is what was there.
    await this.#start();
    this.#checkEnd();
    this.#note(`end ${this.#model.lastSeq} ${this.#model.height}`);
  }

  #checkEnd(): void {
    const { model } = this;
    for (const reads of (this.#process as SimulatedProcess).reads) {
      for (const hash of this.#fresh) {
        const known = model.byHash.get(hash);
        demand(known !== undefined, () => `${hash} was acknowledged and is lost`);
        demand(known.status !== 'pending', () => `${hash} never comes to its end`);
      }
      for (const known of model.transfers) {
        this.#checkTransfer(reads, known);
        this.#coverage.count(`ended ${known.status}`);
        if (known.executedAs !== undefined) this.#coverage.count('ended under another signature');
        if (known.owner === undefined) this.#coverage.count('seen on the chain');
      }
      this.#checkMoney(reads);
    }
    this.#checkAccessRows();
    this.#checkWebhookRows();
  }
}

/** What the service does not do now. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

interface Page {
  ok: true;
  transactions: TransactionRecord[];
  nextCursor?: string;
}

const numbersOf = ({ tx: { from, nonce } }: Signed): { from: number; nonce: number } => ({
  from: addresses.indexOf(from),
  nonce,
});

function variantOf(signed: Signed): number {
  const { from, nonce } = numbersOf(signed);
  for (let variant = 0; variant < VARIANTS; variant += 1) {
    const { tx } = payment(from, nonce, variant);
    if (
      tx.amount === signed.tx.amount &&
      tx.reference === signed.tx.reference &&
      tx.validUntil === signed.tx.validUntil
    )
      return variant;
  }
  return 0;
}

/** The same log up to a place, and from there another one, whose hashes are right. */
function foreign(entries: readonly LogEntry[], at: number): LogEntry[] {
  const made = [...entries];
  for (let index = at; index < made.length; index += 1) {
    const { seq, bytes } = made[index] as LogEntry;
    const other = index === at ? Buffer.concat([Buffer.of(ENTRY_FORMAT, UPTIME), Buffer.from('1')]) : bytes;
    const before = index === at ? (entries[index - 1] as LogEntry).hash : (made[index - 1] as LogEntry).hash;
    made[index] = { seq, bytes: other, hash: entryHash(before, seq, other) };
  }
  return made;
}

/** Of a process that was killed, whatever its parts made of it. */
function isDeath(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Killed) return true;
  return false;
}

const text = (value: unknown): string => JSON.stringify(value);
const same = (one: unknown, other: unknown): boolean => text(one) === text(other);
