/**
 * The previous contract, from git: that of the newest commit on the first-parent line whose bundle the present one follows. On a branch
 * that does not change the contract that is the version before the present one, so the check of a committed change is repeated until the
 * next change.
 */
import { spawnSync } from 'node:child_process';

export const BUNDLE = 'generated/openapi.yaml';
export const CHANGELOG = 'spec/CHANGELOG.md';

export interface Contract {
  /** The bundle, as YAML. */
  bundle: string;
  changelog: string;
}

export type Landed = { commit: string; contract: Contract } | { nothing: string };

/** Returns the output of git; throws with git's message when it fails. */
export function git(repository: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** The text of the file in a commit; empty where it did not exist yet. */
export function fileAt(repository: string, commit: string, file: string): string {
  return git(repository, 'ls-tree', commit, '--', file) === '' ? '' : git(repository, 'show', `${commit}:${file}`);
}

/**
 * @param comesBefore true for a bundle that the present contract follows (`follows` of releases.ts).
 * @param since a revision at which the search begins, to check a branch as a whole.
 */
export function lastLanded(repository: string, comesBefore: (bundle: string) => boolean, since = 'HEAD'): Landed {
  const commits = git(repository, 'log', '--first-parent', '--format=%H', since, '--', BUNDLE)
    .split('\n')
    .filter(Boolean);
  for (const commit of commits) {
    const bundle = fileAt(repository, commit, BUNDLE);
    if (bundle !== '' && comesBefore(bundle))
      return { commit, contract: { bundle, changelog: fileAt(repository, commit, CHANGELOG) } };
  }
  const shallow = git(repository, 'rev-parse', '--is-shallow-repository').trim() === 'true';
  return {
    nothing: shallow
      ? 'the history is cut off (git fetch --unshallow brings the rest)'
      : 'the history holds no other contract',
  };
}
