/**
 * Checks that the databases of a folder that another version wrote can be migrated to the form of this one, before anything is changed.
 *
 * The work is done on copies: they are opened, migrated to the newest form and checked as a start checks them; a small chain is verified
 * whole. Only when all of them have passed does the start continue and change the originals, each in one transaction. A refused folder
 * stays as it was, byte for byte, with its logs. Each upgrade takes the time of a copy once and, if the file system cannot share blocks,
 * its free space.
 *
 * @module
 */
import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Logger } from '../engine/ports.ts';
import { EngineStartError } from '../engine/start-error.ts';
import { StoreDamagedError } from '../store/errors.ts';
import { openConnection } from '../store/sqlite/library.ts';
import { damageIn } from './damaged-database.ts';
import { DATA_DIR_FILES, dataDirFiles, type DataDirFile } from './data-dir-files.ts';
import { ExplainedError } from './explained-error.ts';
import type { ChainMaterials } from './materials.ts';
import { type DatabaseFile, formOf, SCHEMA_VERSIONS } from './schema-versions.ts';
import { StartError } from './start-error.ts';

/** The folder of the copies in DATA_DIR. The remains of a start that was killed are removed by the next one. */
export const UPGRADE_FOLDER = 'upgrade-check';
const FOLDER_MODE = 0o700;
/** Suffixes that are copied. The shared memory beside a log is made again by the process that opens it. */
const COPIED_SUFFIXES = ['', '-wal'] as const;
/** Copies are taken again if a command wrote meanwhile. */
const COPIES_MAX = 3;
/**
 * A chain with up to this many transactions is verified from genesis, in about ten seconds; a longer one is checked as every start checks
 * it.
 */
const VERIFIED_TRANSACTIONS_MAX = 100_000;

type Files = Readonly<Record<DataDirFile, string>>;

export interface UpgradeOptions {
  files: Files;
  clock: Clock;
  logger: Logger;
  /** Only of a service; an application receives its genesis from its node. */
  materials?: ChainMaterials;
  /** Group that may read the validator's key too. */
  keyFileGroup?: number | undefined;
  /** Only of an application whose operator names its chain. */
  chainId?: string | undefined;
}

/**
 * The databases that each kind of process opens. `postgres`: a gateway whose database is PostgreSQL, which is migrated in one transaction.
 */
export const DATABASES_OF = {
  chain: ['chain', 'log', 'search', 'statements'],
  sqlite: ['gateway', 'search', 'statements'],
  postgres: ['search', 'statements'],
  application: ['app', 'snapshots'],
} as const satisfies Record<string, readonly DatabaseFile[]>;

/** Files beside chain.db that its migrations read. */
const TAKEN_INTO_CHAIN = ['webhooks'] as const satisfies readonly DataDirFile[];

/**
 * Checks a folder; returns at once if every database has the form of this version.
 * @throws StartError with one sentence: the fault, that nothing was changed, and the remedy.
 */
