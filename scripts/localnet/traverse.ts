/**
 * Lets an unprivileged user reach a folder of their own below a folder of this process's user.
 *
 * PostgreSQL refuses to run as root, and root's folders are closed to all other users. So each folder on the path gets the search
 * permission for others (o+x): they still cannot list it, and the files in it are 0600. Only folders of this process's user are changed;
 * those of other users stay closed.
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
 * @param folder the absolute path that the user must reach; the folder itself is not changed.
 * @returns the folders that were opened.
 * @throws LocalnetError when a folder of another user is closed.
 */
export async function openForTraversal(folder: string, user: User): Promise<string[]> {
  const opened: string[] = [];
  for (const ancestor of ancestorsOf(folder)) {
    if (passes(ancestor, user)) continue;
    const { mode, uid } = statSync(ancestor);
    // For a folder of that user or of their group, the permission for others would not apply.
    if (uid === process.getuid?.()) chmodSync(ancestor, (mode & PERMISSIONS) | OTHERS_PASS);
    if (!passes(ancestor, user)) {
      throw new LocalnetError(
        `The user with id ${user.uid}, who runs PostgreSQL, cannot pass through ${ancestor}. Open it (chmod o+x ${ancestor}), or name a DATA_DIR elsewhere.`,
      );
    }
    opened.push(ancestor);
  }
  // Access lists and mount options apply too, and only an attempt shows their effect.
  const { code, output } = await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { user, cwd: '/' });
  if (code !== 0)
    throw new LocalnetError(
      `The user with id ${user.uid}, who runs PostgreSQL, cannot reach ${folder}: ${output.trim()}. Name a DATA_DIR elsewhere.`,
    );
  return opened;
}
