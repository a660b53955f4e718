/**
 * manifest.json of a backup: what it holds, of which moment, and the SHA-256 of every file. It is written last, so a folder without one is a
 * backup that was not finished.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BackupError } from './backup-error.ts';

export const MANIFEST_FILE = 'manifest.json';
/** What a folder is called until it is whole. */
export const PARTIAL_SUFFIX = '.partial';

/** The form of the folder and of this file. A version reads this number and no other. */
export const BACKUP_FORMAT = 1;

export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/** `chain`: the embedded engine's data folder. `gateway`: the database of gateways before CometBFT nodes. `application`: that of an application beside a node. */
export type BackupKind = 'chain' | 'gateway' | 'application';

/** The chain as the backup has it. Absent is what such a database does not know. */
export interface ChainFacts {
  readonly height: number;
  /** RFC 3339, of the last block. */
  readonly blockTime?: string;
  readonly blockHash?: string;
  readonly appHash?: string;
  /** Sum of all balances, in minor units. */
  readonly supply?: string;
  /** What the validator signed last. */
  readonly lastSigned?: { readonly height: number; readonly round: number; readonly step: number };
}

export interface Manifest {
  readonly format: typeof BACKUP_FORMAT;
  /** The version that wrote it. */
  readonly product: string;
  readonly kind: BackupKind;
  readonly engine: 'embedded' | 'cometbft';
  readonly database: 'sqlite' | 'postgres';
  readonly chainId: string;
  readonly genesisHash?: string;
  /** When it was begun, RFC 3339. Everything that was acknowledged before is in it. */
  readonly takenAt: string;
  readonly state: ChainFacts;
  readonly counts: Readonly<Record<string, number>>;
  /** Of a PostgreSQL database: the migrations that made its tables, in order. */
  readonly migrations?: readonly string[];
  /** This file left out. */
  readonly files: readonly BackupFile[];
  readonly keys: { readonly included: readonly string[]; readonly missing: readonly string[] };
  /** Left out because the service makes them again. */
  readonly madeAgain: readonly string[];
}

export const formatManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`;

/** Whether a folder says that it is a backup, whole or not. */
export function isBackup(folder: string): boolean {
  return folder.endsWith(PARTIAL_SUFFIX) || readText(folder) !== undefined;
}

/** @throws BackupError for a folder that is no finished backup, or one of another format. */
export function readManifest(folder: string): Manifest {
  if (folder.endsWith(PARTIAL_SUFFIX)) throw new BackupError(`${folder} is a backup that was not finished: use another one, and remove this folder.`);
  const text = readText(folder);
  if (text === undefined) throw new BackupError(`${folder} has no ${MANIFEST_FILE}: it is no backup, or one that was not finished.`);
  const fault = (what: string): BackupError => new BackupError(`${path.join(folder, MANIFEST_FILE)} is damaged: ${what}.`);
  let read: Partial<Manifest>;
  try {
    read = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw fault('it is not JSON');
  }
  if (typeof read !== 'object' || read === null) throw fault('it is no JSON object');
  if (read.format !== BACKUP_FORMAT) {
    throw new BackupError(`${folder} is a backup of format ${JSON.stringify(read.format)}, and this program reads format ${BACKUP_FORMAT}: use the version that wrote it (${read.product ?? 'not said'}).`);
  }
  const isWhole =
    (read.kind === 'chain' || read.kind === 'gateway' || read.kind === 'application') &&
    (read.database === 'sqlite' || read.database === 'postgres') &&
    typeof read.chainId === 'string' &&
    typeof read.takenAt === 'string' &&
    Number.isSafeInteger(read.state?.height) &&
    typeof read.counts === 'object' &&
    Array.isArray(read.files) &&
    Array.isArray(read.keys?.included) &&
    Array.isArray(read.keys?.missing);
  if (!isWhole) throw fault('members are missing');
  for (const file of read.files as BackupFile[]) {
    // A name is joined to a folder and written at a restore.
    const isPlain = typeof file?.name === 'string' && /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(file.name) && Number.isSafeInteger(file.bytes) && /^[0-9a-f]{64}$/.test(file.sha256);
    if (!isPlain) throw fault(`it names the file ${JSON.stringify(file)}`);
  }
  return read as Manifest;
}

function readText(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, MANIFEST_FILE), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BackupError(`${path.join(folder, MANIFEST_FILE)} cannot be read: ${(error as Error).message}.`);
  }
}
