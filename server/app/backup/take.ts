/**
 * Takes a backup: files first, then a manifest that names them all, then the final name of the folder. Each step is on disk before the next
 * begins, so a backup that was killed is a folder that ends in `.partial`.
 *
 * @module
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { syncPath } from '../../platform/disk-file.ts';
import { LogTooLongError } from '../../store/backup/copy-database.ts';
import type { Environment } from '../config-reader.ts';
import { DATA_DIR_FILES, type DataDirFile } from '../data-dir-files.ts';
import { createClock } from '../environment.ts';
import { DataDirError, lockFolder } from '../folder-lock.ts';
import { refuseSealed } from '../graduate/seal.ts';
import { parseGroup } from '../key-file-group.ts';
import { missingInOtherForm } from '../schema-versions.ts';
import { createSecretFile, readSecretFile, refuseSharedPlace } from '../secret-file.ts';
import { VERSION } from '../version.ts';
import { BackupError } from './backup-error.ts';
import { copyPostgres, copySqlite } from './contents.ts';
import { BACKUP_FILE_MODE, BACKUP_FOLDER_MODE, describeFile } from './files.ts';
import { readGenesisFile } from './genesis-file.ts';
import {
  BACKUP_FORMAT,
  type BackupFile,
  formatManifest,
  type Manifest,
  MANIFEST_FILE,
  PARTIAL_SUFFIX,
  readManifest,
} from './manifest.ts';
import { type BackupSource, keysOf, namedFile, sourceOf } from './source.ts';

export interface TakeOptions {
  env: Environment;
  cwd: string;
  /** A folder that does not exist yet, or a folder in which backups are named by chain, time and height. */
  target: { out: string } | { into: string; keep: number | undefined };
  withKeys: boolean;
  onProgress: (done: number, all: number) => void;
}

export interface TakenBackup {
  folder: string;
  manifest: Manifest;
  /** Older backups that `keep` removed. */
  removed: string[];
}

/** Locked while a backup is written: the next one can then distinguish a backup in progress from a leftover. */
const LOCK_FILE = 'lock.db';

/** Share of the free space that the log of a database may take while it is copied. The rest is for the service and for the copy. */
const LOG_SHARE = 0.25;

export async function takeBackup({ env, cwd, target, withKeys, onProgress }: TakeOptions): Promise<TakenBackup> {
  const source = sourceOf(env, cwd);
  // A restored copy would be a folder without a seal, and its chain would begin a second history.
  if (source.kind === 'chain') refuseSealed(source.files);
  const takenAt = new Date(createClock().nowMs()).toISOString();
  const parent = 'into' in target ? target.into : path.dirname(target.out);
  const stamp = takenAt.replaceAll(/[-:]|\.\d+/g, '');
  if (withKeys) refuseSharedPlace('into' in target ? path.join(parent, stamp) : target.out);
  mkdirSync(parent, { recursive: true, mode: BACKUP_FOLDER_MODE });
  let partial: string;
  if ('into' in target) {
    partial = path.join(parent, `${stamp}-${process.pid}${PARTIAL_SUFFIX}`);
    for (const name of readdirSync(parent)) if (name.endsWith(PARTIAL_SUFFIX)) removeLeftover(path.join(parent, name));
  } else {
    if (existsSync(target.out))
      throw new BackupError(`${target.out} is there already: a backup never writes over anything. Name a new folder.`);
    partial = `${target.out}${PARTIAL_SUFFIX}`;
    removeLeftover(partial);
  }
  if (existsSync(partial))
    throw new BackupError(`${partial} is being written by another backup, or holds something else.`);
  mkdirSync(partial, { mode: BACKUP_FOLDER_MODE });
  const release = lockFolder({ file: path.join(partial, LOCK_FILE), why: 'write one backup' });
  try {
    const manifest = await fill(partial, source, { env, cwd, takenAt, withKeys, onProgress });
    release();
    rmSync(path.join(partial, LOCK_FILE));
    createSecretFile(path.join(partial, MANIFEST_FILE), formatManifest(manifest));
    syncPath(partial);
    const folder =
      'into' in target
        ? freeName(path.join(parent, `${manifest.chainId}-${stamp}-${manifest.state.height}`))
        : target.out;
    renameSync(partial, folder);
    syncPath(parent);
    const removed = 'into' in target && target.keep !== undefined ? prune(parent, manifest, target.keep) : [];
    return { folder, manifest, removed };
  } catch (error) {
    release();
    rmSync(partial, { recursive: true, force: true });
    throw (source.database === 'sqlite' && missingInOtherForm(error, source.files)) || explained(error);
  }
}

/** Two backups of one second differ by a number. */
function freeName(name: string): string {
  let free = name;
  for (let attempt = 2; existsSync(free); attempt += 1) free = `${name}-${attempt}`;
  return free;
}

/** A folder with anything else in it is not a leftover, regardless of its name. */
function isOurs(name: string): boolean {
  const names: readonly string[] = [...Object.values(DATA_DIR_FILES), MANIFEST_FILE];
  return names.includes(name.replace(/-(wal|shm|journal)$/, '')) || /^gateway-\w+\.jsonl$/.test(name);
}

