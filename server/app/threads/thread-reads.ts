/**
 * What an HTTP thread reads by itself: transfers and accounts, from a connection of its own to the database of the embedded engine. A server
 * over a network asks its gateway, which alone knows where its database is now.
 *
 * @module
 */
import type { Logger } from '../../engine/ports.ts';
import type { GatewayReads } from '../../gateway/core-api.ts';
import { EmbeddedReads } from '../../gateway/embedded/reads.ts';
import { attachLog } from '../../store/embedded/chain-log.ts';
import { CommitCount } from '../../store/embedded/commit-count.ts';
import { openChainReader, type ChainConnection } from '../../store/embedded/connection.ts';
import { EventReader } from '../../store/embedded/event-reader.ts';
import { ChainReader } from '../../store/embedded/reader.ts';
import { Snapshots } from '../../store/embedded/snapshots.ts';

/** How often what was accepted is taken up although nobody reads: the first read after a second of load would otherwise take ten milliseconds. */
const REFRESH_MS = 50;

/** chain.db, for a thread that reads it itself. */
export interface ReadableChain {
  file: string;
  /** The memory of the count of its commits, which its writer has too. */
  commits: SharedArrayBuffer;
}

export interface ThreadReadsOptions {
  chain: ReadableChain;
  chainId: string;
  logger: Logger;
}

export class ThreadReads implements GatewayReads {
  readonly #options: ThreadReadsOptions;
  #sql: ChainConnection | undefined;
  #snapshots: Snapshots | undefined;
  #reader: ChainReader | undefined;
  #reads: EmbeddedReads | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadReadsOptions) {
    this.#options = options;
  }

  #open(): EmbeddedReads {
    const { chain, chainId, logger } = this.#options;
    const sql = openChainReader(chain.file);
    attachLog(sql, chain.file);
    const snapshots = new Snapshots(sql, new CommitCount(chain.commits));
    const reader = new ChainReader(sql, snapshots);
    this.#sql = sql;
    this.#snapshots = snapshots;
    this.#reader = reader;
    this.#reads = new EmbeddedReads({ reader, events: new EventReader(sql, snapshots), chainId, logger });
    this.#timer = setInterval(() => {
      try {
        reader.refresh();
      } catch (error) {
        // The next read finds the same, and tells its caller.
        logger.debug({ err: error }, 'what was accepted could not be read');
      }
    }, REFRESH_MS);
    this.#timer.unref();
    return this.#reads;
  }

  list: GatewayReads['list'] = (query) => this.#opened().list(query);

  get: GatewayReads['get'] = (txHash) => this.#opened().get(txHash);

  account: GatewayReads['account'] = (address) => this.#opened().account(address);

  /** Of the last block on disk. */
  height(): number {
    this.#opened();
    return this.#reader?.tip().height ?? 0;
  }

  accounts: GatewayReads['accounts'] = (addresses) => this.#opened().accounts(addresses);

  events: GatewayReads['events'] = (query) => this.#opened().events(query);

  close(): void {
    clearInterval(this.#timer);
    this.#snapshots?.close();
    this.#sql?.close();
  }

  #opened(): EmbeddedReads {
    // Nobody asks before the ledger thread has started, and then there is a file.
    return this.#reads ?? this.#open();
  }
}
