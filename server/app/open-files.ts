/**
 * The process's limit of open files, of which connections may take only a part: without a free descriptor nothing could be accepted, not even a
 * connection that is to be refused, and no database could be opened.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import type { Logger } from '../engine/ports.ts';

/** Databases with their journals, threads, connections to nodes and to PostgreSQL, temporary files: about 100, and more than as many in reserve. */
const FILES_RESERVED = 256;
/** Of a very small limit connections get half. */
const SHARE_MIN = 0.5;
const LIMITS_FILE = '/proc/self/limits';
/** Soft limit; Node.js raises it to the hard one at its start. */
const OPEN_FILES = /^Max open files\s+(\d+)/m;

/** Undefined where the system does not report it, or there is no limit. */
export function readOpenFilesMax(file: string = LIMITS_FILE): number | undefined {
  try {
    const found = OPEN_FILES.exec(readFileSync(file, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** As many connections as are wanted, or as the limit of open files leaves. */
export function connectionsWithin(
  wanted: number,
  logger: Pick<Logger, 'warn'>,
  openFilesMax: number | undefined = readOpenFilesMax(),
): number {
  if (openFilesMax === undefined) return wanted;
  const left = Math.max(openFilesMax - FILES_RESERVED, Math.floor(openFilesMax * SHARE_MIN));
  if (left >= wanted) return wanted;
  logger.warn(
    { openFilesMax, wanted, connectionsMax: left },
    'the limit of open files leaves fewer connections than TXLEDGER_CONNECTIONS_MAX',
  );
  return left;
}
