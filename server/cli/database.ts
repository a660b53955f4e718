/**
 * The database of DATA_DIR, for commands that work on it whether a server runs on it or not.
 *
 * @module
 */
import { withAccess } from '../app/access.ts';
import { dataDirOf } from '../app/config.ts';
import { prepareDataDir } from '../app/data-dir.ts';
import type { Administration } from '../gateway/index.ts';

/** Made by these commands, the database holds what lets people in: it is for the owner only. */
const UMASK = 0o077;

export function onDatabase<T>(work: (access: Administration) => Promise<T>): Promise<T> {
  process.umask(UMASK);
  return withAccess(prepareDataDir(dataDirOf(process.env, process.cwd())).gateway, work);
}
