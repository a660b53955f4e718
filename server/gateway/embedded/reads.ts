/**
 * Reads of the embedded engine, answered on the caller's thread: from a connection of its own, without a message to another thread. The
 * answers equal those of list, get and account of the ledger service.
 */
import { GenerationCache } from '../../engine/generation-cache.ts';
import type { Logger } from '../../engine/ports.ts';
import type { EventReader } from '../../store/embedded/event-reader.ts';
import type { ChainReader, ListedTransfer } from '../../store/embedded/reader.ts';
import { accountView, type Moment } from '../account-view.ts';
import type { GatewayReads } from '../core-api.ts';
import { eventListQuery, eventPage } from '../list/event-pages.ts';
import { encodeCursor } from '../list/cursor.ts';
import { pageStart } from '../list/list-transfers.ts';
import { addressSidesOf } from '../list/sides.ts';
import { historyOf, recordOf } from '../records.ts';
import { refuseStoreFault } from '../store-faults.ts';
import type {
  AccountsView,
  AccountView,
  EventPage,
  EventQuery,
  ListPage,
  ListQuery,
  Refusal,
  TransactionDetail,
  TransactionRecord,
} from '../types.ts';

export interface EmbeddedReadsOptions {
  reader: ChainReader;
  /** On the same connection, with the same snapshots. */
  events: EventReader;
  chainId: string;
  logger: Logger;
  /** A block that the next snapshot includes at least; absent where only the last snapshot's height is available. */
  height?: (() => number) | undefined;
}

/**
 * Cached details of settled transfers, two kilobytes each with their text, twice as many at most (two generations): clients that wait for a
 * payment poll it, and several clients that were notified of one request it at the same moment.
 */
export const DETAILS_KEPT_MAX = 2048;

export class EmbeddedReads implements GatewayReads {
  readonly #reader: ChainReader;
  readonly #events: EventReader;
  readonly #chainId: string;
  readonly #logger: Logger;
  readonly #height: () => number;
  /** By the hash of the request. Nothing of a settled transfer changes. */
  readonly #details = new GenerationCache<string, TransactionDetail>(DETAILS_KEPT_MAX);

  constructor({ reader, events, chainId, logger, height = () => 0 }: EmbeddedReadsOptions) {
    this.#reader = reader;
    this.#events = events;
    this.#chainId = chainId;
    this.#logger = logger;
    this.#height = height;
  }

  /** The last block that every answer from now on includes. A snapshot may have a block before `height` reports it. */
  get height(): number {
    return Math.max(0, this.#reader.height, this.#height());
  }

  waitForHeight: GatewayReads['waitForHeight'] = () => this.height;

  list(query: ListQuery): ListPage | Refusal {
    const before = pageStart(this.#chainId, query);
    if (typeof before === 'object') return before;
    return this.#refusingStoreFaults(() => {
      const { limit, status, nonce, reference } = query;
      // Rows and reasons are of one moment.
      const { records, height, nextBefore } = this.#reader.snapshot(() => {
        const { transfers, height, nextBefore } = this.#reader.list({
          limit,
          before,
          status,
          nonce,
          reference,
          sides: addressSidesOf(query),
        });
        return { records: transfers.map(this.#recordOf), height, nextBefore };
      });
      const page: ListPage = { ok: true, transactions: records, height };
      if (nextBefore !== undefined) page.nextCursor = encodeCursor(this.#chainId, query, nextBefore);
      return page;
    });
  }

  /** The hash in upper case. */
  get(txHash: string): TransactionDetail | Refusal | undefined {
    const kept = this.#details.get(txHash);
    if (kept !== undefined) {
      // No block changes it, so the answer also holds for the last block, and no snapshot is needed for it.
      kept.ledgerHeight = this.height;
      return kept;
    }
    return this.#refusingStoreFaults(() =>
      this.#reader.snapshot(() => {
        const transfer = this.#reader.transferByHash(txHash);
        if (transfer === undefined) return undefined;
        const detail: TransactionDetail = {
          ...recordOf(transfer, this.#gapOf),
          nonce: transfer.nonce,
          history: historyOf(transfer),
          ledgerHeight: this.#reader.height,
        };
        if (detail.status !== 'pending') this.#details.set(txHash, detail);
        return detail;
      }),
    );
  }

  account(address: string): AccountView | Refusal {
    return this.#refusingStoreFaults(() => this.#reader.snapshot(() => this.#accountOf(address, this.#reader.tip())));
  }

  accounts(addresses: readonly string[]): AccountsView | Refusal {
    return this.#refusingStoreFaults(() =>
      this.#reader.snapshot(() => {
        const tip = this.#reader.tip();
        return { ok: true, accounts: addresses.map((address) => this.#accountOf(address, tip)), ...tip };
      }),
    );
  }

  events(query: EventQuery): EventPage | Refusal {
    const asked = eventListQuery(this.#chainId, query);
    if (typeof asked === 'object' && 'ok' in asked) return asked;
    // On the reader's snapshot, which includes every block of which anything was shown.
    return this.#refusingStoreFaults(() =>
      this.#reader.snapshot(() => {
        if (asked === 'nothing')
          return eventPage(this.#chainId, query, { events: [], scanned: 0 }, this.#reader.tip().height);
        const found = this.#events.list(asked);
        return eventPage(this.#chainId, query, found, found.height);
      }),
    );
  }

  #accountOf(address: string, tip: Moment): AccountView {
    const { account, pendingOut, free, highest, places } = this.#reader.account(address);
    return accountView(address, account, { pendingOut, free, highest, has: (nonce) => places.has(nonce) }, tip);
  }

  readonly #gapOf = ({ from }: { from: string }): number => this.#reader.gapOf(from);

  readonly #recordOf = (transfer: ListedTransfer): TransactionRecord =>
    transfer.status === 'pending'
      ? recordOf(transfer, this.#gapOf)
      : (transfer.record ??= recordOf(transfer, undefined));

  #refusingStoreFaults<T>(work: () => T): T | Refusal {
    try {
      return work();
    } catch (error) {
      return refuseStoreFault(error, this.#logger);
    }
  }
}
