/**
 * The build that was recorded, checked out beside this one: `git worktree` in a scratch folder, with this checkout's packages where the lock
 * file is the same, else with its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { progress } from './report/progress.ts';

export interface Checkout {
  folder: string;
  remove: () => void;
}

function run(command: string, args: readonly string[], cwd: string): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

const sameFile = (a: string, b: string): boolean => readFileSync(a, 'utf8') === readFileSync(b, 'utf8');

/** Undefined where git does not know the commit: a shallow clone. Throws when it cannot be checked out or installed. */
export function checkOutRecorded(commit: string): Checkout | undefined {
  if (!run('git', ['cat-file', '-e', `${commit}^{commit}`], ROOT).ok) return undefined;
  const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-recorded-'));
  const folder = path.join(scratch, 'checkout');
  const remove = (): void => {
    run('git', ['worktree', 'remove', '--force', folder], ROOT);
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    progress(`checking out ${commit}`);
    const added = run('git', ['worktree', 'add', '--detach', folder, commit], ROOT);
    if (!added.ok) throw new Error(`git worktree: ${added.output}`);
    if (sameFile(path.join(folder, 'package-lock.json'), path.join(ROOT, 'package-lock.json'))) {
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    } else {
      progress(`installing what ${commit} runs on`);
      const installed = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
      if (!installed.ok) throw new Error(`npm install: ${installed.output}`);
    }
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
