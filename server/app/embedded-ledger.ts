/**
 * The embedded engine and the ledger service on one log: a block and the transfers that it settles are one entry. chain.db is written from
 * the log.
 *
 * @module
 */
import {
  createEmbeddedEngine,
  sqliteChainStore,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
  type ExecutedBlock,
  type LastSigned,
} from '../engine/embedded/index.ts';
import type { ChainTimes } from './durations.ts';
import type { SignStateFile } from '../engine/embedded/index.ts';
import type { SearchStore } from '../engine/search/search-store.ts';
import { nsToMs, upperHex } from '../engine/encoding/index.ts';
import type { ExecutedTransactions } from '../engine/port.ts';
import { EmbeddedCore, type EmbeddedCoreOptions } from '../gateway/embedded/core.ts';
import { EmbeddedReads } from '../gateway/embedded/reads.ts';
import type { LogPlace } from '../log/log.ts';
import type { SqliteLogOptions } from '../log/sqlite-log.ts';
import { accessRows } from '../store/embedded/admin.ts';
import { attachLog, ChainLog, isBegun, type LogStorage } from '../store/embedded/chain-log.ts';
import { type ChainConnection, openChainReader, writing } from '../store/embedded/connection.ts';
import { CommitCount, commitCountMemory } from '../store/embedded/commit-count.ts';
import { LaterVersionError, StoreConflictError, StoreDamagedError } from '../store/errors.ts';
import { sqliteCode } from '../store/sqlite/library.ts';
import { LedgerLog } from '../store/embedded/ledger-log.ts';
import { EventReader } from '../store/embedded/event-reader.ts';
import { hasTransactions, nextLeaf } from '../store/embedded/has-transactions.ts';
import { ChainReader } from '../store/embedded/reader.ts';
import { Snapshots } from '../store/embedded/snapshots.ts';
import { chainAtOnce, type ChainAtOnceOptions, type WrittenChain } from './chain-index.ts';
import { loggedChainStore, type LoggedChainStoreOptions } from './logged-chain-store.ts';

/** Location of the files of a ledger, for a simulation that has them in memory. */
export interface LedgerStorage {
  log: LogStorage;
  /** Opens a connection that reads chain.db and the tail of the log (attachLog). */
  openReader(): ChainConnection;
  /** Opens a connection that makes the checkpoints of log.db. */
  openLogSql: ChainAtOnceOptions['openLogSql'];
  search: SearchStore;
  signStateFile: SignStateFile;
}

export interface EmbeddedLedgerOptions
  extends
    Pick<
      EmbeddedCoreOptions,
      'tracer' | 'genesis' | 'operatorSeed' | 'clock' | 'logger' | 'onFatal' | 'limits' | 'gatewayId'
    >,
    Required<Pick<EmbeddedCoreOptions, 'fronts'>>,
    Pick<EmbeddedEngineOptions, 'dataDir' | 'validatorKey' | 'blockIntervalMs' | 'idleBlockMs'> {
  /** The connection that writes chain.db; the caller that opened it closes it. */
  sql: ChainConnection;
  /** The file behind it. */
  file: string;
  /** Used instead of the files beside chain.db. */
  storage?: LedgerStorage | undefined;
  /** A second file that names the last entry of the log. */
  otherWitnessFile?: string | undefined;
  /** State about both files, shared between the threads. */
  commits?: CommitCount;
  /** See LoggedChainStoreOptions. */
  behindMax?: LoggedChainStoreOptions['behindMax'];
  /** See SqliteLogOptions. */
  connectLog?: SqliteLogOptions['connect'];
  /** Writes chain.db from now on, on a thread of its own. Without it this thread writes chain.db with each block. */
  writeChain?: (parts: { log: ChainLog; height: () => number }) => WrittenChain;
  /** Called when chain.db has every entry that the log had at the start, before the engine reads it. */
  onCaughtUp?: () => void | Promise<void>;
  /** Receives the height of each block that is written into chain.db at the start. */
  onProgress?: (height: number) => void;
  /** Called after each block with transactions is on disk. */
  onTransactions?: (block: { height: number; transactions: number; failed: number }) => void;
  /** Counts the durations of commits and checkpoints of chain.db. */
  times?: ChainTimes;
  /** Called once, when the chain has or awaits a transaction, at the start or later. */
  onFirstTransaction?: () => void;
}

export interface EmbeddedLedger {
  readonly engine: EmbeddedEngine;
  readonly core: EmbeddedCore;
  /** The last signature of the validator, from the log: chain.db may not have that block yet. */
  lastSigned(): LastSigned | undefined;
  /** The last entry of the log; it is durable. */
  lastEntry(): LogPlace;
  /** Closes the core and then the engine. */
  close(): Promise<void>;
}

