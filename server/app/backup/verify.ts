/**
 * Verifies a backup, or a data folder: the files against the manifest, the chain against itself from genesis on, and every row against the
 * chain. The verification ends with the first difference, because later ones may be its consequences.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EngineStartError } from '../../engine/start-error.ts';
import { StoreDamagedError } from '../../store/errors.ts';
import { sqliteCode } from '../../store/sqlite/library.ts';
import { counted } from '../counted.ts';
import type { Environment } from '../config-reader.ts';
import { dataDirFiles } from '../data-dir-files.ts';
import { missingInOtherForm } from '../schema-versions.ts';
import { BackupError } from './backup-error.ts';
import { compareFacts } from './compare-facts.ts';
import { factsIn } from './contents.ts';
import { checkFiles } from './files.ts';
import { type BackupKind, isBackup, type Manifest, readManifest } from './manifest.ts';
import { kindOf } from './source.ts';
import type { Subject, Verifier } from './verifier.ts';
import { verifyApplication } from './verify-application.ts';
import { verifyChain } from './verify-chain.ts';
import { verifyGateway } from './verify-gateway.ts';

export interface VerifyOptions {
  folder: string;
  env: Environment;
  cwd: string;
  /** Checks hashes and signatures of blocks alone. */
  isQuick: boolean;
  /** The first block that is checked, with `isQuick`. */
  from: number;
  onProgress: (what: string, done: number, all: number) => void;
}

export interface Verdict {
  /** The first difference, as a sentence. */
  fault?: string;
  facts: Record<string, unknown>;
  lines: (readonly [name: string, value: string])[];
  checked: string[];
}

const VERIFIERS: Readonly<Record<BackupKind, Verifier>> = {
  chain: verifyChain,
  gateway: verifyGateway,
  application: verifyApplication,
};

/** @throws BackupError if the folder holds nothing that can be verified. */
export async function verifyFolder(options: VerifyOptions): Promise<Verdict> {
  const { folder } = options;
  if (!existsSync(folder)) throw new BackupError(`${folder} is not there.`);
  const files = dataDirFiles(folder);
  const kind = kindOf(files);
  if (!isBackup(folder) && kind === undefined)
    throw new BackupError(`${folder} is no backup, and no data folder with a database.`);
  try {
    return isBackup(folder) ? await verifyBackup(options) : await verifyData(options, kind as BackupKind);
  } catch (error) {
    const otherVersion = missingInOtherForm(error, files);
    if (otherVersion !== undefined) throw otherVersion;
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return { fault: `${folder} is not what it should be: ${fault}`, facts: {}, lines: [], checked: [] };
  }
}

async function verifyBackup({ folder, env, isQuick, from, onProgress }: VerifyOptions): Promise<Verdict> {
  const manifest = readManifest(folder);
  await checkFiles(folder, manifest.files, (done, all) => onProgress('bytes', done, all));
  const files = dataDirFiles(folder);
  if (manifest.database === 'sqlite') compareFacts(manifest, folder);
  const subject: Subject = {
    files,
    genesisFile: existsSync(files.genesis) ? files.genesis : undefined,
    nodeUrl: nodeUrlOf(env),
    manifest,
    isQuick,
    from,
    onProgress,
  };
  const checked = await VERIFIERS[manifest.kind](subject);
  return verdict(manifest, [counted(manifest.files.length, 'file'), ...checked]);
}

async function verifyData(
  { folder, env, cwd, isQuick, from, onProgress }: VerifyOptions,
  kind: BackupKind,
): Promise<Verdict> {
  const files = dataDirFiles(folder);
  const given = env['GENESIS_FILE']?.trim();
  const genesisFile = existsSync(files.genesis) ? files.genesis : given && path.resolve(cwd, given);
  const checked = await VERIFIERS[kind]({
    files,
    genesisFile: genesisFile || undefined,
    nodeUrl: nodeUrlOf(env),
    manifest: undefined,
    isQuick,
    from,
    onProgress,
  });
  return verdict({ kind, ...factsIn(kind, folder) }, checked);
}

function verdict(
  { chainId, state, heads, counts }: Pick<Manifest, 'chainId' | 'state' | 'heads' | 'counts'> & { kind: BackupKind },
  checked: string[],
): Verdict {
  return {
    facts: { chainId, state, ...(heads && { heads }), counts, checked },
    lines: [
      ['chain', chainId],
      ['height', `${state.height}${state.blockHash === undefined ? '' : `, block ${state.blockHash}`}`],
      ...(state.supply === undefined ? [] : [['supply', state.supply] as const]),
      ...(heads?.log === undefined ? [] : [['log', `entry ${heads.log.seq}, hash ${heads.log.hash}`] as const]),
      ...(heads === undefined ? [] : [['audit trail', `line ${heads.audit.id}, hash ${heads.audit.hash}`] as const]),
    ],
    checked,
  };
}

/** The first of COMETBFT_RPC_URL. */
const nodeUrlOf = (env: Environment): string | undefined => env['COMETBFT_RPC_URL']?.split(',')[0]?.trim() || undefined;

/** Describes a fault of the data; undefined for a defect of this program. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof BackupError) return error.message;
  if (error instanceof EngineStartError || error instanceof StoreDamagedError) return `${error.message}.`;
  const code = sqliteCode(error);
  return code === undefined ? undefined : `a database is damaged (${code}: ${(error as Error).message}).`;
}
