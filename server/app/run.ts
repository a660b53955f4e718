/**
 * One run of the server, from the configuration to the signal that ends it.
 *
 * The order matters: the lock on DATA_DIR comes before anything in it is read, keys and tokens are checked before any
 * thread starts, and dev.json is there before the port answers, so that whoever sees /readyz can read it.
 *
 * @module
 */
import { createClock, createRandomSource } from './environment.ts';
import { beginProcess } from './begin.ts';
import { boot } from './boot.ts';
import type { Config } from './config.ts';
import { openDataDir, type DataDir } from './data-dir.ts';
import { developmentBanner } from './dev-banner.ts';
import type { DevelopmentFile } from './dev-file.ts';
import { keepDevelopmentFacts } from './development-facts.ts';
import { prepareDevelopmentChain } from './development.ts';
import { endOnSignal, EXIT_DIED } from './lifetime.ts';
import { MaterialsError, readMaterials, type ChainMaterials } from './materials.ts';
import { withAccess } from './access.ts';
import { awaitDatabase, describeLocation, storeLocation, type StoreLocation } from './store-location.ts';

async function prepareDevelopment(config: Config, dataDir: DataDir, location: StoreLocation): Promise<{ materials: ChainMaterials; facts: DevelopmentFile }> {
  const materials = prepareDevelopmentChain(dataDir.files, { clock: createClock(), random: createRandomSource() });
  const { host, port } = config;
  const facts = await keepDevelopmentFacts({ file: dataDir.files.development, host, port, onDatabase: (work) => withAccess(location, work) });
  return { materials, facts };
}

/** Nothing is made behind the operator's back: his files, and at least one token that he made. */
async function prepareProduction(config: Config, location: StoreLocation): Promise<ChainMaterials> {
  if (!config.keyFiles) throw new TypeError('a production configuration names its files');
  const materials = readMaterials(config.keyFiles);
  const nowMs = createClock().nowMs();
  const usable = await withAccess(location, async (access) =>
    (await access.listTokens()).filter((token) => token.revokedAtMs === undefined && (token.expiresAtMs ?? Infinity) > nowMs),
  );
  if (usable.length === 0) {
    throw new MaterialsError([
      `There is no usable token in ${describeLocation(location)}: nobody could call the service. ` +
        `Make one first, with the same ${location.kind === 'sqlite' ? 'DATA_DIR' : 'DATABASE_URL'}: ` +
        'txledger token create --owner NAME --scope transactions:read --scope transactions:write',
    ]);
  }
  return materials;
}

/**
 * Starts the server and returns when it is ready; signals end the process from then on.
 * @param options.dataDirGiven DATA_DIR as it was set, for the command that development prints; undefined when it was not.
 * @throws one of the errors that name what the operator has to change.
 */
export async function runServer(config: Config, options: { dataDirGiven: string | undefined }): Promise<void> {
  const { logger } = beginProcess(config.logLevel);
  const clock = createClock();
  const dataDir = openDataDir(config.dataDir);
  const location = storeLocation({ databaseUrl: config.databaseUrl, databaseFile: dataDir.files.gateway });
  await awaitDatabase(location, { clock, logger });
  const development = config.mode === 'development' ? await prepareDevelopment(config, dataDir, location) : undefined;
  const materials = development?.materials ?? (await prepareProduction(config, location));
  const application = await boot({
    config,
    dataDir,
    location,
    materials,
    clock,
    random: createRandomSource(),
    logger,
    onDeath: () => process.exit(EXIT_DIED),
  });
  endOnSignal({ clock, logger, drain: () => application.drain(), exit: (code) => process.exit(code), signals: process });
  if (development) {
    process.stdout.write(`${developmentBanner(development.facts, { dataDir: options.dataDirGiven, file: dataDir.files.development })}\n`);
  }
  const { host, port } = config;
  logger.info({ host, port, chainId: materials.genesis.chainId, mode: config.mode, engine: config.engine, dataDir: config.dataDir }, 'ready');
}