/** Rejects with EngineStartError when the files do not fit together. */
export async function openEmbeddedLedger(options: EmbeddedLedgerOptions): Promise<EmbeddedLedger> {
  const {
    sql,
    file,
    genesis,
    dataDir,
    validatorKey,
    blockIntervalMs,
    idleBlockMs,
    clock,
    logger,
    onFatal,
    onTransactions,
    times,
  } = options;
  let { onFirstTransaction } = options;
  const transactionsCame = (): void => {
    onFirstTransaction?.();
    onFirstTransaction = undefined;
  };
  const parts: { core?: EmbeddedCore } = {};
  const settled = (): EmbeddedCore => {
    if (parts.core === undefined) throw new Error('a block was made before there was a core to settle it');
    return parts.core;
  };
  const commits = options.commits ?? new CommitCount(commitCountMemory());
  const opened = openLog(options);
  // Of a chain that has begun the engine checks more: it compares the files beside chain.db, and its message names the wrong one. For an
  // entry of a later version the message of the log is the right one.
  if (opened.log === undefined && (!isBegun(sql) || opened.error instanceof LaterVersionError)) throw opened.error;
  const atStart = opened.log && writtenAtOnce(opened.log, { ...options, commits });
  await options.onCaughtUp?.();
  const rows = sqliteChainStore({ sql, writing: (work) => writing(sql, work) });
  const ledgerLog = opened.log && new LedgerLog(opened.log);
  let index: WrittenChain | undefined = atStart;
  const chain =
    opened.log === undefined || ledgerLog === undefined
      ? rows
      : loggedChainStore({
          rows,
          log: opened.log,
          ledgerLog,
          index: {
            get height() {
              return index?.height ?? 0;
            },
          },
          nextLeaf: () => nextLeaf(sql),
          behindMax: options.behindMax,
          onBlock: (height) => {
            commits.logged(height);
            index?.wake();
          },
        });
  const engine = await createEmbeddedEngine({
    genesis,
    dataDir,
    search: options.storage?.search,
    signStateFile: options.storage?.signStateFile,
    chain,
    validatorKey,
    blockIntervalMs,
    idleBlockMs,
    clock,
    logger,
    settle: (block) => {
      settled().settle(settling(block));
      if (block.transactions.length > 0) transactionsCame();
    },
    applied: ({ stored, transactions, results }) => {
      settled().applied();
      if (transactions.length > 0)
        onTransactions?.({
          height: stored.height,
          transactions: transactions.length,
          failed: results.filter(({ code }) => code !== 0).length,
        });
    },
    onFatal: (error) => {
      parts.core?.failed();
      onFatal(error);
    },
  });
  // No timer runs between the engine's start and this line, so no block is made before the core exists that settles it.
  if (opened.log === undefined || ledgerLog === undefined || index === undefined) {
    await engine.close();
    throw opened.error;
  }
  const { log } = opened;
  if (options.writeChain !== undefined) {
    await index.close();
    index = options.writeChain({ log, height: () => engine.tip.height });
  }
  const written = index;
  const readSql = options.storage?.openReader() ?? openReader(file);
  const snapshots = new Snapshots(readSql);
  const reader = new ChainReader(readSql, snapshots);
  const core = new EmbeddedCore({
    ...options,
    engine,
    log: ledgerLog,
    index: written,
    ...(times && { storeFigures: () => times.figures() }),
    reader,
    reads: new EmbeddedReads({
      reader,
      events: new EventReader(readSql, snapshots),
      chainId: genesis.chainId,
      logger,
      height: () => commits.logHeight,
    }),
    access: accessRows(sql),
  });
  parts.core = core;
  if (hasTransactions(sql)) transactionsCame();
  return {
    engine,
    core,
    lastSigned: chain.lastSigned,
    lastEntry: () => log.head,
    close: async () => {
      await core.close();
      await engine.close();
      await written.close();
      readSql.close();
      log.close();
    },
  };
}

/** Opens a connection of its own to chain.db, and to the tail of the log beside it. */
function openReader(file: string): ChainConnection {
  const sql = openChainReader(file);
  attachLog(sql, file);
  return sql;
}

type OpenedLog = { log: ChainLog; error?: undefined } | { log?: undefined; error: unknown };

function openLog({
  sql,
  file,
  storage,
  otherWitnessFile,
  genesis,
  times,
  connectLog,
}: Pick<
  EmbeddedLedgerOptions,
  'sql' | 'file' | 'storage' | 'otherWitnessFile' | 'genesis' | 'times' | 'connectLog'
>): OpenedLog {
  const { chainId, hash } = genesis;
  try {
    return {
      log: new ChainLog({
        sql,
        chainFile: file,
        chain: { chainId, genesisHash: hash },
        otherWitnessFile,
        storage: storage?.log,
        appends: times?.group,
        connect: connectLog,
      }),
    };
  } catch (error) {
    return { error };
  }
}

function writtenAtOnce(
  log: ChainLog,
  {
    sql,
    file,
    storage,
    genesis,
    commits,
    times,
    onProgress,
  }: Pick<EmbeddedLedgerOptions, 'sql' | 'file' | 'storage' | 'genesis' | 'times' | 'onProgress'> & {
    commits: CommitCount;
  },
): WrittenChain {
  try {
    return chainAtOnce({
      sql,
      file,
      log,
      chainId: genesis.chainId,
      commits,
      openLogSql: storage?.openLogSql,
      onProgress,
      blocks: times?.block,
      checkpoints: times?.checkpointByWriter,
    });
  } catch (error) {
    // If existing rows contradict the new ones, SQLite reports that with its own message.
    if (!(error instanceof StoreConflictError) && sqliteCode(error)?.startsWith('SQLITE_CONSTRAINT') !== true)
      throw error;
    throw new StoreDamagedError(
      `chain.db is damaged, or a copy of another moment: what log.db has behind it does not fit (${(error as Error).message})`,
    );
  }
}

function settling({
  stored,
  transactions,
  results,
  accounts,
  governance,
  readMs,
}: ExecutedBlock): ExecutedTransactions {
  return {
    height: stored.height,
    hash: upperHex(stored.id.hash),
    timeMs: nsToMs(stored.timeNs),
    timeNs: stored.timeNs,
    transactions,
    codes: results.map(({ code }) => code),
    accounts,
    governance,
    readMs,
  };
}
