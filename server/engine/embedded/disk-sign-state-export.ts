/**
 * Writes priv_validator_state.json again and again while the chain runs, so that after a kill too the file tells of a chain.db that is an old copy.
 *
 * It costs the one who makes blocks nothing: a look at one row every few seconds; file and fsync are work of Node's thread pool. The file may be
 * behind the chain by the pause between two writes, and is never ahead, because a signature is on disk in chain.db before it is read from there.
 */
import { replaceInBackground } from '../../platform/disk-file.ts';
import type { Clock, Logger, Timer } from '../ports.ts';
import { formatSignState } from './sign-state.ts';
import type { LastSigned } from './stores.ts';

/** An old copy of this age or less is told by statements.db, or not at all; a shorter pause is one more fsync of the disk that commits wait for. */
export const EXPORT_PAUSE_MS = 5000;
const PRIVATE_FILE_MODE = 0o600;

export interface SignStateExport {
  /** Returns when no write is under way any more. */
  stop(): Promise<void>;
}

export function exportSignState(options: {
  path: string;
  lastSigned: () => LastSigned | undefined;
  clock: Clock;
  logger: Logger;
}): SignStateExport {
  const { path, lastSigned, clock, logger } = options;
  let timer: Timer | undefined;
  let written = lastSigned()?.height ?? 0;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const schedule = (): void => {
    if (!isStopped) timer = clock.setTimer(look, EXPORT_PAUSE_MS);
  };
  const look = (): void => {
    const last = lastSigned();
    if (last === undefined || last.height <= written) return schedule();
    writing = replaceInBackground(path, formatSignState(last), PRIVATE_FILE_MODE)
      .then(() => {
        written = last.height;
      })
      .catch((error: unknown) =>
        logger.warn(
          { error: (error as Error).message },
          'priv_validator_state.json was not written; chain.db has what it would say',
        ),
      )
      .then(schedule);
  };
  schedule();
  return {
    stop: () => {
      isStopped = true;
      timer?.cancel();
      return writing;
    },
  };
}
