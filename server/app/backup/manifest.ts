/**
 * manifest.json of a backup: its content, its time, and the SHA-256 of every file. It is written last, so a folder without one is a backup
 * that was not finished.
 *
 * @module
 */
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rowsFile, tablesMadeBy } from '../../store/backup/gateway-tables.ts';
import { DATA_DIR_FILES, type DataDirFile } from '../data-dir-files.ts';
import { BackupError } from './backup-error.ts';

export const MANIFEST_FILE = 'manifest.json';
/** Suffix of the folder's name until the backup is complete. */
export const PARTIAL_SUFFIX = '.partial';

/** Size of manifest.json; ours have some 4 KiB. */
const MANIFEST_BYTES_MAX = 1024 * 1024;
/** A text in the manifest, which messages repeat. */
const TEXT = /^[!-~]{1,128}$/;
/** A time as `toISOString` writes it, so that texts compare as times do. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The format of the folder and of this file. A version reads this number and no other. */
export const BACKUP_FORMAT = 1;

export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/**
 * `chain`: the embedded engine's data folder. `gateway`: the database of gateways in front of CometBFT nodes. `application`: the database
 * of an application beside a node.
 */
export type BackupKind = 'chain' | 'gateway' | 'application';

/** The chain at the moment of the backup. A fact that a database of this kind does not hold is absent. */
export interface ChainFacts {
  readonly height: number;
  /** Time of the last block, RFC 3339. */
  readonly blockTime?: string;
  readonly blockHash?: string;
  readonly appHash?: string;
  /** Sum of all balances, in minor units. */
  readonly supply?: string;
  /** The last signature of the validator. */
  readonly lastSigned?: { readonly height: number; readonly round: number; readonly step: number };
}

/** The last entries of the chains of hashes of an embedded engine. Each hash has 64 upper-case hex digits. */
export interface ChainHeads {
  /** The last entry of log.db. Absent when the log is empty. */
  readonly log?: { readonly seq: number; readonly hash: string };
  /** The last line of the audit trail in chain.db. */
  readonly audit: { readonly id: number; readonly hash: string };
}

export interface Manifest {
  readonly format: typeof BACKUP_FORMAT;
  /** The version of the program that wrote the backup. */
  readonly product: string;
  readonly kind: BackupKind;
  readonly engine: 'embedded' | 'cometbft';
  readonly database: 'sqlite' | 'postgres';
  readonly chainId: string;
  readonly genesisHash?: string;
  /** The time at which the backup began, RFC 3339. The backup contains everything that was acknowledged before. */
  readonly takenAt: string;
  readonly state: ChainFacts;
  /** Only of an embedded engine; absent if a version wrote the files whose audit trail has no hashes. */
  readonly heads?: ChainHeads;
  readonly counts: Readonly<Record<string, number>>;
  /** Only of a PostgreSQL database: the migrations that made its tables, in order. */
  readonly migrations?: readonly string[];
  /** All files but this one. */
  readonly files: readonly BackupFile[];
  readonly keys: { readonly included: readonly string[]; readonly missing: readonly string[] };
  /** Files that are left out because the service makes them again. */
  readonly madeAgain: readonly string[];
}

