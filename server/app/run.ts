/**
 * Runs the server, from the configuration to the signal that ends it.
 *
 * The order matters: the lock on DATA_DIR comes before anything in it is read, keys are checked before any thread starts, databases of
 * another version are checked before anything opens them, a token is required before an engine begins its work, and dev.json exists before
 * the port answers, so that a caller of /readyz can read it. With PORT 0 dev.json is written when the port is known, and only dev.json has
 * the port.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import type { Administration, Scope } from '../gateway/index.ts';
import { createClock, createRandomSource } from './environment.ts';
import { beginProcess } from './begin.ts';
import { keepCompiledSoon, makeCompileCache, NOT_CACHED } from './compile-cache.ts';
import type { Config } from './config.ts';
import { dataDirFiles, openDataDir, type DataDir } from './data-dir.ts';
import { developmentBanner } from './dev-banner.ts';
import { keepDevelopmentFile, urlsOf, type DevelopmentFile } from './dev-file.ts';
import { keepDevelopmentFacts } from './development-facts.ts';
import { prepareDevelopmentChain } from './development.ts';
import { inRed, PUBLIC_DEV_WARNING } from './public-dev.ts';
import { endOnSignal, EXIT_DIED } from './lifetime.ts';
import { chooseLogFormat } from './log-format.ts';
import { refuseSealed } from './graduate/seal.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import { readMaterials, type ChainMaterials } from './materials.ts';
import { type MoveOptions, moveOldData } from './move-old-data.ts';
import { createReload } from './reload.ts';
import { checkResources } from './resources.ts';
import { remedyOf, startFault } from './start-fault.ts';
import type { StartFacts } from './start-facts.ts';
import { openChainReader } from '../store/embedded/connection.ts';
import { tokenScopes } from '../store/embedded/token-scopes.ts';
import { adminLocation, type AdminLocation } from './store-location.ts';
import { readTlsPair } from './tls-files.ts';
import { warnOfClearText } from './clear-text.ts';
import { buildOf } from './version.ts';

const MS_PER_S = 1000;

/** The facts of a development start: its accounts, addresses and token. */
async function developmentFacts(config: Config, dataDir: DataDir, location: AdminLocation): Promise<DevelopmentFile> {
  const { host, port } = config;
  // Only a start that makes a token, or gives it a scope that this version adds, opens the database on this thread.
  const onDatabase = async <T>(work: (access: Administration) => Promise<T>): Promise<T> =>
    (await import('./access.ts')).withLockedAccess(location, work);
  return await keepDevelopmentFacts({
    file: dataDir.files.development,
    host,
    port,
    scheme: config.tls ? 'https' : 'http',
    onDatabase,
    scopesOf: scopesIn(location),
  });
}

/** Reads the scopes of a token without loading the modules for writing. */
function scopesIn(location: AdminLocation): (tokenId: string) => readonly Scope[] | undefined {
  return (tokenId) => {
    if (location.kind !== 'chain' || !existsSync(location.path)) return undefined;
    const sql = openChainReader(location.path);
    try {
      return tokenScopes(sql, tokenId);
    } finally {
      sql.close();
    }
  };
}

/**
 * Reads the files that the operator named. Production makes none itself, and the operator also makes the token, which another thread
 * checks.
 */
function prepareProduction(config: Config): ChainMaterials {
  if (!config.keyFiles) throw new TypeError('a production configuration names its files');
  return readMaterials(config.keyFiles, config.keyFileGroup);
}

export interface RunOptions extends Pick<StartFacts, 'version' | 'configuration'> {
  /** DATA_DIR as it was set, for the printed command of development; undefined when it was unset. */
  dataDirGiven: string | undefined;
  /** True if --move-old-data was given. */
  movesOldData: boolean;
  /** Lines about the configuration, written once the log is open. */
  warnings: readonly string[];
  /** Undefined without a terminal. */
  ask: MoveOptions['ask'];
}

/**
 * Starts the server and returns when it is ready; from then on a signal ends the process.
 * @param options.version of this program; the audit trail records it and `configuration` for the start.
 * @throws an error that names the necessary change.
 */