/** Removes the remains of a backup that was killed. The lock distinguishes them from a backup in progress. */
function removeLeftover(folder: string): void {
  if (!existsSync(folder) || !readdirSync(folder).every(isOurs)) return;
  try {
    lockFolder({ file: path.join(folder, LOCK_FILE), why: 'write one backup' })();
  } catch (error) {
    if (error instanceof DataDirError) return;
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function fill(
  folder: string,
  source: BackupSource,
  options: Omit<TakeOptions, 'target'> & { takenAt: string },
): Promise<Manifest> {
  const { env, cwd, takenAt, onProgress } = options;
  const logBytesMax = (file: string): number => {
    const { bavail, bsize } = statfsSync(path.dirname(file));
    return Math.floor(bavail * bsize * LOG_SHARE);
  };
  const contents =
    source.database === 'postgres'
      ? await copyPostgres(source.url, folder, onProgress)
      : await copySqlite(source, folder, { logBytesMax, onProgress });
  const names = [...contents.names];
  const genesis = namedFile(env, cwd, 'genesis');
  if (genesis === undefined && source.kind !== 'application')
    throw new BackupError('There is no genesis.json in DATA_DIR: set GENESIS_FILE to the genesis file of the chain.');
  if (genesis !== undefined) {
    copyGenesis(genesis, folder, contents);
    names.push(DATA_DIR_FILES.genesis);
  }
  const keys = copyKeys(source, folder, options);
  const files: BackupFile[] = [];
  for (const name of [...names, ...keys.included]) {
    const file = path.join(folder, name);
    chmodSync(file, BACKUP_FILE_MODE);
    syncPath(file);
    files.push(await describeFile(folder, name));
  }
  const { chainId, genesisHash, state, heads, counts, migrations, madeAgain } = contents;
  return {
    format: BACKUP_FORMAT,
    product: VERSION,
    kind: source.kind,
    engine: source.kind === 'chain' ? 'embedded' : 'cometbft',
    database: source.database,
    chainId,
    ...(genesisHash === undefined ? {} : { genesisHash }),
    takenAt,
    state,
    ...(heads && { heads }),
    counts,
    ...(migrations === undefined ? {} : { migrations }),
    files,
    keys,
    madeAgain,
  };
}

function copyGenesis(
  file: string,
  folder: string,
  { chainId, genesisHash }: { chainId: string; genesisHash: string | undefined },
): void {
  const genesis = readGenesisFile(file);
  if (genesis.chainId !== chainId || (genesisHash !== undefined && genesis.hash !== genesisHash)) {
    throw new BackupError(
      `The genesis file ${file} is of chain ${genesis.chainId} with hash ${genesis.hash}, and the database of chain ${chainId}${genesisHash === undefined ? '' : ` with genesis ${genesisHash}`}: set GENESIS_FILE to its own.`,
    );
  }
  createSecretFile(path.join(folder, DATA_DIR_FILES.genesis), genesis.bytes);
}

function copyKeys(
  source: BackupSource,
  folder: string,
  { env, cwd, withKeys }: Pick<TakeOptions, 'env' | 'cwd' | 'withKeys'>,
): Manifest['keys'] {
  const { needed, also } = keysOf(source.kind);
  if (!withKeys) return { included: [], missing: needed.map((name) => DATA_DIR_FILES[name]) };
  const copied = (name: DataDirFile): boolean => {
    const file = namedFile(env, cwd, name);
    if (file === undefined) return false;
    const text = readSecretFile(file, `the key ${DATA_DIR_FILES[name]}`, keyFileGroup(env));
    createSecretFile(path.join(folder, DATA_DIR_FILES[name]), text);
    return true;
  };
  const absent = needed.filter((name) => namedFile(env, cwd, name) === undefined);
  if (absent.length > 0)
    throw new BackupError(
      `--with-keys: there is no ${absent.map((name) => DATA_DIR_FILES[name]).join(' and no ')}; set VALIDATOR_KEY_FILE and OPERATOR_KEY_FILE as the service has them.`,
    );
  return { included: [...needed, ...also].filter(copied).map((name) => DATA_DIR_FILES[name]), missing: [] };
}

/** The group of key files, read as the service reads it. A missing group is reported by the start of the service. */
const keyFileGroup = ({ TXLEDGER_KEY_FILE_GROUP: group }: Environment): number | undefined =>
  group === undefined ? undefined : parseGroup(group.trim());

/** Removes all but the newest backups of the same chain and kind. Everything else is kept. */
function prune(parent: string, { chainId, kind }: Manifest, keep: number): string[] {
  const backups = readdirSync(parent).flatMap((name) => {
    const folder = path.join(parent, name);
    try {
      const manifest = readManifest(folder);
      return manifest.chainId === chainId && manifest.kind === kind ? [{ folder, takenAt: manifest.takenAt }] : [];
    } catch (error) {
      if (error instanceof BackupError) return [];
      throw error;
    }
  });
  const old = backups.sort((a, b) => (a.takenAt < b.takenAt ? 1 : -1)).slice(keep);
  for (const { folder } of old) {
    // The manifest first: if the removal is killed, its remains are not a backup.
    rmSync(path.join(folder, MANIFEST_FILE));
    rmSync(folder, { recursive: true });
  }
  return old.map(({ folder }) => folder);
}

/** Turns faults of the database and of the disk into sentences. */
function explained(error: unknown): unknown {
  if (error instanceof LogTooLongError)
    return new BackupError(
      `The backup was given up: ${error.message}. Take it when the service has less to do, or give its disk more space.`,
    );
  const { code, message, name } = error as Error & { code?: unknown };
  if (code === 'ENOSPC' || code === 'SQLITE_FULL')
    return new BackupError(`The backup was given up: the disk is full (${message}).`);
  if (typeof code === 'string' && /^(SQLITE_|E[A-Z]+$)/.test(code))
    return new BackupError(`The backup could not be made: ${message}.`);
  if (name === 'StoreUnavailableError' || name === 'StoreDamagedError')
    return new BackupError(`The backup could not be made: ${message}.`);
  return error;
}
