/**
 * The commit of a checkout, read from its `.git`: a start must not wait for a `git` command, which a server need not have.
 *
 * @module
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** SHA-1 or SHA-256. */
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The folder itself, or the one that the file `.git` of a worktree or submodule names. */
function gitFolder(root: string): string | undefined {
  const git = path.join(root, '.git');
  const found = statSync(git, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return git;
  const named = found === undefined ? undefined : /^gitdir: (.+)$/m.exec(read(git) ?? '')?.[1];
  return named === undefined ? undefined : path.resolve(root, named);
}

/** Hex digits; undefined where `root` is not a checkout, or has no commit yet. */
export function commitOfCheckout(root: string): string | undefined {
  const folder = gitFolder(root);
  const head = folder === undefined ? undefined : read(path.join(folder, 'HEAD'));
  if (folder === undefined || head === undefined) return undefined;
  const name = /^ref: (refs\/.+)$/.exec(head)?.[1];
  const commit = name === undefined ? head : branchCommit(folder, name);
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

/** The branches of a worktree are in the folder of the repository that it belongs to. */
function branchCommit(folder: string, name: string): string | undefined {
  const common = path.resolve(folder, read(path.join(folder, 'commondir')) ?? '.');
  const loose = read(path.join(common, name));
  if (loose !== undefined) return loose;
  const packed = read(path.join(common, 'packed-refs'))?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0];
}
