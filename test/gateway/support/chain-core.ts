/**
 * The core of the embedded engine over the test engine, as the ledger thread puts it together: chain.db on a real disk, a block and what it
 * settles in one transaction, reads from a connection of their own.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sqliteChainStore } from '../../../server/engine/embedded/sqlite-chain-store.ts';
import { EmbeddedCore, type EmbeddedCoreOptions } from '../../../server/gateway/embedded/core.ts';
import { EmbeddedReads } from '../../../server/gateway/embedded/reads.ts';
import { genesisGovernance, LedgerState } from '../../../server/ledger/index.ts';
import { accessQuestions, accessRows } from '../../../server/store/embedded/admin.ts';
import { attachLog, ChainLog } from '../../../server/store/embedded/chain-log.ts';
import { CommitCount, commitCountMemory } from '../../../server/store/embedded/commit-count.ts';
import {
  countCommits,
  openChainDatabase,
  openChainReader,
  writing,
} from '../../../server/store/embedded/connection.ts';
import { EventReader } from '../../../server/store/embedded/event-reader.ts';
import { ChainReader } from '../../../server/store/embedded/reader.ts';
import { Snapshots } from '../../../server/store/embedded/snapshots.ts';
import { LedgerLog } from '../../../server/store/embedded/ledger-log.ts';
import { chainAtOnce } from '../../../server/app/chain-index.ts';
import { loggedChainStore } from '../../../server/app/logged-chain-store.ts';
import { nextLeaf } from '../../../server/store/embedded/has-transactions.ts';
import type { AdminStore } from '../../../server/store/index.ts';
import { accessStore } from './access-store.ts';
import type { FaultyDatabase } from './faulty-database.ts';
import type { SqliteChain, TestEngine } from './test-engine.ts';

export interface ChainCore {
  core: EmbeddedCore;
  reads: EmbeddedReads;
  admin: AdminStore;
  /** On the connection of the writer, as the server's own audit stream has it. */
  writerAdmin: AdminStore;
  close(): void;
}

export type ChainCoreOptions = Omit<EmbeddedCoreOptions, 'engine' | 'log' | 'index' | 'reader' | 'reads' | 'access'> & {
  engine: TestEngine;
  folder: string;
  faults: FaultyDatabase;
  pagesMax?: number | undefined;
};

/** Of chain.db. */
const PAGE_BYTES = 4096;

export const chainFile = (folder: string): string => join(folder, 'chain.db');

/** The engine goes on from what is in the file. */
export function openChainCore({ engine, folder, faults, pagesMax, ...options }: ChainCoreOptions): ChainCore {
  const path = chainFile(folder);
  const sql = faults.on(openChainDatabase({ path, ...(pagesMax === undefined ? {} : { pagesMax }) }));
  const commits = new CommitCount(commitCountMemory());
  countCommits(sql, commits);
  const rows = sqliteChainStore({ sql, writing: (work) => writing(sql, work) });
  if (rows.load() === undefined) {
    const { genesis } = engine;
    rows.initialise({
      chainId: genesis.chainId,
      genesisHash: genesis.hash,
      genesisTimeMs: Date.parse(genesis.genesisTime),
      accounts: LedgerState.fromGenesis(genesis).leaves(),
      governance: genesisGovernance(genesis),
    });
  }
  const log = new ChainLog({
    sql,
    chainFile: path,
    chain: { chainId: engine.genesis.chainId, genesisHash: engine.genesis.hash },
    ...(pagesMax !== undefined && { bytesMax: pagesMax * PAGE_BYTES }),
    connect: (file) => faults.on(new Database(file)),
  });
  const index = chainAtOnce({ sql, file: path, log, chainId: engine.genesis.chainId, commits });
  const ledgerLog = new LedgerLog(log);
  const store = loggedChainStore({
    rows,
    log,
    ledgerLog,
    index,
    nextLeaf: () => nextLeaf(sql),
    onBlock: () => index.wake(),
  });
  engine.restore(store);
  const readSql = faults.on(openChainReader(path));
  const coreSql = faults.on(openChainReader(path));
  attachLog(readSql, path);
  attachLog(coreSql, path);
  const reader = new ChainReader(coreSql);
  const access = accessRows(sql);
  // As a command beside a running service reads.
  const besideSql = openChainReader(path);
  // As an HTTP thread has them: from one read to the next while nothing is committed.
  const snapshots = new Snapshots(readSql, commits);
  const reads = new EmbeddedReads({
    reader: new ChainReader(readSql, snapshots),
    events: new EventReader(readSql, snapshots),
    chainId: engine.genesis.chainId,
    logger: options.logger,
  });
  const core = new EmbeddedCore({
    ...options,
    engine: engine.local(),
    log: ledgerLog,
    index,
    reader,
    reads,
    access,
  });
  const chain: SqliteChain = { store, core };
  engine.chain = chain;
  return {
    core,
    reads,
    admin: accessStore(core, accessQuestions(accessRows(besideSql))),
    writerAdmin: accessStore(core, accessQuestions(access)),
    close: () => {
      if (engine.chain === chain) engine.chain = undefined;
      snapshots.close();
      void index.close();
      log.close();
      for (const open of [besideSql, readSql, coreSql, sql]) open.close();
    },
  };
}
