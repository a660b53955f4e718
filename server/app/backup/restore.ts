/**
 * Makes a data folder, or fills an empty database, from a backup. It never overwrites anything.
 *
 * A chain that is restored signs the heights after its last block. If the lost service had signed them too, two histories of one chain
 * would verify. So a restore is refused if a later signature is known, unless the operator accepts it. The last signature is written before
 * anything else: a folder whose restore was killed then refuses to begin the chain again from genesis.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { syncPath } from '../../platform/disk-file.ts';
import { diskSignState, isAfter, type LastSigned, sqliteChainStore } from '../../engine/embedded/index.ts';
import { EngineStartError } from '../../engine/start-error.ts';
import { onFile } from '../../store/backup/chain-facts.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../store/errors.ts';
import { personOfProcess } from '../actor.ts';
import { COMPILE_CACHE_FOLDER } from '../compile-cache.ts';
import type { Environment } from '../config-reader.ts';
import { DATA_DIR_FILES, type DataDirFile } from '../data-dir-files.ts';
import { openDataDir } from '../data-dir.ts';
import { createClock } from '../environment.ts';
import { refuseSharedPlace } from '../secret-file.ts';
import { BackupError } from './backup-error.ts';
import { compareFacts } from './compare-facts.ts';
import { checkFiles, copyChecked } from './files.ts';
import { type BackupFile, type Manifest, readManifest } from './manifest.ts';
import { restoreRows } from './restore-rows.ts';
import { databaseUrlOf } from './source.ts';

export interface RestoreOptions {
  folder: string;
  env: Environment;
  cwd: string;
  /** Only for a backup of files. */
  dataDir: string | undefined;
  /** priv_validator_state.json of the service that was lost. */
  signStateFile: string | undefined;
  acceptsForkRisk: boolean;
  onProgress: (done: number, all: number) => void;
}

export interface Restored {
  /** The data folder, or the name of the database. */
  target: string;
  manifest: Manifest;
  /** Facts that the operator needs now. */
  warnings: string[];
}

/**
 * Files that a target may already have: those that the operator places there, and those that a process leaves that only reads the folder.
 */
const MAY_BE_THERE: readonly DataDirFile[] = [
  'lock',
  'genesis',
  'validatorKey',
  'validatorState',
  'operatorKey',
  'governorKey',
  'development',
];
const KEYS: readonly DataDirFile[] = ['validatorKey', 'operatorKey', 'governorKey', 'development'];
const LEFT_OVER = /\.tmp$/;

export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, env, cwd, dataDir, onProgress } = options;
  const manifest = readManifest(folder);
  await checkFiles(folder, manifest.files);
  if (manifest.database === 'postgres') {
    const url = databaseUrlOf(env, cwd);
    if (url === undefined || dataDir !== undefined)
      throw new BackupError(
        `${folder} is of a PostgreSQL database: set DATABASE_URL to a new, empty one, and leave --data-dir out.`,
      );
    return {
      target: await restoreRows(url, folder, manifest, onProgress),
      manifest,
      warnings: gatewayWarnings(manifest),
    };
  }
  compareFacts(manifest, folder);
  if (dataDir === undefined) throw new BackupError('Say where the data folder goes: --data-dir FOLDER.');
  refuseOccupied(dataDir);
  if (manifest.keys.included.length > 0) refuseSharedPlace(dataDir);
  const opened = openDataDir(dataDir);
  try {
    const warnings = await restoreFiles(options, manifest, opened.files);
    return { target: dataDir, manifest, warnings };
  } finally {
    opened.release();
  }
}

function refuseOccupied(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const allowed = [...MAY_BE_THERE.map((name): string => DATA_DIR_FILES[name]), COMPILE_CACHE_FOLDER, 'lost+found'];
  const there = readdirSync(dataDir).find((name) => !allowed.includes(name) && !LEFT_OVER.test(name));
  if (there !== undefined)
    throw new BackupError(
      `${dataDir} has ${there} in it: a restore never writes over what is there. Name a new folder.`,
    );
}