export async function runServer(config: Config, options: RunOptions): Promise<void> {
  try {
    await start(config, options);
  } catch (error) {
    const { mode, dataDir, engine } = config;
    const what = engine === 'embedded' ? dataDirFiles(dataDir).chain : `the database of DATA_DIR ${dataDir}`;
    const isOfDatabase = String((error as { code?: unknown }).code ?? (error as Error).message).startsWith('SQLITE_');
    throw (
      startFault(error, { what: isOfDatabase ? what : `DATA_DIR ${dataDir}`, remedy: remedyOf(mode, dataDir) }) ?? error
    );
  }
}

async function start(config: Config, options: RunOptions): Promise<void> {
  const { version, configuration, movesOldData, ask } = options;
  chooseLogFormat(config.logFormat);
  const { logger } = beginProcess(config.logLevel);
  checkResources(config.httpThreads);
  for (const warning of options.warnings) logger.warn({}, warning);
  const clock = createClock();
  if (config.mode === 'development') {
    const movedTo = await moveOldData({ folder: config.dataDir, clock, ask, isConfirmed: movesOldData });
    if (movedTo !== undefined)
      logger.warn(
        { dataDir: config.dataDir, movedTo },
        'a development folder of an earlier chain format was moved aside; this is a new chain',
      );
  }
  const dataDir = openDataDir(config.dataDir, {
    tightens: config.mode === 'development',
    onTightened: (message) => logger.warn({}, message),
  });
  if (config.engine === 'embedded') refuseSealed(dataDir.files);
  const uncached = makeCompileCache(dataDir.path);
  if (uncached !== undefined) logger.warn({ reason: uncached }, NOT_CACHED);
  // Imported only now, so that the compile cache also has it at the first start of a folder: this is most of the product.
  const { boot } = await import('./boot.ts');
  const location = adminLocation({
    engine: config.engine,
    databaseUrl: config.databaseUrl,
    readDatabaseUrl: config.readDatabaseUrl,
    files: dataDir.files,
  });
  const materials =
    config.mode === 'development'
      ? prepareDevelopmentChain(dataDir.files, { clock, random: createRandomSource() })
      : prepareProduction(config);
  const { files } = dataDir;
  await judgeUpgrade(location.kind, { files, clock, logger, materials, keyFileGroup: config.keyFileGroup });
  const development = config.mode === 'development' ? await developmentFacts(config, dataDir, location) : undefined;
  const tls = config.tls && readTlsPair(config.tls, { group: config.keyFileGroup });
  warnOfClearText(config, logger);
  if (config.publicDev) logger.warn({ host: config.host, allowedHosts: config.allowedHosts }, PUBLIC_DEV_WARNING);
  const application = await boot({
    config,
    dataDir,
    location,
    materials,
    tls,
    clock,
    random: createRandomSource(),
    logger,
    startFacts: {
      version,
      command: config.mode === 'production' ? 'serve' : 'start',
      chainId: materials.genesis.chainId,
      configuration,
    },
    development,
    onDeath: () => process.exit(EXIT_DIED),
  });
  endOnSignal({
    clock,
    logger,
    notice: { delayMs: config.drainDelayS * MS_PER_S, announce: () => application.announceEnd() },
    drain: () => application.drain(),
    exit: (code) => process.exit(code),
    signals: process,
  });
  if (config.tls !== undefined || config.engine === 'cometbft') {
    const reload = createReload({ config, application, environment: process.env, cwd: process.cwd(), logger });
    process.on('SIGHUP', () => void reload());
  }
  const { host } = config;
  const { port } = application;
  if (development) {
    const facts = { ...development, ...urlsOf(host, port, config.tls ? 'https' : 'http') };
    if (config.port === 0) keepDevelopmentFile(dataDir.files.development, facts);
    process.stdout.write(
      `${developmentBanner(facts, { dataDir: options.dataDirGiven, file: dataDir.files.development, hasExplorer: config.explorer === 'on' })}\n`,
    );
    if (config.publicDev) process.stdout.write(`${inRed(PUBLIC_DEV_WARNING, process.env)}\n\n`);
  }
  const build = buildOf();
  logger.info(
    {
      version,
      commit: build.commit,
      host,
      port,
      chainId: materials.genesis.chainId,
      mode: config.mode,
      engine: config.engine,
      dataDir: config.dataDir,
      ...(tls && { tls: { subject: tls.subject, validTo: tls.validTo } }),
    },
    'ready',
  );
  keepCompiledSoon(clock, dataDir.path, () => application.keepCompiled());
}
