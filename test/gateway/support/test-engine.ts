/**
 * An engine for tests: the ledger's own rules, blocks when the test asks for one, and a mempool that misbehaves on command.
 *
 * It outlives the gateways that are opened on it, like a chain does.
 */
import {
  blockId,
  decodeBlock,
  EMPTY_COMMIT,
  encodeBlock,
  formatTime,
  NS_PER_MS,
  ZERO_BLOCK_ID,
} from '../../../server/engine/encoding/index.ts';
import { ClockGuard } from '../../../server/engine/embedded/clock-guard.ts';
import { failuresOf } from '../../../server/engine/results.ts';
import type { ChainStore } from '../../../server/engine/embedded/stores.ts';
import type {
  BroadcastItem,
  BroadcastResult,
  Checkpoint,
  CommittedBlock,
  Engine,
  EngineStatus,
  ExecutedTransactions,
  LocalEngine,
  Receipt,
  ReceiptOutcome,
  ValidatorSetAt,
} from '../../../server/engine/port.ts';
import type { Clock } from '../../../server/engine/ports.ts';
import type {
  BlockContext,
  FinalizedBlock,
  GenesisDocument,
  Misbehavior,
  VerifiedTransaction,
} from '../../../server/ledger/index.ts';
import {
  CheckState,
  finalizeBlock,
  genesisGovernance,
  LedgerState,
  prepareBlock,
  verifyTransaction,
} from '../../../server/ledger/index.ts';
import { StoreUnavailableError } from '../../../server/store/index.ts';
import { createHash } from 'node:crypto';

const BLOCK_LIMITS = { bytesMax: 1024 * 1024, transactionsMax: 1000, allowValidatorChanges: true };
export const BLOCK_MS = 1000;

export interface BlockOptions {
  /** Transactions that reach the block without passing the mempool. */
  outsiders?: readonly Uint8Array[];
  /** Header time after the last block's, ms. */
  afterMs?: number;
  /** Nanoseconds behind that, less than a millisecond: 1 by default, because a gateway that judges by milliseconds alone judges wrongly. */
  plusNs?: number;
  /** Takes the bytes as they are, in this order, instead of what prepareBlock would make. */
  exactly?: readonly Uint8Array[];
  /** What its evidence says. */
  misbehavior?: Misbehavior[];
}

/** What becomes of a broadcast transaction. `lose` says yes and forgets it, as CometBFT does. */
export type Fate = 'take' | 'lose' | 'refuse' | 'twice';

/** The database that engine and core share where they are on one thread. */
export interface SqliteChain {
  store: ChainStore;
  core: { settle(block: ExecutedTransactions): void; applied(): void; failed(): void };
}

export class TestEngine implements Engine {
  /** Where a block is written with what it settles; absent where a gateway follows the blocks. */
  chain: SqliteChain | undefined;
  readonly genesis: GenesisDocument;
  readonly committed: CommittedBlock[] = [];
  /** Everything that was ever broadcast, in order; hashes. */
  readonly heard: string[] = [];
  /** How often `signatureVerified` was claimed. */
  claimedVerified = 0;
  mempool: VerifiedTransaction[] = [];
  fate: (hash: string) => Fate = () => 'take';
  unreachable = false;
  healthy = true;
  /** Judge broadcasts by the check state, as a real mempool does; otherwise everything valid is kept. */
  checks = true;
  readonly #clock: Clock;
  #ledger: LedgerState;
  #check: CheckState;
  /** The last block that was made, whether or not the disk took it. */
  #made: CommittedBlock | undefined;
  #timeMs: number;
  #plusNs = 1n;
  #lastBlockAtMs: number;
  #waiting: { height: number; done: (height: number) => void }[] = [];

  constructor(genesis: GenesisDocument, clock: Clock) {
    this.genesis = genesis;
    this.#ledger = LedgerState.fromGenesis(genesis);
    this.#check = new CheckState(this.#ledger, { height: 0, timeNs: 0n });
    this.#clock = clock;
    this.#timeMs = Date.parse(genesis.genesisTime) - BLOCK_MS;
    this.#lastBlockAtMs = clock.monotonicMs();
  }