async function restoreFiles(
  options: RestoreOptions,
  manifest: Manifest,
  files: Readonly<Record<DataDirFile, string>>,
): Promise<string[]> {
  const { folder, onProgress } = options;
  const isChain = manifest.kind === 'chain';
  refuseOtherGenesis(manifest, files);
  const risk = isChain ? judgeSignState(options, files) : undefined;
  const all = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const wanted = manifest.files.filter(({ name }) => !existsSync(path.join(path.dirname(files.lock), name)));
  // Remains of a restore that was killed; they may be as large as the chain.
  for (const name of readdirSync(path.dirname(files.lock)))
    if (LEFT_OVER.test(name)) rmSync(path.join(path.dirname(files.lock), name), { force: true });
  const copied: { file: BackupFile; finish: () => void }[] = [];
  for (const file of wanted) {
    const finish = await copyChecked(
      path.join(folder, file.name),
      path.join(path.dirname(files.lock), file.name),
      file,
      (count) => onProgress((done += count), all),
    );
    copied.push({ file, finish });
  }
  // Before anything else: the module's comment has the reason.
  if (risk?.signed !== undefined) diskSignState(files.validatorState).write(risk.signed);
  // The chain is written last, because only with it can the folder be started.
  const isChainFile = ({ file }: { file: BackupFile }): number => Number(file.name === DATA_DIR_FILES.chain);
  for (const { finish } of copied.toSorted((a, b) => isChainFile(a) - isChainFile(b))) finish();
  if (!isChain) return manifest.kind === 'gateway' ? gatewayWarnings(manifest) : applicationWarnings();
  await recordRestore(files.chain, manifest, risk?.lost, options.acceptsForkRisk);
  return chainWarnings(manifest, files, risk?.lost);
}

function refuseOtherGenesis(manifest: Manifest, files: Readonly<Record<DataDirFile, string>>): void {
  if (!existsSync(files.genesis)) return;
  const found = manifest.files.find(({ name }) => name === DATA_DIR_FILES.genesis);
  if (found === undefined) return;
  const { chain_id: chainId } = JSON.parse(readFileSync(files.genesis, 'utf8')) as { chain_id?: unknown };
  if (chainId !== manifest.chainId)
    throw new BackupError(
      `${files.genesis} is of chain ${String(chainId)}, and the backup of chain ${manifest.chainId}: name another folder.`,
    );
}

interface SignRisk {
  /** The last signature in the backup's chain. */
  signed: LastSigned | undefined;
  /** The height up to which the lost service is known to have signed, if that is higher. */
  lost: number | undefined;
}

/** Compares the backup with every known signature. */
function judgeSignState(
  { folder, signStateFile, acceptsForkRisk }: RestoreOptions,
  files: Readonly<Record<DataDirFile, string>>,
): SignRisk {
  const signed = onFile(path.join(folder, DATA_DIR_FILES.chain), (sql) =>
    sqliteChainStore({ sql, writing: (work) => work() }).lastSigned(),
  );
  const known = [files.validatorState, signStateFile].flatMap((file) =>
    file === undefined ? [] : [{ file, state: readSignState(file, file === signStateFile) }],
  );
  const later = known.filter(({ state }) => state !== undefined && isAfter(state, signed));
  const [worst] = later.sort((a, b) => (b.state?.height ?? 0) - (a.state?.height ?? 0));
  if (worst?.state === undefined) return { signed, lost: undefined };
  const height = signed?.height ?? 0;
  if (!acceptsForkRisk) {
    throw new BackupError(
      `The validator signed blocks up to height ${worst.state.height} (${worst.file}), and this backup ends at height ${height}: ${worst.state.height - height} blocks are not in it. ` +
        'Restored, the chain would sign other blocks at these heights, and anyone who saw the first ones could prove both. Restore a newer backup, or the chain.db of the lost service, if there is any. ' +
        'If there is none, give --accept-fork-risk: the restore then tells what is lost, and what to do about it.',
    );
  }
  return { signed, lost: worst.state.height };
}

