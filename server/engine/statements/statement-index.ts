/**
 * Follows the executed blocks and writes statements.db from them, in time slices of a few milliseconds.
 *
 * It is not part of the chain: blocks never wait for it, and when it fails, only statements do. The file names the last block in it; after
 * a kill it continues from there, and when the file is gone, damaged, or of another history, it is rebuilt from the first block.
 */
import { existsSync } from 'node:fs';
import {
  CODES,
  decodeTransaction,
  type GenesisDocument,
  genesisGovernance,
  isExecuted,
  type Transaction,
} from '../../ledger/index.ts';
import { nsToMs, sha256 } from '../encoding/index.ts';
import type { Clock, Logger, Timer } from '../ports.ts';
import { EngineStartError } from '../start-error.ts';
import type { SqliteDatabase } from '../sqlite/database.ts';
import { ChangeLog, OutcomeDiffers } from './change-log.ts';
import { RunMerger, type RunMergerOptions } from './run-merger.ts';
import { damagedMarker, deleteStatementFile, openStatementFile } from './statement-file.ts';
import { BlocksLost, type StatementBlock, type StatementSource } from './statement-source.ts';

/** Length of a time slice: short enough for the other work of the thread. */
const TURN_MS_MAX = 8;
/** Transactions or accounts processed between two readings of the clock. */
const STEP_TRANSACTIONS = 64;
/** A transaction of the file ends after the block that brings it to so many changes: a file that is rebuilt is written in large pieces. */
const COMMIT_CHANGES = 2_048;
/** Interval at which a chain that does not announce blocks is queried for its height. */
const POLL_MS = 20;
/** Pause before a block is requested again. */
const RETRY_MS = 500;
/** With more runs than this, blocks wait until some are merged. */
const RUNS_MAX = 80;
const PROGRESS_LOG_MS = 5_000;
/** Further behind than this, progress is logged. */
const BLOCKS_WORTH_A_LINE = 1_000;
const CHECK_MARKER_MS = 1_000;
const CHECKPOINT_PAGES_MIN = 1_024;
/** Bytes kept of a block's hash: enough to recognise the block. */
const HASH_BYTES_KEPT = 8;

/** Work in steps: between two of them it may wait for the next time slice, or for a block that is then passed to it. */
type Steps<T = void> = Generator<Promise<StatementBlock> | undefined, T, StatementBlock | undefined>;

export interface StatementIndexOptions extends RunMergerOptions {
  path: string;
  genesis: GenesisDocument;
  source: StatementSource;
  clock: Clock;
  logger: Logger;
}

export class StatementIndex {
  readonly #options: StatementIndexOptions;
  #database!: SqliteDatabase;
  #log!: ChangeLog;
  #merger!: RunMerger;
  #work: Steps | undefined;
  #timer: Timer | undefined;
  #isReading = false;
  #isClosed = false;
  #isRecognised = false;
  #failure = '';
  #logged = { atMs: 0, isBehind: false };
  #markerCheckedMs = 0;
  /** True when pages may wait for a checkpoint: on an idle chain, checking costs more than all other work of a 20 ms poll. */
  #logMayWait = true;

  /** Throws SQLite's error when the file can be neither read nor created. */
  constructor(options: StatementIndexOptions) {
    this.#options = options;
    this.#open();
    this.#schedule(0);
  }

  /** Statements are complete up to this block; -1 before anything is in the file. */
  get height(): number {
    return this.#log.progress.height;
  }

  /** The reason why it no longer works; '' when it does. */
  get failure(): string {
    return this.#failure;
  }

  /** Called when the chain has another block. */
  wake(): void {
    if (!this.#isReading && this.#failure === '') this.#schedule(0);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#database.close();
  }

  #open(): void {
    const { path, genesis, logger } = this.#options;
    const identity = { chainId: genesis.chainId, genesisHash: genesis.hash };
    if (existsSync(damagedMarker(path))) deleteStatementFile(path);
    try {
      this.#database = openStatementFile(path, identity);
    } catch (error) {
      if (!(error instanceof EngineStartError)) throw error;
      logger.warn({ reason: error.message }, 'the statements cannot be used: making them again from the blocks');
      deleteStatementFile(path);
      this.#database = openStatementFile(path, identity);
    }
    this.#log = new ChangeLog(this.#database, genesis, genesisGovernance(genesis));
    this.#merger = new RunMerger(this.#database.sql, this.#options);
    this.#isRecognised = false;
  }

