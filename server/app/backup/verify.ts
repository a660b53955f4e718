/** Whether a backup, or a data folder, is what it should be. @module */
import type { Environment } from '../config-reader.ts';
import { BackupError } from './backup-error.ts';

export interface VerifyOptions {
  folder: string;
  env: Environment;
  cwd: string;
  isQuick: boolean;
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

export async function verifyFolder(_options: VerifyOptions): Promise<Verdict> {
  throw new BackupError('verify is not there yet.');
}
