/**
 * One process over the disk of a life: the product's ledger service, engine, writer of chain.db and readers, put together as ledger.worker.ts,
 * jobs/chain.ts and http.worker.ts do, on one thread. What threads do by themselves there is a step of the life here.
 */
import { accessCaughtUpTo, caughtUpTo, type WrittenChain } from '../../server/app/chain-index.ts';
import { ChainWriter } from '../../server/app/chain-writer.ts';
import { type EmbeddedLedger, openEmbeddedLedger } from '../../server/app/embedded-ledger.ts';
import { ledgerWebhooks } from '../../server/app/threads/ledger-webhooks.ts';
import { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import type { ValidatorKey } from '../../server/engine/embedded/index.ts';
import type { SearchStore } from '../../server/engine/search/search-store.ts';
import { createGatewayFront, type Gateway } from '../../server/gateway/index.ts';
import type { GenesisDocument } from '../../server/ledger/index.ts';
import type { ChainLog } from '../../server/store/embedded/chain-log.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import { type ChainConnection, countCommits } from '../../server/store/embedded/connection.ts';
import type { LocalWebhookWrite } from '../../server/store/embedded/webhooks.ts';
import { StoreUnavailableError } from '../../server/store/errors.ts';
import { operatorSeed } from '../ledger/support.ts';
import { type Disk, type DiskEvents, openChainFile } from './disk.ts';
import { MemoryLog, memoryStorage } from './memory-log.ts';
import { ProcessClock, type VirtualTime } from './time.ts';

export const BLOCK_MS = 1000;
export const TTL_MS = 60_000;

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Its checkpoints are of no concern: an append is durable without one. */
const logSql = {
  pragma: () => [{ busy: 0, log: 0, checkpointed: 0 }],
  close: () => undefined,
} as unknown as ChainConnection;

/** The search index keeps its newest part in memory; a life is too short for a second one. */
function emptySearch(): SearchStore {
  let height = 0;
  return {
    segments: () => [],
    height: () => height,
    setHeight: (to) => void (height = to),
    putPart: () => undefined,
    finish: () => undefined,
    directory: () => undefined,
    numbers: () => undefined,
    blockAt: () => undefined,
    blockFrom: () => undefined,
    clear: () => undefined,
    maintain: () => undefined,
    close: () => undefined,
  };
}

/** Who waits is woken by the life's time, and not by that of the machine. */
class VirtualCommitCount extends CommitCount {
  readonly #clock: ProcessClock;
  #waiting: (() => void)[] = [];

  constructor(memory: SharedArrayBuffer, clock: ProcessClock) {
    super(memory);
    this.#clock = clock;
  }

  protected override async otherThan(word: number, value: number, timeoutMs: number): Promise<void> {
    if (this.wordAt(word) === value) await this.#woken(timeoutMs);
  }

  protected override woken(): void {
    this.#wake();
  }

  override wroteAccess(seq: number): void {
    super.wroteAccess(seq);
    this.#wake();
  }

  override async beyondAccess(seq: number, timeoutMs: number): Promise<void> {
    if (this.accessSeq === seq) await this.#woken(timeoutMs);
  }

  async #woken(timeoutMs: number): Promise<void> {
    await new Promise<void>((wake) => {
      this.#waiting.push(wake);
      this.#clock.setTimer(wake, timeoutMs);
    });
  }

  #wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }
}

/** The chain thread, a step at a time. */
export class ChainSteps implements WrittenChain {
  readonly #log: ChainLog;
  readonly #commits: CommitCount;
  readonly #waits: Pick<WrittenChain, 'caughtUp' | 'accessCaughtUp'>;
  readonly #writer: ChainWriter;
  #next: 'write' | 'maintain' | 'maintain at the end' | undefined = 'write';
  /** The log has more than what it looked at last: a message that waits. */
  #isWoken = false;
  /** Entries up to this one may be dropped: a message that is under way. */
  #dropping: number | undefined;