  #makeAgain(reason: string): void {
    this.#options.logger.warn({ reason }, 'the statements are made again from the blocks');
    this.#work = undefined;
    this.#database.close();
    deleteStatementFile(this.#options.path);
    this.#open();
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(() => this.#turn(), delayMs);
  }

  #turn(): void {
    this.#timer = undefined;
    try {
      this.#checkMarker();
      const delayMs = this.#work === undefined ? this.#next() : 0;
      if (this.#isReading) return;
      this.#schedule(delayMs ?? 0);
      this.#run();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Starts the next work. @returns the delay until the next check when there is none. */
  #next(): number | undefined {
    const height = this.#options.source.height();
    if (height !== undefined && !this.#isRecognised) {
      this.#work = this.#recognise(height);
      return undefined;
    }
    const isBehind = height !== undefined && this.height < height;
    this.#tell(height, isBehind);
    if (isBehind && this.#merger.runs <= RUNS_MAX) {
      this.#work = this.#follow(height);
      return undefined;
    }
    if (this.#merger.hasWork) return undefined;
    if (this.#logMayWait) this.#logMayWait = this.#checkpoint(1) > 0;
    return POLL_MS;
  }

  #run(answered?: StatementBlock): void {
    if (this.#work === undefined && !this.#merger.hasWork) return;
    this.#logMayWait = true;
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + TURN_MS_MAX;
    while (this.#work !== undefined && clock.monotonicMs() < endMs) {
      const { done, value } = this.#work.next(answered);
      answered = undefined;
      if (done === true) this.#work = undefined;
      else if (value instanceof Promise) return this.#await(value);
    }
    if (this.#work !== undefined) return;
    // Between two transactions of the file: one step after every few thousand changes keeps the runs few.
    do if (this.#merger.hasWork) this.#merger.step();
    while (this.#merger.hasWork && clock.monotonicMs() < endMs);
    this.#checkpoint(CHECKPOINT_PAGES_MIN);
  }

  #await(promised: Promise<StatementBlock>): void {
    this.#isReading = true;
    this.#timer?.cancel();
    const resume = (work: () => void): void => {
      this.#isReading = false;
      if (this.#isClosed) return;
      try {
        this.#schedule(0);
        work();
      } catch (error) {
        this.#failed(error);
      }
    };
    promised.then(
      (block) => resume(() => this.#run(block)),
      (error: unknown) =>
        resume(() => {
          if (error instanceof BlocksLost) throw error;
          this.#options.logger.warn(
            { height: this.height + 1, error: (error as Error).message },
            'the statements could not read a block; asking again later',
          );
          this.#giveUp();
        }),
    );
  }

  #abandon(): void {
    try {
      this.#log.abandonBlock();
      this.#merger.rolledBack();
    } catch (error) {
      this.#options.logger.error({ error: (error as Error).message }, 'the statements could not be written');
    }
  }

  /** Abandons the block in progress, and tries again later. */
  #giveUp(): void {
    this.#work = undefined;
    this.#abandon();
    this.#schedule(RETRY_MS);
  }

  #failed(error: unknown): void {
    const { source, logger, path } = this.#options;
    const { code, message, stack } = error as Error & { code?: unknown };
    if (error instanceof OutcomeDiffers && !source.isCertain && this.height + 1 >= (source.height() ?? 0)) {
      logger.warn(
        { reason: message },
        'the results of the newest block are not those that the ledger gives: the next header decides',
      );
      this.#giveUp();
      return;
    }
    if (typeof code === 'string' && /^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
      this.#makeAgain(message);
      this.#schedule(0);
      return;
    }
    if (typeof code === 'string' && code.startsWith('SQLITE_')) {
      logger.error({ path, error: message }, 'the statements could not be written; trying again later');
      this.#giveUp();
      return;
    }
    this.#failure = message;
    this.#timer?.cancel();
    this.#abandon();
    logger.error(
      { error: message, stack },
      'the statements have stopped; the file can be deleted while the server is stopped, and is made again',
    );
  }

  /** Checks that the file is of this very history. */
  *#recognise(chainHeight: number): Steps {
    const { source } = this.#options;
    const common = Math.min(this.height, chainHeight);
    if (common > 0) {
      const { hash } = yield* this.#read(common);
      const kept = this.#database.sql.prepare('SELECT hash FROM blocks WHERE height = ?').pluck().get(common) as
        | Buffer
        | undefined;
      const isKnown = kept?.equals(hash.subarray(0, HASH_BYTES_KEPT)) === true;
      if (!isKnown || (source.isCertain && this.height > chainHeight))
        this.#makeAgain('they are of another history than the chain');
    } else if (source.isCertain && this.height > chainHeight) this.#makeAgain('they are ahead of the chain');
    this.#isRecognised = true;
    this.#work = undefined;
  }

  /** Writes one transaction of the file: some blocks, or the genesis accounts. */
  *#follow(chainHeight: number): Steps {
    const log = this.#log;
    const first = log.progress.endOrdinal;
    log.begin();
    if (this.height < 0) yield* this.#openAccounts();
    while (this.height < chainHeight && log.progress.endOrdinal - first < COMMIT_CHANGES) {
      const block = yield* this.#read(this.height + 1);
      log.beginBlock();
      yield* this.#addBlock(block);
    }
    log.commit();
  }

  *#openAccounts(): Steps {
    const { accounts, genesisTime } = this.#options.genesis;
    let added = 0;
    this.#log.beginBlock();
    for (const { address, balance } of accounts) {
      this.#log.addOpening(address, balance);
      if (++added % STEP_TRANSACTIONS > 0) continue;
      this.#merger.flush(this.#log.progress.endOrdinal);
      yield;
    }
    this.#log.endBlock(0, Date.parse(genesisTime), Buffer.alloc(HASH_BYTES_KEPT));
  }

  *#addBlock({ height, hash, timeNs, transactions, codes }: StatementBlock): Steps {
    for (const [position, raw] of transactions.entries()) {
      const code = codes[position] ?? CODES.ok;
      if (isExecuted(code)) this.#log.addExecuted(executed(raw), sha256(raw), code, { height, timeNs }, position);
      else if (!this.#options.source.isCertain && height >= (this.#options.source.height() ?? height)) {
        throw new OutcomeDiffers(`transaction ${position} of block ${height} has code ${code} by the word of one node`);
      }
      if (position % STEP_TRANSACTIONS !== STEP_TRANSACTIONS - 1) continue;
      this.#merger.flush(this.#log.progress.endOrdinal);
      yield;
    }
    this.#merger.flush(this.#log.progress.endOrdinal);
    this.#log.endBlock(height, nsToMs(timeNs), hash.subarray(0, HASH_BYTES_KEPT));
    yield;
  }

