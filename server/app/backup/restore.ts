/** Makes a data folder, or fills a database, from a backup. @module */
import type { Environment } from '../config-reader.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';

export interface RestoreOptions {
  folder: string;
  env: Environment;
  cwd: string;
  dataDir: string | undefined;
  signStateFile: string | undefined;
  acceptsForkRisk: boolean;
  onProgress: (done: number, all: number) => void;
}

export interface Restored {
  target: string;
  manifest: Manifest;
  warnings: string[];
}

export async function restoreBackup(_options: RestoreOptions): Promise<Restored> {
  throw new BackupError('restore is not there yet.');
}