export const formatManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`;

/** True for a finished backup, which has a manifest, and for an unfinished one, which has the suffix in its name. */
export function isBackup(folder: string): boolean {
  return folder.endsWith(PARTIAL_SUFFIX) || readText(folder) !== undefined;
}

/** @throws BackupError for a folder that is not a finished backup, or has another format. */
export function readManifest(folder: string): Manifest {
  if (folder.endsWith(PARTIAL_SUFFIX))
    throw new BackupError(`${folder} is a backup that was not finished: use another one, and remove this folder.`);
  const text = readText(folder);
  if (text === undefined)
    throw new BackupError(`${folder} has no ${MANIFEST_FILE}: it is no backup, or one that was not finished.`);
  const fault = (what: string): BackupError =>
    new BackupError(`${path.join(folder, MANIFEST_FILE)} is damaged: ${what}.`);
  let read: Partial<Manifest>;
  try {
    read = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw fault('it is not JSON');
  }
  if (typeof read !== 'object' || read === null) throw fault('it is no JSON object');
  if (read.format !== BACKUP_FORMAT) {
    throw new BackupError(
      `${folder} is a backup of format ${JSON.stringify(read.format)?.slice(0, 40)}, and this program reads format ${BACKUP_FORMAT}: use the version that wrote it${isText(read.product) ? ` (${read.product})` : ''}.`,
    );
  }
  const isWhole =
    (read.kind === 'chain' || read.kind === 'gateway' || read.kind === 'application') &&
    (read.database === 'sqlite' || (read.database === 'postgres' && read.kind === 'gateway')) &&
    isText(read.chainId) &&
    isText(read.takenAt) &&
    TIME.test(read.takenAt) &&
    isCount(read.state?.height) &&
    Object.values(read.state ?? {}).every(
      (value) => isText(value) || isCount(value) || (typeof value === 'object' && value !== null),
    ) &&
    (read.heads === undefined || isHeads(read.heads)) &&
    typeof read.counts === 'object' &&
    read.counts !== null &&
    Object.values(read.counts).every(isCount) &&
    Array.isArray(read.files) &&
    [read.keys?.included, read.keys?.missing].every((names) => Array.isArray(names) && names.every(isKeyName)) &&
    (read.migrations === undefined || (Array.isArray(read.migrations) && read.migrations.every(isText)));
  if (!isWhole) throw fault('members are missing, or are not what they should be');
  const manifest = read as Manifest;
  const { required, allowed } = filesOf(manifest);
  const names = new Set<string>();
  for (const file of manifest.files) {
    // A name is joined to a folder and written by a restore, so only the names of this kind of backup are allowed, each once.
    const isFine =
      typeof file?.name === 'string' &&
      allowed.includes(file.name) &&
      !names.has(file.name) &&
      isCount(file.bytes) &&
      /^[0-9a-f]{64}$/.test(String(file.sha256));
    if (!isFine) throw fault(`it names the file ${JSON.stringify(file).slice(0, 200)}`);
    names.add(file.name);
  }
  const absent = required.find((name) => !names.has(name));
  // Without its hash in the manifest such a file would be used unchecked, or made again.
  if (absent !== undefined) throw fault(`it does not name ${absent}`);
  return manifest;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === 'string' && TEXT.test(value);

const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9A-F]{64}$/.test(value);

function isHeads(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { log, audit } = value as Partial<ChainHeads>;
  return (log === undefined || (isCount(log?.seq) && isHash(log?.hash))) && isCount(audit?.id) && isHash(audit?.hash);
}

const KEYS: readonly DataDirFile[] = ['validatorKey', 'operatorKey', 'governorKey', 'development'];
const KEY_NAMES: readonly string[] = KEYS.map((name) => DATA_DIR_FILES[name]);
const isKeyName = (name: unknown): boolean => KEY_NAMES.includes(name as string);

/** The required files of a backup of a kind, and the optional ones. */
function filesOf({ kind, database, migrations = [] }: Manifest): {
  required: readonly string[];
  allowed: readonly string[];
} {
  const named = (...names: DataDirFile[]): string[] => names.map((name) => DATA_DIR_FILES[name]);
  const required =
    kind === 'chain'
      ? named('chain', 'genesis')
      : kind === 'application'
        ? named('app')
        : [
            ...(database === 'postgres' ? tablesMadeBy(migrations).map(rowsFile) : named('gateway')),
            ...named('genesis'),
          ];
  const beside =
    kind === 'chain' ? named('log', 'webhooks') : kind === 'application' ? named('snapshots', 'genesis') : [];
  return { required, allowed: [...required, ...beside, ...KEY_NAMES] };
}

function readText(folder: string): string | undefined {
  const file = path.join(folder, MANIFEST_FILE);
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > MANIFEST_BYTES_MAX)
      throw new BackupError(
        `${file} is no plain file, or has more than ${MANIFEST_BYTES_MAX} bytes: it is no manifest of a backup.`,
      );
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BackupError(`${path.join(folder, MANIFEST_FILE)} cannot be read: ${(error as Error).message}.`);
  }
}
