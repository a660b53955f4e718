/**
 * The path of DATA_DIR, in a file that imports almost nothing, because the first lines of a start need it.
 *
 * @module
 */
import path from 'node:path';
import type { Environment } from './config-reader.ts';

/** The data folder, absolute, for commands that need nothing else of the configuration. */
export function dataDirOf(env: Environment, cwd: string): string {
  return path.resolve(cwd, env['DATA_DIR']?.trim() || 'data');
}