export async function judgeUpgrade(kind: keyof typeof DATABASES_OF, options: UpgradeOptions): Promise<void> {
  const { files, clock, logger } = options;
  const there = DATABASES_OF[kind].filter((name) => existsSync(files[name]));
  const forms = new Map(there.map((name) => [name, formOf(files[name], SCHEMA_VERSIONS[name])]));
  // A file that is not a database is refused by the code that opens it, with its own message; but it is checked here if another file would
  // be changed before.
  if (![...forms.values()].includes('other')) return;
  const others = there.filter((name) => forms.get(name) === 'other' || forms.get(name) === 'none');
  const dataDir = path.dirname(files.lock);
  const folder = path.join(dataDir, UPGRADE_FOLDER);
  const startedMs = clock.monotonicMs();
  logger.info(
    { dataDir, databases: others.map((name) => DATA_DIR_FILES[name]) },
    'an earlier version wrote this folder: a copy is checked before anything is changed',
  );
  try {
    // Files that are made from the blocks of chain.db must not be ahead of them, so they are checked with chain.db.
    await judgeCopies(others.includes('chain') ? there : others, others, folder, options);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    logger.debug({ err: error }, 'why the copy was refused');
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be brought to this version, and nothing in it was changed: ${reason.replaceAll(folder, dataDir)}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  logger.info({ dataDir, ms: Math.round(clock.monotonicMs() - startedMs) }, 'the copy is good: the folder is upgraded');
}

async function judgeCopies(
  names: readonly DatabaseFile[],
  others: readonly DatabaseFile[],
  folder: string,
  options: UpgradeOptions,
): Promise<void> {
  const { files } = options;
  for (let copies = 1; ; copies += 1) {
    const copied = [...names, ...(names.includes('chain') ? TAKEN_INTO_CHAIN : [])];
    const before = stateOf(copied, files);
    takeCopies(copied, files, folder);
    try {
      for (const name of others) await JUDGES[name](folder, options);
      return;
    } catch (error) {
      if (copies === COPIES_MAX || stateOf(names, files) === before) throw error;
    }
  }
}

function takeCopies(names: readonly DataDirFile[], files: Files, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: FOLDER_MODE });
  for (const name of names) {
    for (const suffix of COPIED_SUFFIXES) {
      const from = `${files[name]}${suffix}`;
      if (existsSync(from))
        copyFileSync(from, path.join(folder, `${DATA_DIR_FILES[name]}${suffix}`), constants.COPYFILE_FICLONE);
    }
  }
}

/** Returns a text that changes when one of the files is written. */
function stateOf(names: readonly DataDirFile[], files: Files): string {
  const parts = names.flatMap((name) => COPIED_SUFFIXES.map((suffix) => `${files[name]}${suffix}`));
  return parts
    .map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }))
    .map((stats) => `${stats?.size} ${stats?.mtimeNs}`)
    .join();
}

type Judge = (folder: string, options: UpgradeOptions) => Promise<void>;

/** The check of each database: it opens the copy as a start opens the original. */
const JUDGES: Readonly<Record<DatabaseFile, Judge>> = {
  chain: judgeChain,
  log: async (folder, { materials }) => {
    const { SqliteLog } = await import('../log/sqlite-log.ts');
    SqliteLog.open({ path: dataDirFiles(folder).log, chain: identityOf(materials) }).close();
  },
  search: (folder, { materials }) =>
    judgeMadeAgain(async () => {
      const { openSqliteSearchStore } = await import('../engine/search/sqlite-search-store.ts');
      openSqliteSearchStore(dataDirFiles(folder).search, identityOf(materials)).close();
    }),
  statements: (folder, { materials }) =>
    judgeMadeAgain(async () => {
      const { openStatementFile } = await import('../engine/statements/statement-file.ts');
      openStatementFile(dataDirFiles(folder).statements, identityOf(materials)).close();
    }),
  gateway: async (folder) => {
    const file = dataDirFiles(folder).gateway;
    const { openSqliteStore } = await import('../store/sqlite/open.ts');
    try {
      await (await openSqliteStore({ path: file })).close();
    } catch (error) {
      const { message } = error as Error;
      throw /no such (table|column)/.test(message) ? new StartError(unknownTables(file, message)) : error;
    }
    checkPages(file);
  },
  app: async (folder, { chainId }) => {
    const file = dataDirFiles(folder).app;
    const [{ openSqliteAppStore }, { loadState }] = await Promise.all([
      import('../engine/cometbft/app/sqlite-app-store.ts'),
      import('../engine/cometbft/app/load-state.ts'),
    ]);
    const store = openSqliteAppStore(file);
    try {
      loadState(store, chainId);
    } finally {
      store.close();
    }
    checkPages(file);
  },
  snapshots: async (folder) => {
    const file = dataDirFiles(folder).snapshots;
    const { openSqliteSnapshotStore } = await import('../engine/cometbft/app/sqlite-snapshot-store.ts');
    openSqliteSnapshotStore(file).close();
    checkPages(file);
  },
};

