/**
 * Reads transfers and accounts on an HTTP thread, over a connection of its own to the database of the embedded engine. A server over a
 * network calls its gateway thread instead: only that thread has the current location of its database.
 *
 * @module
 */
import type { Logger } from '../../engine/ports.ts';
import type { GatewayReads } from '../../gateway/core-api.ts';
import { refuseStoreFault } from '../../gateway/store-faults.ts';
import type { Refusal } from '../../gateway/types.ts';
import { EmbeddedReads } from '../../gateway/embedded/reads.ts';
import { CAUGHT_UP_MS_MAX, caughtUpTo } from '../chain-index.ts';
import { attachLog } from '../../store/embedded/chain-log.ts';
import { CommitCount } from '../../store/embedded/commit-count.ts';
import { openChainReader, type ChainConnection } from '../../store/embedded/connection.ts';
import { EventReader } from '../../store/embedded/event-reader.ts';
import { StoreUnavailableError } from '../../store/errors.ts';
import { ChainReader } from '../../store/embedded/reader.ts';
import { Snapshots } from '../../store/embedded/snapshots.ts';

/**
 * Interval at which accepted transfers are loaded even without a read: otherwise the first read after a second of load would take ten
 * milliseconds.
 */
const REFRESH_MS = 50;

/** chain.db, for a thread that reads it directly. */
export interface ReadableChain {
  file: string;
  /** Shared memory of the count of its commits, which its writer updates. */
  commits: SharedArrayBuffer;
}

export interface ThreadReadsOptions {
  chain: ReadableChain;
  chainId: string;
  logger: Logger;
  /** Longest wait of a read for chain.db. */
  waitMsMax?: number;
  /** For a simulation: the count, a connection with the log attached, and the clock, instead of those of this machine. */
  simulated?: { commits: CommitCount; open(): ChainConnection; monotonicMs(): number };
}

export class ThreadReads implements GatewayReads {
  readonly #options: ThreadReadsOptions;
  readonly #commits: CommitCount;
  #sql: ChainConnection | undefined;
  #snapshots: Snapshots | undefined;
  #reads: EmbeddedReads | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadReadsOptions) {
    this.#options = options;
    this.#commits = options.simulated?.commits ?? new CommitCount(options.chain.commits);
  }

  #open(): EmbeddedReads {
    const { chain, chainId, logger, simulated } = this.#options;
    const sql = simulated?.open() ?? openChainReader(chain.file);
    if (simulated === undefined) attachLog(sql, chain.file);
    const snapshots = new Snapshots(sql, this.#commits);
    const reader = new ChainReader(sql, snapshots);
    this.#sql = sql;
    this.#snapshots = snapshots;
    this.#reads = new EmbeddedReads({
      reader,
      events: new EventReader(sql, snapshots),
      chainId,
      logger,
      height: () => this.#commits.logHeight,
    });
    this.#timer = setInterval(() => {
      try {
        reader.refresh();
      } catch (error) {
        // The next read gets the same error and returns it to its caller.
        logger.debug({ err: error }, 'what was accepted could not be read');
      }
    }, REFRESH_MS);
    this.#timer.unref();
    return this.#reads;
  }

  list: GatewayReads['list'] = (query) =>
    query.status === undefined ? this.#opened().list(query) : this.#current((reads) => reads.list(query));

  get: GatewayReads['get'] = (txHash) => this.#opened().get(txHash);

  account: GatewayReads['account'] = (address) => this.#opened().account(address);

  /** The highest block of which a reader may have seen something. */
  height(): number {
    return this.#reads?.height ?? this.#commits.logHeight;
  }

  /** Announces that data made from chain.db waits for this block. */
  readonly want = (height: number): void => this.#commits.want(height);

  waitForHeight: GatewayReads['waitForHeight'] = (height, timeoutMs) =>
    timeoutMs <= 0 || height <= this.height() ? this.height() : this.#waitForHeight(height, timeoutMs);

  accounts: GatewayReads['accounts'] = (addresses) => this.#opened().accounts(addresses);

  events: GatewayReads['events'] = (query) => this.#current((reads) => reads.events(query));

  /**
   * For reads that only chain.db answers. A reader may have seen a part of the last block of the log, and a later answer must not be older.
   * So if chain.db does not have that block yet, the answer waits for it, but for no later block.
   */
  #current<T>(read: (reads: EmbeddedReads) => T): T | Promise<T | Refusal> {
    const height = this.height();
    return this.#commits.height >= height ? read(this.#opened()) : this.#later(height, read);
  }

  async #later<T>(height: number, read: (reads: EmbeddedReads) => T): Promise<T | Refusal> {
    const { logger, waitMsMax = CAUGHT_UP_MS_MAX, simulated } = this.#options;
    try {
      await caughtUpTo(this.#commits, () => height, { waitMsMax, monotonicMs: simulated?.monotonicMs });
    } catch (error) {
      return refuseStoreFault(error, logger);
    }
    if (this.#isClosed) return refuseStoreFault(new StoreUnavailableError('the service ends'), logger);
    return read(this.#opened());
  }

  async #waitForHeight(height: number, timeoutMs: number): Promise<number> {
    const { monotonicMs = () => performance.now() } = this.#options.simulated ?? {};
    const untilMs = monotonicMs() + timeoutMs;
    for (;;) {
      const reached = this.height();
      const leftMs = untilMs - monotonicMs();
      if (reached >= height || leftMs <= 0 || this.#isClosed) return reached;
      await this.#commits.loggedBeyond(reached, leftMs);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#snapshots?.close();
    this.#sql?.close();
  }

  #opened(): EmbeddedReads {
    // No request arrives before the ledger thread has started, and then the file exists.
    return this.#reads ?? this.#open();
  }
}
