/**
 * What an HTTP thread reads by itself: transfers and accounts, from a connection of its own to the database of the embedded engine. A server
 * over a network asks its gateway, which alone knows where its database is now.
 *
 * @module
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import { EmbeddedReads, type GatewayReads } from '../../gateway/embedded/reads.ts';
import { openChainReader, type ChainConnection } from '../../store/embedded/connection.ts';
import { ChainReader } from '../../store/embedded/reader.ts';

export interface OpenReadsOptions {
  /** Of chain.db. */
  file: string;
  chainId: string;
  clock: Clock;
  logger: Logger;
}

export interface ThreadReads extends GatewayReads {
  close(): void;
}

/** The file exists: the ledger thread has started. */
export function openReads({ file, chainId, logger }: OpenReadsOptions): ThreadReads {
  const sql: ChainConnection = openChainReader(file);
  const reads = new EmbeddedReads({ reader: new ChainReader(sql), chainId, logger });
  return {
    list: (query) => reads.list(query),
    get: (txHash) => reads.get(txHash),
    account: (address) => reads.account(address),
    close: () => sql.close(),
  };
}