  get height(): number {
    return this.committed.length;
  }

  get ledger(): LedgerState {
    return this.#ledger;
  }

  /** As after a start of the process: the state is the one on disk, and the mempool is empty. */
  restore(store: ChainStore): void {
    const stored = store.load();
    if (stored === undefined) throw new Error('there is no chain on disk');
    const { height, recorded } = stored;
    this.#ledger = LedgerState.restore(this.genesis, stored);
    // It died between the commit of this block and anything that came of it.
    if (this.#made?.height === height && height === this.committed.length + 1) this.committed.push(this.#made);
    const last = this.committed.at(-1);
    if (height !== this.committed.length)
      throw new Error(`block ${height} is the last on disk, and ${this.committed.length} blocks were made known`);
    for (const appHash of [recorded?.appHash, this.#ledger.appHash]) {
      if (last !== undefined && upperHex(appHash) !== last.appHash)
        throw new Error(`the state on disk is not the one after block ${height}`);
    }
    this.#timeMs = last?.timeMs ?? this.#timeMs;
    this.forget();
  }

  block(options: BlockOptions = {}): CommittedBlock {
    const verified = (options.outsiders ?? []).flatMap((raw) => this.#verify(raw));
    this.#timeMs += options.afterMs ?? BLOCK_MS;
    this.#plusNs = BigInt(options.plusNs ?? 1);
    const parent = this.committed.at(-1);
    const height = this.committed.length + 1;
    const { misbehavior } = options;
    const context = { ...this.#context(height), ...(misbehavior && { misbehavior }) };
    const transactions =
      options.exactly ??
      prepareBlock(this.ledger, [...verified, ...this.mempool], context, BLOCK_LIMITS).map(
        (candidate) => candidate.raw,
      );
    const finalized = finalizeBlock(this.ledger, transactions, context);
    const { appHash, accounts, governance } = this.ledger.commit(finalized);
    const block: CommittedBlock = {
      chainId: this.genesis.chainId,
      height,
      hash: createHash('sha256')
        .update(`${parent?.hash}${height}${this.#timeMs}`)
        .update(Buffer.concat(transactions))
        .digest('hex')
        .toUpperCase(),
      parentHash: parent?.hash ?? '',
      time: formatTime(context.timeNs),
      timeMs: this.#timeMs,
      timeNs: context.timeNs,
      ...(misbehavior && { misbehavior }),
      transactions: [...transactions],
      codes: finalized.results.map((result) => result.code),
      logs: finalized.results.map((result) => result.log),
      appHash: upperHex(appHash),
    };
    this.#made = block;
    const settling: ExecutedTransactions = {
      height,
      hash: block.hash,
      timeMs: block.timeMs,
      timeNs: block.timeNs,
      transactions: transactions.map((raw) => this.#decoded(raw)),
      codes: block.codes,
      accounts,
      governance,
      readMs: this.#clock.nowMs(),
    };
    this.#store(settling, { appHash, results: finalized.results });
    this.committed.push(block);
    this.chain?.core.applied();
    this.#recheck(transactions);
    this.#lastBlockAtMs = this.#clock.monotonicMs();
    this.#wake();
    return block;
  }

  /** With what it settles, where a core shares the engine's database. */
  #store(
    settling: ExecutedTransactions,
    { appHash, results }: { appHash: Uint8Array; results: FinalizedBlock['results'] },
  ): void {
    const { chain } = this;
    if (chain === undefined) return;
    const { height, hash, timeNs, transactions, accounts, governance } = settling;
    const bytes = blockBytes(this.genesis, settling);
    const { parts } = blockId(decodeBlock(bytes).header, bytes);
    const id = { hash: Buffer.from(hash, 'hex'), parts };
    try {
      const held = chain.store.append(
        {
          block: {
            height,
            id,
            bytes,
            timeNs,
            transactionCount: transactions.length,
          },
          commit: new Uint8Array(0),
          signed: { height, round: 0, step: 3, signature: undefined, signBytes: undefined },
          appHash,
          resultsHash: new Uint8Array(32),
          failures: failuresOf(results),
          transactions,
          accounts,
          governance,
        },
        () => chain.core.settle(settling),
      );
      // It holds nothing: a process of its own ends, and the next one makes the block again.
      if (held !== undefined) throw new StoreUnavailableError(held);
    } catch (error) {
      chain.core.failed();
      throw error;
    }
  }

  /** As a core on the same thread sees it. */
  local(): LocalEngine {
    const state = (): LedgerState => this.#ledger;
    const guard = new ClockGuard(this.#clock, 0n);
    const tip = (): LocalEngine['tip'] => {
      const { height, hash, timeMs } = this.committed.at(-1) ?? {
        height: 0,
        hash: '',
        timeMs: Date.parse(this.genesis.genesisTime),
      };
      return { height, hash, timeMs };
    };
    return {
      get state() {
        return state();
      },
      get tip() {
        return tip();
      },
      get clockMs() {
        return guard.nowMs();
      },
      status: () => this.status(),
      broadcast: (items) => this.broadcast(items),
      receipt: (height, txHash) => this.receipt(height, txHash),
      waitForHeight: (height, timeoutMs) => this.waitForHeight(height, timeoutMs),
      rpc: (method, args) => this.rpc(method, args),
      events: (request) => this.events(request),
      // Tests say themselves when a block is made.
      expectTime: () => undefined,
    };
  }

  /** The mempool is lost, as at a restart. */
  forget(): void {
    this.mempool = [];
    this.#check.reset(this.ledger, this.#context(this.committed.length));
  }

  /** From where each gateway that was opened on it asked to verify. */
  readonly checkpoints: Checkpoint[] = [];
  /** Whether results that a gateway rejects may be wrong; they are final otherwise. */
  onRejected: (height: number) => boolean = () => false;

  startFrom = async (checkpoint: Checkpoint): Promise<void> => void this.checkpoints.push(checkpoint);
  validatorSets = async (_height: number): Promise<ValidatorSetAt[]> => [
    { height: 1, validators: genesisGovernance(this.genesis).validators },
  ];
  rejectResults = async (height: number): Promise<boolean> => this.onRejected(height);

  broadcast = async (items: readonly BroadcastItem[]): Promise<BroadcastResult[]> => {
    if (this.unreachable) throw new Error('connection refused');
    return items.map((item) => this.#take(item));
  };

  blocks = async (fromHeight: number, limit: number): Promise<CommittedBlock[]> => {
    if (this.unreachable) throw new Error('connection refused');
    return structuredClone(this.committed.slice(fromHeight - 1, fromHeight - 1 + limit));
  };

  /** It signs no headers: a receipt of this engine names what it is of, and proves nothing. */
  receipt = async (height: number, txHash: string): Promise<ReceiptOutcome> => {
    if (this.unreachable) return { kind: 'unavailable' };
    if (height >= this.height) return { kind: 'no_next_block' };
    return { kind: 'receipt', receipt: { height, txHash } as Receipt };
  };

  waitForHeight = (height: number, timeoutMs: number): Promise<number> => {
    if (this.unreachable) return Promise.reject(new Error('connection refused'));
    if (this.height >= height) return Promise.resolve(this.height);
    return new Promise((done) => {
      const timer = this.#clock.setTimer(() => done(this.height), timeoutMs);
      const woken = (reached: number): void => {
        timer.cancel();
        done(reached);
      };
      this.#waiting.push({ height, done: woken });
    });
  };

  status = async (): Promise<EngineStatus> => {
    if (this.unreachable) throw new Error('connection refused');
    return {
      chainId: this.genesis.chainId,
      height: this.height,
      lastBlockHash: this.committed.at(-1)?.hash ?? '',
      lastBlockTimeMs: this.committed.at(-1)?.timeMs ?? 0,
      lastBlockAgeMs: this.#clock.monotonicMs() - this.#lastBlockAtMs,
      blockIntervalMs: BLOCK_MS,
      idleBlockMs: 10_000,
      mempoolSize: this.mempool.length,
      clockHeld: false,
      healthy: this.healthy,
      detail: this.healthy ? 'making blocks' : 'told to be unhealthy',
    };
  };

  rpc: Engine['rpc'] = async () => ({
    ok: false,
    status: 503,
    error: { code: -32603, message: 'Internal error', data: 'this test engine answers no RPC' },
  });
  events: Engine['events'] = async ({ fromHeight }) => ({ known: true, nextHeight: fromHeight, blocks: [] });
  close = async (): Promise<void> => {};

  /** Bytes that are no transaction are in no block of an engine that makes its own. */
  #decoded(raw: Uint8Array): VerifiedTransaction {
    const [verified] = this.#verify(raw);
    if (verified === undefined && this.chain !== undefined)
      throw new Error('a block of the embedded engine holds verified transactions only');
    return verified as VerifiedTransaction;
  }

  #verify(raw: Uint8Array): VerifiedTransaction[] {
    const result = verifyTransaction(this.genesis, raw);
    return result.ok ? [result.verified] : [];
  }

  #take({ raw, signatureVerified }: BroadcastItem): BroadcastResult {
    if (signatureVerified === true) this.claimedVerified += 1;
    const result = verifyTransaction(this.genesis, raw);
    if (!result.ok) return { code: result.refusal.code, log: result.refusal.log };
    const { verified } = result;
    this.heard.push(verified.hash);
    const fate = this.fate(verified.hash);
    if (fate === 'lose') return { code: 0, log: '' };
    if (fate === 'refuse') return { code: 43, log: 'told to refuse' };
    if (this.checks) {
      const checked = this.#check.check(verified);
      if (!checked.ok) return { code: checked.refusal.code, log: checked.refusal.log };
    }
    if (!this.mempool.some((held) => held.hash === verified.hash)) this.mempool.push(verified);
    if (fate === 'twice') this.mempool.push(verified);
    return { code: 0, log: '' };
  }

  #context(height: number): BlockContext {
    return { height, timeNs: BigInt(this.#timeMs) * NS_PER_MS + this.#plusNs };
  }

  #recheck(included: readonly Uint8Array[]): void {
    const done = new Set(included.map((raw) => Buffer.from(raw).toString('latin1')));
    const left = this.mempool.filter(({ raw }) => !done.has(Buffer.from(raw).toString('latin1')));
    this.#check.reset(this.ledger, this.#context(this.committed.length));
    this.mempool = this.checks ? left.filter((held) => this.#check.check(held).ok) : left;
  }

  #wake(): void {
    const { height } = this;
    const ready = this.#waiting.filter((waiting) => waiting.height <= height);
    this.#waiting = this.#waiting.filter((waiting) => waiting.height > height);
    for (const { done } of ready) done(height);
  }
}

const upperHex = (bytes: Uint8Array = new Uint8Array(0)): string => Buffer.from(bytes).toString('hex').toUpperCase();

const NO_BYTES = new Uint8Array(0);

/** A block of these transactions; this engine's headers say nothing else. */
function blockBytes(genesis: GenesisDocument, { height, timeNs, transactions }: ExecutedTransactions): Uint8Array {
  return encodeBlock({
    header: {
      version: { block: 11, app: 1 },
      chainId: genesis.chainId,
      height,
      timeNs,
      lastBlockId: ZERO_BLOCK_ID,
      lastCommitHash: NO_BYTES,
      dataHash: NO_BYTES,
      validatorsHash: NO_BYTES,
      nextValidatorsHash: NO_BYTES,
      consensusHash: NO_BYTES,
      appHash: NO_BYTES,
      lastResultsHash: NO_BYTES,
      evidenceHash: NO_BYTES,
      proposerAddress: NO_BYTES,
    },
    transactions: transactions.map(({ raw }) => raw),
    lastCommit: EMPTY_COMMIT,
  });
}
