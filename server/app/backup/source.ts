/**
 * Sources of a backup: the database of DATABASE_URL where it is set, else the databases in DATA_DIR; and the places of genesis and keys,
 * which may be elsewhere.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createConfigReader, type Environment } from '../config-reader.ts';
import { isSecret } from '../config.ts';
import { describeFaults } from '../config-reader.ts';
import { DATA_DIR_FILES, dataDirFiles, type DataDirFile } from '../data-dir-files.ts';
import { dataDirOf } from '../data-dir-path.ts';
import { readDatabaseUrl } from '../engine-config.ts';
import { withSecretFiles } from '../secret-variables.ts';
import { BackupError } from './backup-error.ts';

export type BackupSource =
  | {
      readonly kind: 'chain' | 'gateway' | 'application';
      readonly database: 'sqlite';
      readonly files: Readonly<Record<DataDirFile, string>>;
    }
  | { readonly kind: 'gateway'; readonly database: 'postgres'; readonly url: string };

/** DATABASE_URL, or the content of the file that DATABASE_URL_FILE names. */
export function databaseUrlOf(given: Environment, cwd: string): string | undefined {
  const { env, faults } = withSecretFiles(given, ['DATABASE_URL'], { cwd });
  const read = createConfigReader(env, isSecret);
  read.faults.push(...faults);
  const { databaseUrl } = readDatabaseUrl(read);
  if (read.faults.length > 0) throw new BackupError(describeFaults(read.faults));
  return databaseUrl;
}

/** The kind of the databases in a data folder; undefined when it has no database of ours. */
export function kindOf(files: Readonly<Record<DataDirFile, string>>): 'chain' | 'gateway' | 'application' | undefined {
  if (existsSync(files.chain)) return 'chain';
  if (existsSync(files.gateway)) return 'gateway';
  return existsSync(files.app) ? 'application' : undefined;
}

export function sourceOf(env: Environment, cwd: string): BackupSource {
  const url = databaseUrlOf(env, cwd);
  if (url !== undefined) return { kind: 'gateway', database: 'postgres', url };
  const folder = dataDirOf(env, cwd);
  const files = dataDirFiles(folder);
  const kind = kindOf(files);
  if (kind === undefined)
    throw new BackupError(
      `DATA_DIR ${folder} holds no database of this program: set DATA_DIR to the folder of the service, or DATABASE_URL to the database of its gateways.`,
    );
  return { kind, database: 'sqlite', files };
}

const KEY_VARIABLES = { validatorKey: 'VALIDATOR_KEY_FILE', operatorKey: 'OPERATOR_KEY_FILE' } as const;

/** A file that a variable names, else the one of this name in DATA_DIR; undefined when there is neither. */
export function namedFile(env: Environment, cwd: string, name: DataDirFile): string | undefined {
  const variable = name === 'genesis' ? 'GENESIS_FILE' : KEY_VARIABLES[name as keyof typeof KEY_VARIABLES];
  const given = variable === undefined ? undefined : env[variable]?.trim();
  if (given) return path.resolve(cwd, given);
  const file = path.join(dataDirOf(env, cwd), DATA_DIR_FILES[name]);
  return existsSync(file) ? file : undefined;
}

/** The files that each kind of service needs for a start, and those that a development start would make with another content. */
export function keysOf(kind: BackupSource['kind']): { needed: readonly DataDirFile[]; also: readonly DataDirFile[] } {
  if (kind === 'application') return { needed: [], also: [] };
  if (kind === 'gateway') return { needed: ['operatorKey'], also: [] };
  return { needed: ['validatorKey', 'operatorKey'], also: ['governorKey', 'development'] };
}
