/**
 * The database of the gateways, for commands that work on it whether a server runs on it or not: that of DATABASE_URL
 * where it is set, as the gateways that share it have it, else the file in DATA_DIR.
 *
 * @module
 */
import { withAccess } from '../app/access.ts';
import { dataDirOf } from '../app/data-dir-path.ts';
import { prepareDataDir } from '../app/data-dir.ts';
import { DATABASE_URL_EXPECTED, databaseUrlOf } from '../app/engine-config.ts';
import type { StoreLocation } from '../app/store-location.ts';
import type { Administration } from '../gateway/index.ts';
import { CommandError } from './failure.ts';

/** Made by these commands, the database holds what lets people in: it is for the owner only. */
const UMASK = 0o077;

function location(): StoreLocation {
  const database = databaseUrlOf(process.env);
  if (database?.ok === false) throw new CommandError(`DATABASE_URL is "(hidden)", expected ${DATABASE_URL_EXPECTED}.`);
  if (database) return { kind: 'postgres', url: database.url };
  return { kind: 'sqlite', path: prepareDataDir(dataDirOf(process.env, process.cwd())).gateway };
}

export function onDatabase<T>(work: (access: Administration) => Promise<T>): Promise<T> {
  process.umask(UMASK);
  return withAccess(location(), work);
}