async function judgeChain(folder: string, { files, clock, materials, keyFileGroup }: UpgradeOptions): Promise<void> {
  if (materials === undefined) throw new TypeError('a chain is judged by its genesis and its key');
  const [
    { openChainDatabase },
    { bringToLog },
    engine,
    { refuseOldCopy, refuseTornCopy },
    { readSecretFile },
    { verifyChain },
  ] = await Promise.all([
    import('../store/embedded/connection.ts'),
    import('./chain-index.ts'),
    import('../engine/embedded/index.ts'),
    import('./refuse-old-copy.ts'),
    import('./secret-file.ts'),
    import('./backup/verify-chain.ts'),
  ]);
  const { genesis, files: keys } = materials;
  const copies = dataDirFiles(folder);
  const sql = openChainDatabase({ path: copies.chain });
  refuseTornCopy(sql, genesis);
  bringToLog(sql, copies.chain, { chainId: genesis.chainId, genesisHash: genesis.hash }, files.witness);
  let transactions: number;
  let height: number;
  try {
    const store = engine.sqliteChainStore({ sql, writing: (work) => work() });
    height = store.height();
    transactions = Number(sql.prepare('SELECT coalesce(sum(transaction_count), 0) FROM blocks').pluck().get());
    checkStructure(sql, DATA_DIR_FILES.chain);
    refuseOldCopy(sql, copies, genesis);
    const key = engine.parseValidatorKey(
      readSecretFile(keys.validatorKey ?? files.validatorKey, 'the validator key', keyFileGroup),
    );
    if (!key.ok) throw new StartError(`the validator key ${key.message}.`);
    engine.recover({
      genesis,
      constants: engine.chainConstants(genesis, key.key),
      key: key.key,
      store,
      signStateFile: engine.diskSignState(files.validatorState),
      clock,
      settle: () => undefined,
    });
  } finally {
    sql.close();
  }
  if (height === 0 || transactions > VERIFIED_TRANSACTIONS_MAX) return;
  await verifyChain({
    files: copies,
    genesisFile: keys.genesis,
    nodeUrl: undefined,
    manifest: undefined,
    isQuick: false,
    from: 1,
    onProgress: () => undefined,
  });
}

const identityOf = (materials: ChainMaterials | undefined): { chainId: string; genesisHash: string } => {
  if (materials === undefined) throw new TypeError('what is made of the blocks is judged by the genesis');
  const { chainId, hash } = materials.genesis;
  return { chainId, genesisHash: hash };
};

/**
 * Ignores damage of a file that is made from the blocks, because it is made again. A file of a later version or of another chain was put
 * there by a person, and is refused.
 */
async function judgeMadeAgain(open: () => Promise<void>): Promise<void> {
  const { isDamage } = await import('../engine/sqlite/database.ts');
  try {
    await open();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function checkPages(file: string): void {
  const sql = openConnection(file);
  try {
    checkStructure(sql, path.basename(file));
  } finally {
    sql.close();
  }
}

function checkStructure(sql: ReturnType<typeof openConnection>, name: string): void {
  const found = sql.prepare('PRAGMA integrity_check(1)').pluck().get();
  if (found !== 'ok') throw new StoreDamagedError(`${name} is damaged: ${String(found)}`);
}

/** No version migrates these files: builds of contract 1.5.0 before the finished one made them. */
const unknownTables = (file: string, message: string): string =>
  `${file} was written by an unfinished build of contract 1.5.0, whose tables lack what every later version needs (${message}). Use the build that wrote it; or start this version with another DATA_DIR: it reads the chain from its nodes, and tokens and bindings have to be made again there.`;

const REMEDY =
  'Start the version that wrote it, or make a new data folder of a backup with this version (`txledger restore`).';

/**
 * Returns one or two sentences; undefined for errors that startFault describes. Code that fails on damaged rows has a message of its own.
 */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ExplainedError) return error.message;
  const { message } = error as Error;
  if (error instanceof StoreDamagedError || error instanceof EngineStartError)
    return message.includes('a later version wrote it') ? `${message}.` : `${message.replace(/\.$/, '')}. ${REMEDY}`;
  const damage = damageIn(error);
  if (damage !== undefined) return `a database ${damage}.`;
  return typeof (error as { code?: unknown }).code === 'string' ? undefined : `${message}. ${REMEDY}`;
}