  *#read(height: number): Steps<StatementBlock> {
    const block = this.#options.source.block(height);
    return block instanceof Promise ? ((yield block) as StatementBlock) : block;
  }

  /** @returns the number of pages that still wait. */
  #checkpoint(pagesMin: number): number {
    const { sql } = this.#database;
    const waiting = (mode: 'NOOP' | 'PASSIVE'): number => {
      const [pages] = sql.pragma(`wal_checkpoint(${mode})`) as { log: number; checkpointed: number }[];
      return (pages?.log ?? 0) - (pages?.checkpointed ?? 0);
    };
    const found = waiting('NOOP');
    return found >= pagesMin ? waiting('PASSIVE') : found;
  }

  #checkMarker(): void {
    const { clock, path } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#markerCheckedMs < CHECK_MARKER_MS) return;
    this.#markerCheckedMs = nowMs;
    if (existsSync(damagedMarker(path))) this.#makeAgain('a reader found the file damaged');
  }

  /** Logs the progress while it catches up from far behind. */
  #tell(chainHeight: number | undefined, isBehind: boolean): void {
    const { clock, logger } = this.#options;
    const { height } = this;
    if (chainHeight === undefined) return;
    if (this.#logged.isBehind && !isBehind) {
      this.#logged = { atMs: 0, isBehind: false };
      logger.info({ height }, 'the statements have caught up with the chain');
    } else if (isBehind && (this.#logged.isBehind || chainHeight - height > BLOCKS_WORTH_A_LINE)) {
      const nowMs = clock.monotonicMs();
      if (this.#logged.isBehind && nowMs - this.#logged.atMs < PROGRESS_LOG_MS) return;
      this.#logged = { atMs: nowMs, isBehind: true };
      logger.info(
        { height: Math.max(0, height), chainHeight, percent: Math.floor((100 * Math.max(0, height)) / chainHeight) },
        'the statements are being made from the blocks',
      );
    }
  }
}

function executed(raw: Uint8Array): Transaction {
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) throw new OutcomeDiffers(`an executed transaction cannot be read: ${decoded.refusal.log}`);
  return decoded.tx;
}
