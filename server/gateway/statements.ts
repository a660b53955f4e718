/**
 * Statements, answered on the thread that asks: from a connection of its own to the file that the engine makes from the blocks.
 *
 * The file is a moment behind the chain. An answer waits until it holds every block that the caller may have heard of, so that a transfer
 * which was shown as committed is in the statement; it never leaves one out.
 */
import { rmSync, writeFileSync } from 'node:fs';
import type { Clock, Logger } from '../engine/ports.ts';
import { damagedMarker, type StatementEntry, StatementReader } from '../engine/statements/index.ts';
import { LIST_LIMIT_MAX } from './limits.ts';
import { decodePlace, encodePlace } from './list/cursor.ts';
import { refuse, refuseField } from './refusals.ts';
import type { AccountAtView, AccountEntry, EntryPage, EntryQuery, Refusal } from './types.ts';

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

export interface StatementsOptions {
  /** Of statements.db. */
  file: string;
  chainId: string;
  /** The last block that a caller of this service can have heard of. */
  height: () => number | Promise<number>;
  clock: Clock;
  logger: Logger;
}

export class Statements implements StatementReads {
  readonly #options: StatementsOptions;
  #reader: StatementReader | undefined;
  #isClosed = false;

  constructor(options: StatementsOptions) {
    this.#options = options;
  }

  async accountAt(address: string, height: number): Promise<AccountAtView | Refusal> {
    const tip = await this.#options.height();
    if (height > tip) return refuse('not_found', `The chain has no block ${height} yet: its last one is ${tip}. Ask for an earlier height.`);
    return await this.#read(height, (reader) => {
      const found = reader.accountAt(address, height);
      // Made again under our hands.
      if (found === undefined) return behind(reader.height(), height);
      return { ok: true, address, balance: found.balance.toString(), nonce: found.nonce, height, blockTimeMs: found.blockTimeMs };
    });
  }

  async entries(query: EntryQuery): Promise<EntryPage | Refusal> {
    const { address, limit, order, fromMs, toMs, heightMax, cursor } = query;
    if (!Number.isInteger(limit) || limit < 1 || limit > LIST_LIMIT_MAX) {
      return refuseField('invalid_request', '#/query/limit', `The parameter limit must be from 1 to ${LIST_LIMIT_MAX}.`);
    }
    const list = JSON.stringify([this.#options.chainId, 'entries', address, order, fromMs ?? '', toMs ?? '']);
    const after = cursor === undefined ? undefined : decodePlace(list, cursor);
    if (cursor !== undefined && after === undefined) {
      return refuseField('invalid_request', '#/query/cursor', 'The cursor is not one that this list answered. Send nextCursor of the page before unchanged, with the same parameters.');
    }
    const tip = await this.#options.height();
    return await this.#read(tip, (reader) => {
      // The height first: entries of a block that comes in between are then not counted as missing.
      const height = Math.min(reader.height(), heightMax ?? Number.MAX_SAFE_INTEGER);
      const found = reader.entries({ address, order, fromMs, toMs, after, heightMax: height, limit: limit + 1 });
      const shown = found.slice(0, limit);
      const page: EntryPage = { ok: true, entries: shown.map(entryOf), height };
      const last = shown.at(-1);
      if (found.length > limit && last !== undefined) page.nextCursor = encodePlace(list, last.place);
      return page;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#reset();
  }

  /** Reads when the file holds the block. */
  async #read<T>(height: number, work: (reader: StatementReader) => T | Refusal): Promise<T | Refusal> {
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    let reopenMs = startedMs + REOPEN_MS;
    for (;;) {
      let reached = -1;
      try {
        const reader = this.#open();
        reached = reader?.height() ?? -1;
        if (reader !== undefined && reached >= height) return work(reader);
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

  /** Undefined while there is no such file, or none with tables in it. */
  #open(): StatementReader | undefined {
    if (this.#reader !== undefined) return this.#reader;
    try {
      this.#reader = new StatementReader(this.#options.file);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return this.#reader;
  }

  #refused(error: unknown): Refusal | undefined {
    const { file, logger } = this.#options;
    const { code, message } = error as Error & { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('SQLITE_')) throw error;
    this.#reset();
    logger.error({ error: message, file }, 'the statements could not be read');
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
      try {
        writeFileSync(damagedMarker(file), '');
      } catch (failed) {
        logger.error({ error: (failed as Error).message, file }, 'that the statements are damaged could not be told to the thread that makes them');
        rmSync(damagedMarker(file), { force: true });
      }
    }
    return refuse('store_unavailable', 'The statements could not be read. Wait as long as Retry-After says, then send the request again.', { retryAfterS: RETRY_AFTER_S });
  }

  #reset(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }
}

/** Where no statements are kept. */
export const NO_STATEMENTS: StatementReads = {
  accountAt: async () => refuse('engine_unavailable', 'This service keeps no statements. Ask another one.'),
  entries: async () => refuse('engine_unavailable', 'This service keeps no statements. Ask another one.'),
};

const behind = (reached: number, height: number): Refusal =>
  refuse('engine_unavailable', `The statements hold blocks up to ${Math.max(0, reached)}, and the answer needs block ${height}. They catch up by themselves: send the request again in a moment.`, {
    retryAfterS: RETRY_AFTER_S,
  });

const isMissing = (error: unknown): boolean => {
  const { code, message } = error as Error & { code?: unknown };
  return code === 'SQLITE_CANTOPEN' || (code === 'SQLITE_ERROR' && message.startsWith('no such table'));
};

function entryOf({ place: _, ...entry }: StatementEntry): AccountEntry {
  return entry;
}
