/**
 * The embedded engine and its core on one database: a block, and what it settles, is one transaction of the one writer.
 *
 * @module
 */
import {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
  type ExecutedBlock,
} from '../engine/embedded/index.ts';
import type { ChainTimes } from './durations.ts';
import { nsToMs, upperHex } from '../engine/encoding/index.ts';
import type { ExecutedTransactions } from '../engine/port.ts';
import { EmbeddedCore, type EmbeddedCoreOptions } from '../gateway/embedded/core.ts';
import { EmbeddedReads } from '../gateway/embedded/reads.ts';
import { chainAdmin, type ChainAdmin } from '../store/embedded/admin.ts';
import { attachLog, ChainLog } from '../store/embedded/chain-log.ts';
import { type ChainConnection, openChainReader, writing } from '../store/embedded/connection.ts';
import { EventReader } from '../store/embedded/event-reader.ts';
import { hasTransactions } from '../store/embedded/has-transactions.ts';
import { ChainReader } from '../store/embedded/reader.ts';
import { TransferWriter } from '../store/embedded/transfer-writer.ts';

export interface EmbeddedLedgerOptions
  extends
    Pick<
      EmbeddedCoreOptions,
      'tracer' | 'genesis' | 'operatorSeed' | 'clock' | 'logger' | 'onFatal' | 'limits' | 'gatewayId'
    >,
    Required<Pick<EmbeddedCoreOptions, 'fronts'>>,
    Pick<EmbeddedEngineOptions, 'dataDir' | 'validatorKey' | 'blockIntervalMs' | 'idleBlockMs'> {
  /** The connection that writes chain.db; whoever opened it closes it. */
  sql: ChainConnection;
  /** The file behind it. */
  file: string;
  /** On the same connection. */
  admin?: ChainAdmin;
  /** See ChainDatabase. */
  checkpointSoon?: () => boolean;
  onLog?: (isLong: boolean) => void;
  /** After each block that holds transactions is on disk. */
  onTransactions?: (block: { height: number; transactions: number; failed: number }) => void;
  /** What commits and checkpoints of chain.db take is counted here. */
  times?: ChainTimes;
  /** Once: when the chain has or awaits a transaction, be it at the start or later. */
  onFirstTransaction?: () => void;
}

export interface EmbeddedLedger {
  readonly engine: EmbeddedEngine;
  readonly core: EmbeddedCore;
  /** Ends the core and then the engine. */
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
    checkpointSoon,
    onLog,
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
  const engine = await createEmbeddedEngine({
    genesis,
    dataDir,
    database: {
      sql,
      writing: (work) => writing(sql, work, times?.block),
      ...(checkpointSoon && { checkpointSoon }),
      ...(onLog && { onLog }),
      ...(times && { checkpoints: times.checkpointByWriter }),
    },
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
  // Between the engine's start and this no timer runs, so no block comes before there is a core to settle it.
  // Behind the engine, which knows more of a chain.db that does not belong to what lies beside it.
  const log = await openLog(engine, { sql, file, genesis, times });
  const readSql = openChainReader(file);
  attachLog(readSql, file);
  const reader = new ChainReader(readSql);
  const core = new EmbeddedCore({
    ...options,
    engine,
    writer: new TransferWriter(sql, log),
    ...(times && { storeFigures: () => times.figures() }),
    reader,
    reads: new EmbeddedReads({ reader, events: new EventReader(readSql), chainId: genesis.chainId, logger }),
    admin: options.admin ?? chainAdmin(sql),
  });
  parts.core = core;
  if (hasTransactions(sql)) transactionsCame();
  return {
    engine,
    core,
    close: async () => {
      await core.close();
      await engine.close();
      readSql.close();
      log.close();
    },
  };
}

async function openLog(
  engine: EmbeddedEngine,
  {
    sql,
    file,
    genesis,
    times,
  }: Pick<EmbeddedLedgerOptions, 'sql' | 'file' | 'genesis'> & { times: ChainTimes | undefined },
): Promise<ChainLog> {
  const { chainId, hash } = genesis;
  try {
    return new ChainLog({ sql, chainFile: file, chain: { chainId, genesisHash: hash }, appends: times?.group });
  } catch (error) {
    await engine.close();
    throw error;
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
