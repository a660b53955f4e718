/**
 * Lets an unprivileged user reach a folder of their own below ours.
 *
 * PostgreSQL refuses to run as root, and root's folders are closed to everybody else. So each folder on the way gets the one bit that lets
 * others pass through (o+x): they still cannot list it, and the files in it are 0600. Only folders of ours are touched; what another user
 * closed stays closed.
 *
 * @module
 */
import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';
import { LocalnetError } from './failure.ts';
import type { User } from './launch.ts';
import { run } from './run.ts';

const OWNER_PASS = 0o100;
const GROUP_PASS = 0o010;
const OTHERS_PASS = 0o001;
const PERMISSIONS = 0o7777;

/** The folders above, from the root down. */
function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [...ancestorsOf(parent), parent];
}

function passes(folder: string, user: User): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & OWNER_PASS) !== 0;
  if (gid === user.gid) return (mode & GROUP_PASS) !== 0;
  return (mode & OTHERS_PASS) !== 0;
}

/**
 * @param folder the absolute path that the user must reach; itself it stays as it is.
 * @returns the folders that were opened.
 * @throws LocalnetError when a folder of somebody else's is in the way.
 */
export async function openForTraversal(folder: string, user: User): Promise<string[]> {
  const opened: string[] = [];
  for (const ancestor of ancestorsOf(folder)) {
    if (passes(ancestor, user)) continue;
    const { mode, uid } = statSync(ancestor);
    // For one of his own, or of his group, the bit of others would not count.
    if (uid === process.getuid?.()) chmodSync(ancestor, (mode & PERMISSIONS) | OTHERS_PASS);
    if (!passes(ancestor, user)) {
      throw new LocalnetError(
        `The user with id ${user.uid}, who runs PostgreSQL, cannot pass through ${ancestor}. Open it (chmod o+x ${ancestor}), or name a DATA_DIR elsewhere.`,
      );
    }
    opened.push(ancestor);
  }
  // Access lists and mount options decide too, and only trying shows them.
  const { code, output } = await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { user, cwd: '/' });
  if (code !== 0)
    throw new LocalnetError(
      `The user with id ${user.uid}, who runs PostgreSQL, cannot reach ${folder}: ${output.trim()}. Name a DATA_DIR elsewhere.`,
    );
  return opened;
}
