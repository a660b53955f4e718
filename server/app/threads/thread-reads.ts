/**
 * What an HTTP thread reads by itself: transfers and accounts, from a connection of its own to the database of the embedded engine. A server
 * over a network asks its gateway, which alone knows where its database is now.
 *
 * @module
 */
import type { Logger } from '../../engine/ports.ts';
import type { GatewayReads } from '../../gateway/core-api.ts';
import { EmbeddedReads } from '../../gateway/embedded/reads.ts';
import { openChainReader, type ChainConnection } from '../../store/embedded/connection.ts';
import { EventReader } from '../../store/embedded/event-reader.ts';
import { ChainReader } from '../../store/embedded/reader.ts';

/** How often what was accepted is taken up although nobody reads: the first read after a second of load would otherwise take ten milliseconds. */
const REFRESH_MS = 50;

export interface ThreadReadsOptions {
  /** Of chain.db. */
  file: string;
  chainId: string;
  logger: Logger;
}

export class ThreadReads implements GatewayReads {
  readonly #options: ThreadReadsOptions;
  #sql: ChainConnection | undefined;
  #reads: EmbeddedReads | undefined;
  #selectHeight: { get(): unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadReadsOptions) {
    this.#options = options;
  }

  #open(): EmbeddedReads {
    const { file, chainId, logger } = this.#options;
    this.#sql = openChainReader(file);
    const reader = new ChainReader(this.#sql);
    this.#selectHeight = this.#sql.prepare('SELECT coalesce(max(height), 0) FROM blocks').pluck();
    this.#reads = new EmbeddedReads({ reader, events: new EventReader(this.#sql), chainId, logger });
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
    return this.#selectHeight?.get() as number;
  }

  accounts: GatewayReads['accounts'] = (addresses) => this.#opened().accounts(addresses);

  events: GatewayReads['events'] = (query) => this.#opened().events(query);

  close(): void {
    clearInterval(this.#timer);
    this.#sql?.close();
  }

  #opened(): EmbeddedReads {
    // Nobody asks before the ledger thread has started, and then there is a file.
    return this.#reads ?? this.#open();
  }
}