function readSignState(file: string, mustExist: boolean): LastSigned | undefined {
  try {
    const state = diskSignState(file).read();
    if (state === undefined && mustExist) throw new BackupError(`There is no ${file} (--sign-state).`);
    return state;
  } catch (error) {
    if (error instanceof EngineStartError) throw new BackupError(`${error.message}.`);
    throw error;
  }
}

/** Written to the audit trail of the restored database: it records for good that the chain went back. */
async function recordRestore(
  file: string,
  { takenAt, state }: Manifest,
  lost: number | undefined,
  acceptsForkRisk: boolean,
): Promise<void> {
  const [{ openChainDatabase }, { openStoppedAccess }] = await Promise.all([
    import('../../store/embedded/connection.ts'),
    import('../stopped-access.ts'),
  ]);
  try {
    const sql = openChainDatabase({ path: file });
    try {
      // A backup of an earlier version has its tail in chain.db.
      const access = await openStoppedAccess(sql, file);
      const details = {
        takenAt,
        height: state.height,
        ...(lost !== undefined && { signedHeight: lost, forkRiskAccepted: acceptsForkRisk }),
      };
      try {
        access.write([
          [
            'appendAudit',
            [
              {
                atMs: createClock().nowMs(),
                actor: personOfProcess(),
                action: 'server.restore',
                subject: path.basename(path.dirname(file)),
                details,
              },
            ],
          ],
        ]);
      } finally {
        access.close();
      }
    } finally {
      sql.close();
    }
  } catch (error) {
    if (error instanceof StoreDamagedError || error instanceof StoreUnavailableError)
      throw new BackupError(`${file} cannot be opened: ${error.message}.`);
    throw error;
  }
  syncPath(path.dirname(file));
}

function chainWarnings(
  { takenAt, state, keys }: Manifest,
  files: Readonly<Record<DataDirFile, string>>,
  lost: number | undefined,
): string[] {
  const { height } = state;
  const missing = KEYS.filter((name) => keys.missing.includes(DATA_DIR_FILES[name]) && !existsSync(files[name]));
  return [
    `The chain is at height ${height}${state.blockTime === undefined ? '' : ` (${state.blockTime})`}. What the service acknowledged after ${takenAt} is not in it.`,
    ...(lost === undefined
      ? [
          `If the lost service made blocks after height ${height}, they are lost, and the chain makes others at their heights.`,
        ]
      : [
          `LOST: the blocks ${height + 1} to ${lost}, which were signed and may have been seen. The chain makes others at these heights: receipts, light clients and event ids of them no longer hold.`,
        ]),
    'Ask partners to submit again what GET /transactions/{txHash} no longer knows: the signed bytes are still valid, and nothing is paid twice. Clients that saw later blocks begin again from this height.',
    'Start it only when the service that the backup was taken of can never run again: two services with one validator key sign two histories of one chain.',
    ...(missing.length === 0
      ? []
      : [
          `Not in the backup: ${missing.map((name) => DATA_DIR_FILES[name]).join(', ')}. Name your own copies in VALIDATOR_KEY_FILE and OPERATOR_KEY_FILE.`,
        ]),
  ];
}

const gatewayWarnings = ({ takenAt, state }: Manifest): string[] => [
  `The database follows the chain from height ${state.height} on when a gateway starts; the blocks come from the nodes, so no payment that a block has is lost.`,
  `What gateways accepted after ${takenAt} and no block has yet is lost, and so are tokens, bindings and webhooks that were changed after it: ask partners to submit again what GET /transactions/{txHash} does not know.`,
];

const applicationWarnings = (): string[] => ['The node executes the blocks after it again when both start.'];
