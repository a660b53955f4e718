/**
 * Statements, answered on the caller's thread: from a connection of its own to the file that the engine makes from the blocks.
 *
 * The file is a moment behind the chain. An answer waits until the file holds every block that the caller may have seen, so that a transfer
 * which was shown as committed is in the statement; it never leaves one out.
 */
import type { Clock, Logger } from '../engine/ports.ts';
import { entriesAfter, entryPage, type PlacedEntry } from './list/entry-pages.ts';
import { beyondChain, refuse } from './refusals.ts';
import type { AccountAtView, EntryPage, EntryQuery, Refusal } from './types.ts';

/** Longest wait for the file. */
const BEHIND_WAIT_MS_MAX = 5_000;
const LOOK_MS = 5;
/** A file that stays behind may have been made again under the same name. */
const REOPEN_MS = 1_000;
const RETRY_AFTER_S = 1;

export interface StatementReads {
  accountAt(address: string, height: number): Promise<AccountAtView | Refusal>;
  entries(query: EntryQuery): Promise<EntryPage | Refusal>;
}

/** An open file of statements. */
export interface StatementFile {
  /** The last block that it holds; -1 before any. */
  height(): number;
  /** Entries of the blocks up to `heightMax`, from where the page before ended. */
  entries(range: Omit<EntryQuery, 'cursor'> & { after: number | undefined }): PlacedEntry[];
  /** Undefined for a block that it does not hold. */
  accountAt(address: string, height: number): { balance: bigint; nonce: number; blockTimeMs: number } | undefined;
  close(): void;
}

export interface StatementsOptions {
  /** Opens the file on a connection of its own; undefined while there is none. */
  open: () => StatementFile | undefined;
  /** Called when a read needs a block that the file does not have. */
  onBehind?: (height: number) => void;
  /**
   * Consequence of a failed read: the file is made again, and the read waits for that; or it cannot be read now; undefined for an error of
   * this program.
   */
  failure: (error: unknown) => 'made_again' | 'unreadable' | undefined;
  chainId: string;
  /** The last block that a caller of this service can have seen. */
  height: () => number | Promise<number>;
  clock: Clock;
  logger: Logger;
}

export class Statements implements StatementReads {
  readonly #options: StatementsOptions;
  #reader: StatementFile | undefined;
  #isClosed = false;

  constructor(options: StatementsOptions) {
    this.#options = options;
  }

  async accountAt(address: string, height: number): Promise<AccountAtView | Refusal> {
    const tip = await this.#options.height();
    if (height > tip) return beyondChain(height, tip);
    return await this.#read(height, (reader) => {
      const found = reader.accountAt(address, height);
      // The file was made again meanwhile.
      if (found === undefined) return behind(reader.height(), height);
      return {
        ok: true,
        address,
        balance: found.balance.toString(),
        nonce: found.nonce,
        height,
        blockTimeMs: found.blockTimeMs,
        ledgerHeight: tip,
      };
    });
  }

  async entries(query: EntryQuery): Promise<EntryPage | Refusal> {
    const { address, limit, order, fromMs, toMs, heightMax } = query;
    const { chainId } = this.#options;
    const after = entriesAfter(chainId, query);
    if (typeof after === 'object') return after;
    const tip = await this.#options.height();
    return await this.#read(tip, (reader) => {
      // The height first: entries of a block that comes in between are then not counted as missing.
      const height = Math.min(reader.height(), heightMax ?? Number.MAX_SAFE_INTEGER);
      return entryPage(
        chainId,
        query,
        reader.entries({ address, order, fromMs, toMs, after, heightMax: height, limit: limit + 1 }),
        height,
      );
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#reset();
  }

  /** Reads when the file holds the block. */
  async #read<T>(height: number, work: (reader: StatementFile) => T | Refusal): Promise<T | Refusal> {
    const { clock, onBehind } = this.#options;
    let isTold = false;
    const startedMs = clock.monotonicMs();
    let reopenMs = startedMs + REOPEN_MS;
    for (;;) {
      let reached = -1;
      try {
        const reader = (this.#reader ??= this.#options.open());
        reached = reader?.height() ?? -1;
        if (reader !== undefined && reached >= height) return work(reader);
        if (!isTold) onBehind?.(height);
        isTold = true;
      } catch (error) {
        const refusal = this.#refused(error);
        if (refusal !== undefined) return refusal;
      }
      const nowMs = clock.monotonicMs();
      if (this.#isClosed || nowMs - startedMs >= BEHIND_WAIT_MS_MAX) return behind(reached, height);
      if (nowMs >= reopenMs) {
        this.#reset();
        reopenMs = nowMs + REOPEN_MS;
      }
      await new Promise<void>((resolve) => void clock.setTimer(resolve, LOOK_MS));
    }
  }

  /** Undefined when the file is made again: it is then only behind. */
  #refused(error: unknown): Refusal | undefined {
    const { failure, logger } = this.#options;
    this.#reset();
    const found = failure(error);
    if (found === undefined) throw error;
    logger.error({ err: error }, 'the statements could not be read');
    if (found === 'made_again') return undefined;
    return refuse(
      'store_unavailable',
      'The statements could not be read. Wait as long as Retry-After says, then send the request again.',
      { retryAfterS: RETRY_AFTER_S },
    );
  }

  #reset(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }
}

/** Answers of a service that keeps no statements. */
export const NO_STATEMENTS: StatementReads = {
  accountAt: async () => refuse('engine_unavailable', 'This service keeps no statements. Ask another one.'),
  entries: async () => refuse('engine_unavailable', 'This service keeps no statements. Ask another one.'),
};

const behind = (reached: number, height: number): Refusal =>
  refuse(
    'engine_unavailable',
    `The statements hold blocks up to ${Math.max(0, reached)}, and the answer needs block ${height}. They catch up by themselves: send the request again in a moment.`,
    {
      retryAfterS: RETRY_AFTER_S,
    },
  );
