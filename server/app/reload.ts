/**
 * Reads the configuration again at a signal and changes, without a restart, the certificate, the addresses of the nodes, the address of the
 * database and those of its replicas.
 *
 * The environment of a process cannot be changed from outside, so the files that `_FILE` variables name are read again. The whole
 * configuration is checked as at a start; with any fault everything stays as it was.
 *
 * @module
 */
import type { Logger } from '../engine/ports.ts';
import type { Application } from './boot.ts';
import { describeFaults } from './config-reader.ts';
import type { Environment } from './config-reader.ts';
import { type Config, readConfig } from './config.ts';
import { shownNode } from '../engine/cometbft/nodes/node-port.ts';
import { withoutPassword } from './engine-config.ts';
import { readTlsPair } from './tls-files.ts';

export interface ReloadParts {
  config: Config;
  application: Pick<Application, 'replaceTls' | 'replaceNodes' | 'relocateDatabase' | 'useReplicas'>;
  environment: Environment;
  cwd: string;
  logger: Logger;
}

type Addresses = Pick<Config, 'nodeUrls' | 'databaseUrl' | 'readDatabaseUrl'>;

/** Returns the function for each signal. Its calls run one after another, and each resolves when its own work is done. */
export function createReload(parts: ReloadParts): () => Promise<void> {
  let current: Addresses = parts.config;
  let last = Promise.resolve();
  return () => {
    last = last.then(async () => {
      await reloadTls(parts);
      current = await reloadAddresses(parts, current);
    });
    return last;
  };
}

/** A wrong pair, or half of a new one, changes nothing: clients get the same certificate as before. */
async function reloadTls({ config, application, logger }: ReloadParts): Promise<void> {
  if (config.tls === undefined) return;
  try {
    const { subject, validTo, ...pair } = readTlsPair(config.tls, { group: config.keyFileGroup });
    await application.replaceTls(pair);
    logger.info({ subject, validTo }, 'the certificate was read again; new connections get it');
  } catch (error) {
    logger.error({ reason: (error as Error).message }, 'the new certificate cannot be used: the one before it is kept');
  }
}

/** @returns the addresses in use afterwards. */
async function reloadAddresses(
  { config, application, environment, cwd, logger }: ReloadParts,
  current: Addresses,
): Promise<Addresses> {
  if (config.engine !== 'cometbft') return current;
  const read = readConfig(environment, { mode: config.mode, cwd });
  if (!read.ok) {
    logger.error(
      { reason: describeFaults(read.faults) },
      'the configuration that was read again is wrong: the addresses before it are kept',
    );
    return current;
  }
  const next = read.config;
  const used = { ...current };
  if (next.nodeUrls.join() !== current.nodeUrls.join()) {
    const refusal = await application.replaceNodes(next.nodeUrls);
    if (refusal === undefined) {
      used.nodeUrls = next.nodeUrls;
      logger.info({ nodes: next.nodeUrls.map(shownNode) }, 'other nodes are used from now on');
    } else logger.error({ reason: refusal }, 'the new nodes cannot be used: those before them are kept');
  }
  if (next.databaseUrl !== current.databaseUrl) {
    const shown = next.databaseUrl === undefined ? undefined : withoutPassword(next.databaseUrl);
    const refusal =
      next.databaseUrl === undefined
        ? 'a gateway on PostgreSQL cannot go on without it'
        : await application.relocateDatabase(next.databaseUrl);
    if (refusal === undefined) {
      used.databaseUrl = next.databaseUrl;
      logger.info({ database: shown }, 'the database is used at its new address from now on');
    } else
      logger.error(
        { database: shown, reason: refusal },
        'the new address of the database cannot be used: the one before it is kept',
      );
  }
  if (next.readDatabaseUrl !== current.readDatabaseUrl) {
    const shown = next.readDatabaseUrl === undefined ? undefined : withoutPassword(next.readDatabaseUrl);
    const refusal = await application.useReplicas(next.readDatabaseUrl);
    if (refusal === undefined) {
      used.readDatabaseUrl = next.readDatabaseUrl;
      logger.info({ replicas: shown }, 'other replicas are used from now on');
    } else
      logger.error({ replicas: shown, reason: refusal }, 'the new replicas cannot be used: those before them are kept');
  }
  const hasChanged =
    used.nodeUrls !== current.nodeUrls ||
    used.databaseUrl !== current.databaseUrl ||
    used.readDatabaseUrl !== current.readDatabaseUrl;
  if (!hasChanged) logger.info({}, 'the configuration was read again: no address has changed');
  return used;
}
