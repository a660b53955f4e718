/**
 * priv_validator_state.json on a real disk: after a power cut the file is the old or the new one, and once `write` has returned it is the
 * new one.
 */
import { readFileSync } from 'node:fs';
import { writeWholeFile } from '../../platform/disk-file.ts';
import { EngineStartError } from '../start-error.ts';
import { formatSignState, parseSignState } from './sign-state.ts';
import type { SignStateFile } from './stores.ts';

const PRIVATE_FILE_MODE = 0o600;

export function diskSignState(path: string): SignStateFile {
  return {
    read() {
      let text: string;
      try {
        text = readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      try {
        return parseSignState(text);
      } catch (error) {
        throw new EngineStartError(
          `${path} is unreadable (${(error as Error).message}). It says what the validator signed last; restore it from a copy, do not make a new one`,
        );
      }
    },
    write(last) {
      writeWholeFile(path, formatSignState(last), { mode: PRIVATE_FILE_MODE, existing: 'replace' });
    },
  };
}
