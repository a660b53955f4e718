/**
 * Checks the owner of a file, and that others cannot write it: files in DATA_DIR and key files decide about money.
 *
 * @module
 */
import type { Stats } from 'node:fs';

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/** The user that this process runs as; undefined where files have no such owners. */
export const processUser = (): number | undefined => process.geteuid?.();

/** True for files of this user and of root, who can change any file anyway. Another owner could replace the file at any time. */
export function isTrusted(owner: number, user: number | undefined): boolean {
  return user === undefined || owner === user || owner === ROOT;
}

export const isWritableByOthers = ({ mode }: Pick<Stats, 'mode'>): boolean => (mode & WRITABLE_BY_OTHERS) !== 0;

/** Formats a mode as chmod takes it. */
export const modeText = ({ mode }: Pick<Stats, 'mode'>): string => (mode & 0o777).toString(8).padStart(4, '0');
