/**
 * Writes a small file again and again while the chain runs, so that after a kill too it records how far the data was: an old copy of the
 * data is then refused. priv_validator_state.json is one, log_witness.json another.
 *
 * It costs the thread that makes blocks nothing but a check every few seconds; file and fsync are work of Node's thread pool. A file may be
 * behind the data by the pause between two writes, and is never ahead, because what it names is on disk before it is read from there.
 */
import { replaceInBackground } from '../../platform/disk-file.ts';
import type { Clock, Logger, Timer } from '../ports.ts';
import { formatSignState } from './sign-state.ts';
import type { LastSigned } from './stores.ts';

/**
 * Pause between two writes. An old copy of this age or less is detected by statements.db, or not at all; a shorter pause is one more fsync
 * of the disk that commits wait for.
 */
export const EXPORT_PAUSE_MS = 5000;
const PRIVATE_FILE_MODE = 0o600;

export interface FileExport {
  /** Resolves when no write is in progress any longer. */
  stop(): Promise<void>;
  /** After `stop`: writes once more what changed since the last write. */
  writeLast(): Promise<void>;
}

export interface FileExportOptions {
  path: string;
  /** The file's content at this moment; it is written when `version` has grown. */
  content: () => { version: number; text: string } | undefined;
  /** The version that is in the file already. */
  written: number;
  /** The log message for a write that failed; the next one tries again. */
  failure: string;
  clock: Clock;
  logger: Logger;
}

/** Checks at once, and then every EXPORT_PAUSE_MS. */
export function exportFile({ path, content, written: there, failure, clock, logger }: FileExportOptions): FileExport {
  let timer: Timer | undefined;
  let written = there;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const schedule = (): void => {
    if (!isStopped) timer = clock.setTimer(look, EXPORT_PAUSE_MS);
  };
  const write = async (): Promise<void> => {
    const now = content();
    if (now === undefined || now.version <= written) return;
    try {
      await replaceInBackground(path, now.text, PRIVATE_FILE_MODE);
      written = now.version;
    } catch (error) {
      logger.warn({ error: (error as Error).message }, failure);
    }
  };
  const look = (): void => {
    const now = content();
    if (now === undefined || now.version <= written) return schedule();
    writing = write().then(schedule);
  };
  look();
  return {
    stop: () => {
      isStopped = true;
      timer?.cancel();
      return writing;
    },
    writeLast: write,
  };
}

/** Exports priv_validator_state.json. The engine writes it at its start and its end, before and after this. */
export function exportSignState({
  lastSigned,
  ...options
}: Pick<FileExportOptions, 'path' | 'clock' | 'logger'> & { lastSigned: () => LastSigned | undefined }): FileExport {
  return exportFile({
    ...options,
    content: () => {
      const last = lastSigned();
      return last && { version: last.height, text: formatSignState(last) };
    },
    written: lastSigned()?.height ?? 0,
    failure: 'priv_validator_state.json was not written; chain.db has what it would say',
  });
}
