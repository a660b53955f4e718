/**
 * The process's limit of open files. Connections may use only a part of it: without a free descriptor no connection could be accepted, not
 * even to refuse it, and no database could be opened.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import type { Logger } from '../engine/ports.ts';

/**
 * Descriptors for databases with their journals, threads, connections to nodes and to PostgreSQL, and temporary files: about 100, and a
 * larger reserve.
 */
const FILES_RESERVED = 256;
/** With a very small limit connections get half. */
const SHARE_MIN = 0.5;
const LIMITS_FILE = '/proc/self/limits';
/** The soft limit; Node.js raises it to the hard one at its start. */
const OPEN_FILES = /^Max open files\s+(\d+)/m;

/** Undefined if the system does not report the limit, or has none. */
export function readOpenFilesMax(file: string = LIMITS_FILE): number | undefined {
  try {
    const found = OPEN_FILES.exec(readFileSync(file, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** Returns the wanted number of connections, reduced to the limit of open files. */
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