  constructor(parts: {
    log: ChainLog;
    sql: ChainConnection;
    chainId: string;
    commits: CommitCount;
    waits: Pick<WrittenChain, 'caughtUp' | 'accessCaughtUp'>;
    monotonicMs: () => number;
  }) {
    this.#log = parts.log;
    this.#commits = parts.commits;
    this.#waits = parts.waits;
    this.#writer = new ChainWriter({ ...parts, log: parts.log.entries, logSql, onDue: () => this.wake() });
  }

  get height(): number {
    return this.#commits.height;
  }

  /** Something is to be done. */
  get isDue(): boolean {
    return this.#next !== undefined || this.#dropping !== undefined;
  }

  wake(): void {
    this.#isWoken = true;
    this.#next ??= 'write';
  }

  get accessSeq(): number {
    return this.#commits.accessSeq;
  }

  caughtUp(): Promise<void> {
    return this.#waits.caughtUp();
  }

  accessCaughtUp(seq: number): Promise<void> {
    return this.#waits.accessCaughtUp(seq);
  }

  /** Drops come from another thread, so they may be late. @returns what it did. */
  step(dropsNow: boolean): string {
    if (this.#dropping !== undefined && (dropsNow || this.#next === undefined)) {
      if (!this.#log.drop(this.#dropping)) this.#dropping = undefined;
      return 'drop';
    }
    if (this.#next === undefined) return 'nothing';
    try {
      return this.#step(this.#next);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return 'held';
    }
  }

  #step(next: 'write' | 'maintain' | 'maintain at the end'): string {
    if (next === 'write') {
      this.#isWoken = false;
      const hasWritten = this.#writer.next();
      this.#next = hasWritten ? 'maintain' : 'maintain at the end';
      return hasWritten ? 'write' : 'look';
    }
    const synced = this.#writer.maintain(next === 'maintain at the end');
    this.#dropping = synced ?? this.#dropping;
    this.#next = next === 'maintain' || this.#isWoken ? 'write' : undefined;
    return synced === undefined ? 'maintain' : 'checkpoint';
  }

  /** As delivery has it written. */
  writeLocal(writes: readonly LocalWebhookWrite[]): void {
    this.#writer.writeLocal(writes);
  }

  async close(): Promise<void> {
    while (this.#writer.next());
    this.#writer.end();
  }
}

export interface ProcessOptions {
  genesis: GenesisDocument;
  validatorKey: ValidatorKey;
  time: VirtualTime;
  disk: Disk;
  /** chain.db as it was found. */
  chainFile: Buffer;
  events: DiskEvents;
  /** Of ids and secrets. */
  bytes(count: number): Uint8Array;
}

export class SimulatedProcess {
  readonly clock: ProcessClock;
  readonly ledger: EmbeddedLedger;
  readonly gateway: Gateway;
  readonly webhooks: ReturnType<typeof ledgerWebhooks>;
  /** Of two HTTP threads. */
  readonly reads: readonly ThreadReads[];
  readonly chain: ChainSteps;
  readonly commits: CommitCount;
  readonly #file: ReturnType<typeof openChainFile>;
  readonly #life: { isRunning: boolean; fatal: Error | undefined };

  /** Rejects with what the product says, and when it dies on the way. `failed` is given chain.db as it is then. */
  static async open(
    options: ProcessOptions,
    failed: (image: { bytes: Buffer; seq: number }) => void,
  ): Promise<SimulatedProcess> {
    const { genesis, validatorKey, time, disk, chainFile, events, bytes } = options;
    const life: { isRunning: boolean; fatal: Error | undefined } = { isRunning: true, fatal: undefined };
    const isRunning = (): boolean => life.isRunning;
    const clock = new ProcessClock(time);
    const commits = new VirtualCommitCount(commitCountMemory(), clock);
    const dying: DiskEvents = {
      ...events,
      die: (soon) => {
        const die = (): void => {
          life.isRunning = false;
          clock.stop();
        };
        if (soon) queueMicrotask(die);
        else die();
        events.die(soon);
      },
    };
    const file = openChainFile(chainFile, disk, dying, isRunning);
    for (const sql of [file.sql, file.chainSql]) countCommits(sql, commits);
    const parts: { chain?: ChainSteps } = {};
    const end = (): void => {
      life.isRunning = false;
      clock.stop();
    };
    try {
      const ledger = await openEmbeddedLedger({
        sql: file.sql,
        file: '/simulated/chain.db',
        storage: {
          log: memoryStorage(() => new MemoryLog(disk, dying, isRunning)),
          openReader: file.reader,
          openLogSql: () => logSql,
          search: emptySearch(),
          signStateFile: disk.signStateFile,
        },
        commits,
        writeChain: ({ log, height }) => {
          const monotonicMs = (): number => time.monotonicMs;
          const waits = {
            caughtUp: () => caughtUpTo(commits, height, { monotonicMs }),
            accessCaughtUp: (seq: number) => accessCaughtUpTo(commits, seq, { monotonicMs }),
          };
          const { chainId } = genesis;
          return (parts.chain = new ChainSteps({ log, sql: file.chainSql, chainId, commits, waits, monotonicMs }));
        },
        genesis,
        dataDir: '/simulated',
        validatorKey,
        operatorSeed: operatorSeed(0),
        gatewayId: 'alone',
        fronts: 1,
        blockIntervalMs: BLOCK_MS,
        clock,
        logger: silent,
        limits: { pendingTtlMs: TTL_MS },
        onFatal: (error) => {
          life.fatal ??= error;
          end();
        },
      });
      const reads = [1, 2].map(
        () =>
          new ThreadReads({
            chain: { file: '', commits: commitCountMemory() },
            chainId: genesis.chainId,
            logger: silent,
            simulated: { commits, open: file.reader, monotonicMs: () => time.monotonicMs },
          }),
      );
      const gateway = createGatewayFront(ledger.core, { chain: genesis, clock, reads: reads[0] });
      const webhooks = ledgerWebhooks({
        core: ledger.core,
        sql: file.sql,
        gatewayId: 'alone',
        targets: { loopback: false, allowed: [] },
        chain: genesis,
        clock,
        random: { bytes },
        logger: silent,
      });
      return new SimulatedProcess({
        clock,
        webhooks,
        ledger,
        gateway,
        reads,
        chain: parts.chain as ChainSteps,
        commits,
        file,
        life,
      });
    } catch (error) {
      end();
      const image = file.image();
      file.close(image);
      failed(image);
      throw error;
    }
  }

  private constructor(parts: {
    clock: ProcessClock;
    ledger: EmbeddedLedger;
    gateway: Gateway;
    webhooks: ReturnType<typeof ledgerWebhooks>;
    reads: readonly ThreadReads[];
    chain: ChainSteps;
    commits: CommitCount;
    file: ReturnType<typeof openChainFile>;
    life: { isRunning: boolean; fatal: Error | undefined };
  }) {
    this.clock = parts.clock;
    this.ledger = parts.ledger;
    this.gateway = parts.gateway;
    this.webhooks = parts.webhooks;
    this.reads = parts.reads;
    this.chain = parts.chain;
    this.commits = parts.commits;
    this.#file = parts.file;
    this.#life = parts.life;
  }

  /** chain.db as it is now. */
  get rows(): ChainConnection {
    return this.#file.reader();
  }

  get isRunning(): boolean {
    return this.#life.isRunning;
  }

  /** Why it ended itself. */
  get fatal(): Error | undefined {
    return this.#life.fatal;
  }

  kill(): void {
    this.#life.isRunning = false;
    this.clock.stop();
  }

  /** Once it is dead. @returns chain.db as it stands in the memory of the machine. */
  bury(): { bytes: Buffer; seq: number } {
    this.kill();
    for (const one of this.reads) one.close();
    const image = this.#file.image();
    this.#file.close(image);
    return image;
  }

  /** An orderly end. */
  async stop(): Promise<void> {
    await this.gateway.drain();
    await this.ledger.close();
  }
}
