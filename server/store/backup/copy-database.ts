/**
 * Copies an SQLite database while another process writes it.
 *
 * The copy is of one moment: the source is read in one read transaction, which blocks no writer and which no writer can change. Meanwhile
 * the source's log cannot begin again at its start, so it grows by what is written until the copy is done, and is used again from its start
 * afterwards. Its size is checked after each slice, and the copy gives up where it would take more of the disk than it may.
 */
import { statSync } from 'node:fs';
import { openConnection, openReadOnly } from '../sqlite/library.ts';

/** 8 MiB: some ten milliseconds of reading, and not a thousand turns a second. */
const SLICE_PAGES = 2048;

export interface CopyOptions {
  from: string;
  /** A file that does not exist yet. */
  to: string;
  /** The source's log may grow by so many bytes meanwhile. */
  logBytesMax: number;
  onProgress?: (pages: number, allPages: number) => void;
  /** Only for tests: pages of a slice. */
  slicePages?: number;
}

/** The log of the source has grown too long: a copy that went on could fill the disk under the service. */
export class LogTooLongError extends Error {
  override readonly name = 'LogTooLongError';
}

const logBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

export async function copyDatabase({
  from,
  to,
  logBytesMax,
  onProgress,
  slicePages = SLICE_PAGES,
}: CopyOptions): Promise<void> {
  const source = openReadOnly(from);
  try {
    const bytesBefore = logBytes(from);
    source.exec('BEGIN');
    // The first read is what fixes the moment.
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress?.(totalPages - remainingPages, totalPages);
        const grown = logBytes(from) - bytesBefore;
        if (grown > logBytesMax)
          throw new LogTooLongError(
            `the log of ${from} has grown by ${grown} bytes while it was copied, and ${logBytesMax} is what the disk can bear`,
          );
        return slicePages;
      },
    });
  } finally {
    source.close();
  }
  const copy = openConnection(to);
  try {
    // One file that needs no companions, also on a disk that cannot be written. The service changes it back when it opens it.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}
