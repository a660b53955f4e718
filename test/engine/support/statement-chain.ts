/** A chain of random transactions below statements on a real file, with the state after every block as the ledger has it, on a clock that the test moves. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../server/engine/encoding/index.ts';
import type { Clock, Timer } from '../../../server/engine/ports.ts';
import {
  StatementIndex,
  StatementReader,
  type StatementBlock,
  type StatementIndexOptions,
  type StatementSource,
} from '../../../server/engine/statements/index.ts';
import {
  type Account,
  CODES,
  encodeTransaction,
  genesisGovernance,
  type GenesisDocument,
  isVoid,
  Overlay,
  step,
  type StateView,
  type Transaction,
} from '../../../server/ledger/index.ts';

const NS_PER_MS = 1_000_000n;
const SIGNATURE = '0'.repeat(128);
export const FIRST_BLOCK_MS = Date.parse('2026-11-22T10:00:00Z');

/** Timers fire one by one when the test says so; every look at the clock takes a millisecond, so that work is cut into many turns. */
export class StepClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<() => void>();
  nowMs = () => this.#nowMs;
  nowNs = () => BigInt(this.#nowMs) * NS_PER_MS;
  monotonicMs = () => (this.#nowMs += 1);
  setTimer = (fn: () => void): Timer => {
    this.#timers.add(fn);
    return { cancel: () => void this.#timers.delete(fn) };
  };

  async tick(): Promise<void> {
    const [fn] = this.#timers;
    if (fn === undefined) return;
    this.#timers.delete(fn);
    fn();
    for (let i = 0; i < 5; i++) await Promise.resolve();
  }
}

export type Random = (below: number) => number;

export class StatementChain implements StatementSource {
  readonly isCertain: boolean;
  readonly genesis: GenesisDocument;
  readonly blocks: StatementBlock[] = [];
  /** The accounts after each height, genesis first. */
  readonly history: ReadonlyMap<string, Account>[] = [];
  /** Height as the source tells it; the blocks behind it are not there yet. */
  shown = Infinity;
  readonly addresses: readonly string[];
  readonly #promises: boolean;

  constructor(genesis: GenesisDocument, addresses: readonly string[], { isCertain = true, promises = false } = {}) {
    this.genesis = genesis;
    this.addresses = addresses;
    this.isCertain = isCertain;
    this.#promises = promises;
    this.history.push(
      new Map(genesis.accounts.map(({ address, balance }) => [address, { balance, nonce: 0, voids: 0n }])),
    );
  }

  height = (): number => Math.min(this.shown, this.blocks.length);

  block(height: number): StatementBlock | Promise<StatementBlock> {
    const block = this.blocks[height - 1];
    if (block === undefined) throw new Error(`there is no block ${height}`);
    return this.#promises ? Promise.resolve(block) : block;
  }

  /** What the ledger has after the last block. */
  get state(): ReadonlyMap<string, Account> {
    return this.history.at(-1) as ReadonlyMap<string, Account>;
  }

  add(transactions: readonly Transaction[], timeMs = FIRST_BLOCK_MS + 1000 * this.blocks.length): StatementBlock {
    const governance = genesisGovernance(this.genesis);
    const before = this.state;
    const view: StateView = {
      chain: this.genesis,
      account: (address) => before.get(address),
      governance: () => governance,
      governanceBefore: () => governance,
    };
    const overlay = new Overlay(view);
    const codes = transactions.map((tx) => {
      const result = step(overlay, tx, { height: this.blocks.length + 1, timeNs: BigInt(timeMs) * NS_PER_MS });
      if (result.ok) overlay.apply(result.effect);
      return result.ok ? result.effect.code : result.refusal.code;
    });
    const height = this.blocks.length + 1;
    const raws = transactions.map(encodeTransaction);
    const hash = sha256(Buffer.concat([Buffer.from(`${height} ${timeMs}`), ...raws]));
    const block = { height, hash, timeNs: BigInt(timeMs) * NS_PER_MS, transactions: raws, codes };
    this.blocks.push(block);
    this.history.push(new Map([...before, ...overlay.changedAccounts()]));
    return block;
  }

  /** Transfers that pay, that cannot be paid, to oneself, to new accounts; cancels near and far. */
  addRandom(random: Random, count: number): void {
    const nonces = new Map([...this.state].map(([address, account]) => [address, account]));
    const governance = genesisGovernance(this.genesis);
    const transactions: Transaction[] = [];
    const pick = (): string => this.addresses[random(this.addresses.length)] as string;
    for (let made = 0; made < count; made++) {
      const from = pick();
      const account = nonces.get(from);
      if (account === undefined) continue;
      const { nonce } = account;
      if (random(5) === 0) {
        const target = nonce + random(4);
        if (isVoid(account, target)) continue;
        const tx: Transaction = {
          kind: 'cancel',
          chainId: this.genesis.chainId,
          from,
          nonce: target,
          signer: random(2) === 0 ? from : (genesisGovernance(this.genesis).cancellers[0] as string),
          txHash: 'A'.repeat(64),
          signature: SIGNATURE,
        };
        transactions.push(tx);
      } else {
        const amount = random(6) === 0 ? account.balance + 1n + BigInt(random(9)) : BigInt(1 + random(50));
        transactions.push({
          kind: 'transfer',
          chainId: this.genesis.chainId,
          from,
          to: random(8) === 0 ? from : pick(),
          amount,
          nonce,
          ...(random(3) === 0 ? { reference: `order ${random(100)}` } : {}),
          signature: SIGNATURE,
        });
      }
      // What the next one of this account has to carry.
      const overlay = new Overlay({
        chain: this.genesis,
        account: (address) => nonces.get(address),
        governance: () => governance,
        governanceBefore: () => governance,
      });
      const result = step(overlay, transactions.at(-1) as Transaction, { height: 1, timeNs: 0n });
      if (!result.ok) transactions.pop();
      else for (const [address, after] of result.effect.accounts) nonces.set(address, after);
    }
    this.add(transactions);
  }

  transfer(from: string, to: string, amount: bigint, nonce: number): Transaction {
    return { kind: 'transfer', chainId: this.genesis.chainId, from, to, amount, nonce, signature: SIGNATURE };
  }

  /** A block of transfers of 1, from account after account. */
  addTransfers(count: number, from: string, to: string): void {
    const { nonce } = this.state.get(from) as Account;
    this.add(Array.from({ length: count }, (_, index) => this.transfer(from, to, 1n, nonce + index)));
  }
}

export interface LogLine {
  fields: object;
  message: string;
}

export class OpenStatements {
  readonly path: string;
  readonly clock: Clock & { tick?: () => Promise<void> };
  readonly index: StatementIndex;
  readonly lines: LogLine[] = [];

  constructor(
    folder: string,
    source: StatementSource,
    genesis: GenesisDocument,
    options: Partial<StatementIndexOptions> = {},
  ) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, 'statements.db');
    this.clock = options.clock ?? new StepClock();
    const log = (fields: object, message: string): void => void this.lines.push({ fields, message });
    const logger = { debug() {}, info: log, warn: log, error: log };
    this.index = new StatementIndex({
      path: this.path,
      genesis,
      source,
      logger,
      recentChangesMax: 7,
      runsMerged: 3,
      ...options,
      clock: this.clock,
    });
  }

  async ticks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.clock.tick?.();
  }

  async upTo(height: number): Promise<void> {
    for (let turns = 0; this.index.height < height; turns++) {
      if (this.index.failure !== '') throw new Error(this.index.failure);
      if (turns > 20_000) throw new Error(`the statements stay at ${this.index.height}`);
      await this.clock.tick?.();
    }
  }

  read<T>(work: (reader: StatementReader) => T): T {
    const reader = new StatementReader(this.path);
    try {
      return work(reader);
    } finally {
      reader.close();
    }
  }

  /** What a killed process leaves: the files as they are at this very moment. */
  copyTo(folder: string): void {
    mkdirSync(folder, { recursive: true });
    for (const suffix of ['', '-wal'])
      if (existsSync(this.path + suffix)) copyFileSync(this.path + suffix, join(folder, `statements.db${suffix}`));
  }
}

/** Fails a transaction of a copy of a block with the code of another outcome. */
export const withCode = (block: StatementBlock, position: number, code: number): StatementBlock => ({
  ...block,
  codes: block.codes.map((given, at) => (at === position ? code : given)),
});
export const REFUSED = CODES.nonce_gap;
