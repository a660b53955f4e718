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

/** Root can change any file, so a file of root's is as safe as any. A file of another user could be replaced by that user at any time. */
export function isTrusted(owner: number, user: number | undefined): boolean {
  return user === undefined || owner === user || owner === ROOT;
}

export const isWritableByOthers = ({ mode }: Pick<Stats, 'mode'>): boolean => (mode & WRITABLE_BY_OTHERS) !== 0;

/** As chmod takes it. */
export const modeText = ({ mode }: Pick<Stats, 'mode'>): string => (mode & 0o777).toString(8).padStart(4, '0');
