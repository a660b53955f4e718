/**
 * A recording of one life of a server: what it did to the files of its data folder and what it sent, in one order. test/power/recorder.c makes it.
 *
 * A folder of a recording holds `base`, the data folder before the life began, and `log`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** In the order of recorder.c. */
const KINDS = [
  'opened',
  'created',
  'written',
  'truncated',
  'syncBegun',
  'synced',
  'renamed',
  'linked',
  'unlinked',
  'folderMade',
  'sent',
  'sentShort',
  'unseen',
] as const;

export interface LogRecord {
  kind: (typeof KINDS)[number];
  thread: number;
  /** An inode, or the number of a connection. */
  file: number;
  /** Of what was written; the size after a truncation; the descriptor of a sync; how much of what was to be sent was taken. */
  offset: number;
  bytes: Buffer;
}

const HEAD_BYTES = 32;

/** @returns the path of the library, which lies in `folder`. */
export function buildRecorder(folder: string): string {
  const library = path.join(folder, 'recorder.so');
  const source = path.join(import.meta.dirname, 'recorder.c');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-o', library, source, '-ldl', '-lpthread']);
  return library;
}

/** The variables with which a process is recorded: every path is absolute, and the folder exists. */
export const recordedBy = (library: string, folder: string, log: string): Record<string, string> => ({
  LD_PRELOAD: library,
  RECORDED_FOLDER: folder,
  RECORDED_LOG: log,
});

/** Throws for a recording that cannot be relied on. */
export function readRecords(log: string): LogRecord[] {
  const all = readFileSync(log);
  const records: LogRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= all.length;) {
    const size = all.readUInt32LE(at);
    const kind = KINDS[all.readUInt32LE(at + 4) - 1];
    const end = at + HEAD_BYTES + size;
    if (kind === undefined || end > all.length) throw new Error(`${log} holds no record at ${at}`);
    const bytes = all.subarray(at + HEAD_BYTES, end);
    if (kind === 'unseen')
      throw new Error(`a file was changed by ${bytes.toString()}, which test/power/recorder.c does not follow`);
    records.push({
      kind,
      thread: all.readUInt32LE(at + 8),
      file: Number(all.readBigUInt64LE(at + 16)),
      offset: Number(all.readBigUInt64LE(at + 24)),
      bytes,
    });
    at = end;
  }
  return records;
}
