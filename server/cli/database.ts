/**
 * The database of the service, for commands that work on it with or without a running server: the one of DATABASE_URL or DATABASE_URL_FILE
 * if set, as for the gateways that share it; otherwise the file in DATA_DIR: chain.db, or with ENGINE=cometbft that of the gateway.
 *
 * @module
 */
import { withAccess } from '../app/access.ts';
import { dataDirOf } from '../app/data-dir-path.ts';
import { prepareDataDir } from '../app/data-dir.ts';
import { isSecret } from '../app/config.ts';
import { createConfigReader, describeFaults } from '../app/config-reader.ts';
import { ENGINES, readDatabaseUrl } from '../app/engine-config.ts';
import { refuseOtherForm } from '../app/schema-versions.ts';
import { withSecretFiles } from '../app/secret-variables.ts';
import { type AdminLocation, commandLocation } from '../app/store-location.ts';
import type { Administration } from '../gateway/index.ts';
import { CommandError } from './failure.ts';

/** A database that these commands make holds access data, so it is for the owner only. */
const UMASK = 0o077;

function location(): AdminLocation {
  const { env, faults } = withSecretFiles(process.env, ['DATABASE_URL'], { cwd: process.cwd() });
  const read = createConfigReader(env, isSecret);
  read.faults.push(...faults);
  const { databaseUrl } = readDatabaseUrl(read);
  const engine = read.oneOf('ENGINE', ENGINES, 'embedded');
  if (read.faults.length > 0)
    throw new CommandError(describeFaults(read.faults), 'usage', {
      code: 'invalid_configuration',
      faults: read.faults,
    });
  if (databaseUrl !== undefined) return { kind: 'postgres', url: databaseUrl };
  return commandLocation({ engine, databaseUrl, files: prepareDataDir(dataDirOf(process.env, process.cwd())) });
}

export function onDatabase<T>(work: (access: Administration) => Promise<T>): Promise<T> {
  process.umask(UMASK);
  const where = location();
  if (where.kind !== 'postgres') refuseOtherForm(where.path, where.kind === 'chain' ? 'chain' : 'gateway');
  return withAccess(where, work);
}
