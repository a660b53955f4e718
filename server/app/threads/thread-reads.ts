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
import { ChainReader } from '../../store/embedded/reader.ts';

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

  constructor(options: ThreadReadsOptions) {
    this.#options = options;
  }

  /** To be called when the ledger thread has started and before anybody asks: then there is a file. */
  open(): void {
    const { file, chainId, logger } = this.#options;
    this.#sql = openChainReader(file);
    this.#reads = new EmbeddedReads({ reader: new ChainReader(this.#sql), chainId, logger });
  }

  list: GatewayReads['list'] = (query) => this.#opened().list(query);

  get: GatewayReads['get'] = (txHash) => this.#opened().get(txHash);

  account: GatewayReads['account'] = (address) => this.#opened().account(address);

  close(): void {
    this.#sql?.close();
  }

  #opened(): EmbeddedReads {
    if (this.#reads === undefined) throw new Error('reads before the ledger thread has started');
    return this.#reads;
  }
}
