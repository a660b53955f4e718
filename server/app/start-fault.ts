/**
 * Advice for an operator about an error of the system or of SQLite at a start: a sentence instead of a stack trace.
 *
 * @module
 */
import { DAMAGED } from './damaged-database.ts';
import { NoRoomError, StartError } from './start-error.ts';

export interface StartPlace {
  /** The subject of the error, if its message does not name it: a database, or DATA_DIR. */
  what: string;
  /** The remedy if the subject is damaged: a sentence. */
  remedy: string;
}

/** The remedy for the database that holds the chain. */
export function remedyOf(mode: 'development' | 'production', folder: string): string {
  return mode === 'development'
    ? `Move ${folder} away to begin a new development chain, or put a copy of the folder back.`
    : 'Make a new DATA_DIR of a backup (`txledger restore`; docs/OPERATING.md, "Backup and restore"), and look for the reason: a disk that loses what it was given will do so again.';
}

const NO_ROOM = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_SHMSIZE',
  'SQLITE_IOERR_SHMOPEN',
  'SQLITE_IOERR_TRUNCATE',
]);
const NO_DESCRIPTOR = new Set(['EMFILE', 'ENFILE']);
const NO_MEMORY = new Set(['ENOMEM', 'SQLITE_NOMEM', 'ERR_WORKER_OUT_OF_MEMORY', 'SQLITE_IOERR_NOMEM']);
const NO_ACCESS = /^(EACCES|EPERM|EROFS|EISDIR|ENOTDIR|ELOOP|SQLITE_(CANTOPEN|READONLY|PERM|AUTH).*)$/;
const FAILING = /^(EIO|SQLITE_IOERR.*)$/;

interface Coded {
  code: string;
  message: string;
  path?: unknown;
}

/** The first of an error and its causes that has a code of the system or of SQLite. */
function codedOf(error: unknown): Coded | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, message } = at as Error & { code?: unknown };
    // If a thread cannot be started, only the message names the reason.
    const named = code === 'ERR_WORKER_INIT_FAILED' ? (/\b(E[A-Z]+)$/.exec(message)?.[1] ?? code) : code;
    if (typeof named === 'string') return { code: named, message, path: (at as { path?: unknown }).path };
  }
  return undefined;
}

/** Undefined for a defect, which keeps its stack trace. */
export function startFault(error: unknown, { what, remedy }: StartPlace): StartError | NoRoomError | undefined {
  const coded = codedOf(error);
  if (coded === undefined) return undefined;
  const { code, message } = coded;
  const where = typeof coded.path === 'string' ? coded.path : what;
  if (NO_ROOM.has(code)) {
    return new NoRoomError(
      `There is no room to write ${where} (${code}): the disk is full, or a quota or a limit of the size of files (ulimit -f) is reached. Make room and start again; what was acknowledged is not lost.`,
    );
  }
  if (NO_DESCRIPTOR.has(code))
    return new StartError(
      `No more files can be opened (${code}). Raise the limit of open files (ulimit -n, LimitNOFILE= in systemd), at least to 1024.`,
    );
  if (NO_MEMORY.has(code))
    return new StartError(
      `There is not enough memory (${code}). Give the process at least 512 MiB, and look for --max-old-space-size in NODE_OPTIONS.`,
    );
  if (DAMAGED.test(code))
    return new StartError(`${where} is damaged or no database of this program: ${message}. ${remedy}`);
  if (NO_ACCESS.test(code))
    return new StartError(
      `${where} cannot be opened for reading and writing (${code}: ${message}). It must be a file of the user as whom this process runs, in a folder that this user can write.`,
    );
  if (FAILING.test(code))
    return new StartError(
      `${where} cannot be read or written (${code}: ${message}): the disk or its file system fails. See the log of the system. ${remedy}`,
    );
  return undefined;
}
