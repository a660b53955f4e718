/** Folders of a chain with every kind of transaction, and their copies, for tests of backups. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { restoreBackup, type RestoreOptions } from '../../server/app/backup/restore.ts';
import { takeBackup, type TakenBackup } from '../../server/app/backup/take.ts';
import { type Verdict, verifyFolder } from '../../server/app/backup/verify.ts';
import { temporaryFolder } from '../app/support.ts';
import { testGenesis } from '../ledger/support.ts';
import { writeFixtureKeys } from '../upgrade/fixture-keys.ts';

const FIXTURE = path.join(import.meta.dirname, '../upgrade/fixtures/1.6.tar.gz');

export interface Folders {
  parent: string;
  /** A development server's, killed: transfers of every status, cancels, pending ones, a journal. */
  chain: string;
  /** Of a gateway before nodes. */
  gateway: string;
  /** Of an application beside a node. */
  application: string;
}

export async function unpackFolders(): Promise<Folders> {
  const parent = await temporaryFolder('backup');
  execFileSync('tar', ['xzf', FIXTURE, '--no-same-owner', '-C', parent]);
  execFileSync('chmod', ['-R', 'go-rwx', parent]);
  const [chain, gateway, application] = ['folder', 'gateway', 'application'].map((name) => path.join(parent, name)) as [
    string,
    string,
    string,
  ];
  writeFixtureKeys(chain);
  for (const [folder, files] of [
    [gateway, ['gateway.db']],
    [application, ['app.db', 'snapshots.db']],
  ] as const) {
    mkdirSync(folder, { mode: 0o700 });
    for (const file of files) cpSync(path.join(parent, 'network', file), path.join(folder, file));
  }
  writeFileSync(path.join(gateway, 'genesis.json'), testGenesis().bytes);
  return { parent, chain, gateway, application };
}

export const backUp = (
  dataDir: string,
  out: string,
  { withKeys = false, env = {} }: { withKeys?: boolean; env?: Record<string, string> } = {},
): Promise<TakenBackup> =>
  takeBackup({ env: { DATA_DIR: dataDir, ...env }, cwd: '/', target: { out }, withKeys, onProgress: () => undefined });

export const verify = (folder: string, { isQuick = false, from = 1 } = {}): Promise<Verdict> =>
  verifyFolder({ folder, env: {}, cwd: '/', isQuick, from, onProgress: () => undefined });

/** Changes a database as nothing of this program would, with every page's structure fine. */
export function tamper(file: string, statements: string): void {
  const sql = new Sqlite(file);
  try {
    for (const trigger of sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
      sql.exec(`DROP TRIGGER "${trigger}"`);
    const before = sql.prepare('SELECT total_changes()').pluck().get();
    sql.exec(statements);
    if (sql.prepare('SELECT total_changes()').pluck().get() === before)
      throw new Error(`nothing was changed by ${statements}`);
  } finally {
    sql.close();
  }
}

/** As `txledger restore` does it, into a folder that is not there yet. */
export const restoreInto = (
  dataDir: string,
  backup: string,
  options: Partial<RestoreOptions> = {},
): ReturnType<typeof restoreBackup> =>
  restoreBackup({
    folder: backup,
    env: {},
    cwd: '/',
    dataDir,
    signStateFile: undefined,
    acceptsForkRisk: false,
    onProgress: () => undefined,
    ...options,
  });
