/**
 * DATA_DIR of a whole network: its layout, and which folders are refused.
 *
 * @module
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DATA_DIR_FILES, LOCALNET_FILE } from '../../server/app/data-dir.ts';
import { CHAIN_FORMAT, formatFault, genesisFormat } from '../../server/ledger/index.ts';
import { lockFolder } from '../../server/app/folder-lock.ts';
import { LocalnetError } from './failure.ts';

/** Not ./data: the chain of `npm start` may be there. */
export const LOCALNET_FOLDER_DEFAULT = './data-localnet';

const LOCK = 'localnet.lock';
const FOLDER_MODE = 0o700;
/** The folder that a new file system has in its root. */
const FILE_SYSTEM_ENTRIES: readonly string[] = ['lost+found'];

export interface LocalnetFolder {
  /** Absolute. */
  readonly path: string;
  readonly state: string;
  readonly genesis: string;
  readonly operatorKey: string;
  readonly governorKey: string;
  readonly development: string;
  /** The file with DATABASE_URL and its password, which is written nowhere else. */
  readonly databaseUrl: string;
  readonly logs: string;
  readonly postgres: string;
  node(index: number): string;
  app(index: number): string;
  gateway(index: number): string;
}

export function localnetFolder(folder: string): LocalnetFolder {
  const of = (...names: string[]): string => path.join(folder, ...names);
  return {
    path: folder,
    state: of(LOCALNET_FILE),
    genesis: of(DATA_DIR_FILES.genesis),
    operatorKey: of(DATA_DIR_FILES.operatorKey),
    governorKey: of(DATA_DIR_FILES.governorKey),
    development: of(DATA_DIR_FILES.development),
    databaseUrl: of('database-url'),
    logs: of('logs'),
    postgres: of('postgres'),
    node: (index) => of(`node-${index}`),
    app: (index) => of(`app-${index}`),
    gateway: (index) => of(`gateway-${index}`),
  };
}

function refuseForeign(folder: string): void {
  const entries = readdirSync(folder);
  // The lock is made first, so that the next start continues a first start that died early.
  if (entries.includes(LOCK)) return;
  if (entries.includes(DATA_DIR_FILES.lock) || entries.includes(DATA_DIR_FILES.chain)) {
    throw new LocalnetError(
      `DATA_DIR ${folder} holds a chain of the embedded engine (npm start, npm run serve). Name another folder; a network cannot carry it on.`,
    );
  }
  const foreign = entries.filter((entry) => !FILE_SYSTEM_ENTRIES.includes(entry));
  if (foreign.length === 0) return;
  throw new LocalnetError(
    `DATA_DIR ${folder} holds files of something else (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', ...' : ''}). ` +
      'Name an empty folder, one that does not exist yet, or one that npm run localnet made.',
  );
}

function refuseOtherFormat(folder: string): void {
  const { genesis } = localnetFolder(folder);
  const fault = existsSync(genesis) ? formatFault(genesisFormat(readFileSync(genesis)) ?? CHAIN_FORMAT) : undefined;
  if (fault !== undefined)
    throw new LocalnetError(
      `DATA_DIR ${folder} cannot be used: ${fault}. Move the folder away (mv ${folder} ${folder}.old), or name another one.`,
    );
}

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Makes the folder if it is missing and takes its lock, which the end of this process releases.
 * @throws LocalnetError or DataDirError when the folder belongs to something else, is in use, or cannot be written.
 */
export function openLocalnetFolder(folder: string): LocalnetFolder {
  try {
    if (!existsSync(folder)) {
      makeFolder(folder);
      chmodSync(folder, FOLDER_MODE);
    } else if (!statSync(folder).isDirectory())
      throw new LocalnetError(`DATA_DIR ${folder} is a file; it must be a folder.`);
    refuseForeign(folder);
    refuseOtherFormat(folder);
  } catch (error) {
    if (error instanceof LocalnetError) throw error;
    throw new LocalnetError(`DATA_DIR ${folder} cannot be used: ${(error as Error).message}`);
  }
  lockFolder({ file: path.join(folder, LOCK), why: 'run every validator twice' });
  const layout = localnetFolder(folder);
  makeFolder(layout.logs);
  return layout;
}
