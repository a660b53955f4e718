/** Reads of the embedded engine, answered on the thread that asks: from its own connection, without a message to another thread. */
import type { Logger } from '../../engine/ports.ts';
import type { ChainReader } from '../../store/embedded/reader.ts';
import type { AccountView, ListPage, ListQuery, Refusal, TransactionDetail } from '../types.ts';

/** What the gateway answers from rows alone. Arguments are checked before. */
export interface GatewayReads {
  list(query: ListQuery): ListPage | Refusal;
  get(txHash: string): TransactionDetail | Refusal | undefined;
  account(address: string): AccountView | Refusal;
}

export interface EmbeddedReadsOptions {
  reader: ChainReader;
  chainId: string;
  logger: Logger;
}

export class EmbeddedReads implements GatewayReads {
  readonly #options: EmbeddedReadsOptions;

  constructor(options: EmbeddedReadsOptions) {
    this.#options = options;
  }

  list(query: ListQuery): ListPage | Refusal {
    throw new Error(`to be written: ${this.#options.chainId} ${query.limit}`);
  }

  get(txHash: string): TransactionDetail | Refusal | undefined {
    throw new Error(`to be written: ${txHash}`);
  }

  account(address: string): AccountView | Refusal {
    throw new Error(`to be written: ${address}`);
  }
}
