/**
 * One run of the server, from the configuration to the signal that ends it.
 *
 * The order matters: the lock on DATA_DIR comes before anything in it is read, keys and tokens are checked before any
 * thread starts, and dev.json is there before the port answers, so that whoever sees /readyz can read it.
 *
 * @module
 */
import { createClock, createRandomSource } from './environment.ts';
import { boot } from './boot.ts';
import type { Config } from './config.ts';
import { openDataDir, type DataDir } from './data-dir.ts';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from './dev-accounts.ts';
import { developmentBanner } from './dev-banner.ts';
import { keepDevelopmentFile, readDevelopmentFile, urlsOf, type DevelopmentFile } from './dev-file.ts';
import { prepareDevelopmentChain } from './development.ts';
import { endOnSignal, EXIT_DIED } from './lifetime.ts';
import { createLogger } from './logging.ts';
import { MaterialsError, readMaterials, type ChainMaterials } from './materials.ts';
import { withAccess } from './access.ts';
import type { Scope } from '../gateway/index.ts';

/** Everything but cancelling what others submitted, which is an operator's right. */
const DEVELOPMENT_SCOPES: readonly Scope[] = ['transactions:read', 'transactions:write', 'rpc:broadcast'];
const DEVELOPMENT_OWNER = 'dev';

/** Keys, tokens and databases are for the owner of the process only. */
const UMASK = 0o077;

async function prepareDevelopment(config: Config, dataDir: DataDir): Promise<{ materials: ChainMaterials; facts: DevelopmentFile }> {
  const materials = prepareDevelopmentChain(dataDir.files, { clock: createClock(), random: createRandomSource() });
  const existing = readDevelopmentFile(dataDir.files.development);
  const token =
    existing?.token ??
    (await withAccess(dataDir.files.gateway, async (access) => {
      const created = await access.createToken({ owner: DEVELOPMENT_OWNER, scopes: DEVELOPMENT_SCOPES });
      return created.token;
    }));
  const facts = { ...urlsOf(config.host, config.port), chainId: DEVELOPMENT_CHAIN_ID, token, accounts: developmentAccounts() };
  keepDevelopmentFile(dataDir.files.development, facts);
  return { materials, facts };
}

/** Nothing is made behind the operator's back: his files, and at least one token that he made. */
async function prepareProduction(config: Config, dataDir: DataDir): Promise<ChainMaterials> {
  if (!config.keyFiles) throw new TypeError('a production configuration names its files');
  const materials = readMaterials(config.keyFiles);
  const nowMs = createClock().nowMs();
  const usable = await withAccess(dataDir.files.gateway, async (access) =>
    (await access.listTokens()).filter((token) => token.revokedAtMs === undefined && (token.expiresAtMs ?? Infinity) > nowMs),
  );
  if (usable.length === 0) {
    throw new MaterialsError([
      `There is no usable token in ${dataDir.files.gateway}: nobody could call the service. ` +
        'Make one first, with the same DATA_DIR: txledger token create --owner NAME --scope transactions:read --scope transactions:write',
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
  process.umask(UMASK);
  const logger = createLogger({ level: config.logLevel, thread: 'main' });
  const die = (error: unknown): void => {
    logger.error({ err: error }, 'a defect: the process ends');
    process.exit(EXIT_DIED);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);

  const clock = createClock();
  const dataDir = openDataDir(config.dataDir);
  const development = config.mode === 'development' ? await prepareDevelopment(config, dataDir) : undefined;
  const materials = development?.materials ?? (await prepareProduction(config, dataDir));
  const application = await boot({
    config,
    dataDir,
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
  logger.info({ host, port, chainId: materials.genesis.chainId, mode: config.mode, dataDir: config.dataDir }, 'ready');
}
