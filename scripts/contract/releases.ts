/**
 * Versions of the contract in releases of the project: a release has at most one new minor version of the contract, and a tag
 * `contract-1.11.0` on the commit with the version. Until a release names it, a version may grow from commit to commit.
 *
 * A release names its contract in CHANGELOG.md: after the heading "## 0.2.0, 2026-12-01" there is a line "Contract 1.11.0.". So the rule
 * can be checked in any clone; tags are made from these lines, and existing tags are checked.
 */
import { parse } from 'yaml';
import type { Version } from './breaks.ts';
import { BUNDLE, type Contract, fileAt, git } from './landed.ts';

/** Versions up to this one are older than the rule: no release has named one yet. */
export const BEFORE_THE_RULE: Version = [1, 10, 0];

/** The file in which releases name their contracts. */
export const RELEASES = 'CHANGELOG.md';

export const tagOf = (version: string): string => `contract-${version}`;
const TAG = /^contract-(\d+\.\d+\.\d+)$/;
const RELEASE = /^## \d+\.\d+\.\d+, \d{4}-\d{2}-\d{2}$/m;
const CONTRACT = /^Contract (\d+\.\d+\.\d+)\.$/m;

/** The contracts of the releases, newest first. */
export function releasedContracts(changelog: string): string[] {
  const [, ...releases] = changelog.split(RELEASE);
  return releases.flatMap((text) => CONTRACT.exec(text.split(/^## /m)[0] ?? '')?.[1] ?? []);
}

const numbersOf = (version: string): Version => version.split('.').map(Number) as unknown as Version;

/** The reason why the version may not come before the next release; undefined if it may. */
export function tooManyVersions(version: string, changelog: string): string | undefined {
  const [released] = releasedContracts(changelog);
  const [major, minor] = released === undefined ? BEFORE_THE_RULE : numbersOf(released);
  const [isMajor, isMinor] = numbersOf(version);
  const isNext = isMajor === major ? isMinor <= minor + 1 : isMajor === major + 1 && isMinor === 0;
  if (isNext) return undefined;
  const last =
    released === undefined ? `${BEFORE_THE_RULE.join('.')} came before this rule` : `the last release has ${released}`;
  return `The contract is ${version}, and ${last}. A release has at most one new minor version: put the changes into ${major}.${minor + 1}.0, or release first.`;
}

/** `info.version` of a bundle; undefined where it has none. */
function versionOfBundle(bundle: string): string | undefined {
  return (parse(bundle) as { info?: { version?: string } } | null)?.info?.version;
}

const versionIn = (repository: string, revision: string): string | undefined =>
  versionOfBundle(fileAt(repository, revision, BUNDLE));

/** The bundle in the commit that released the version; undefined where no commit up to `since` did. */
function releasedBundle(repository: string, version: string, since: string): string | undefined {
  const line = `^Contract ${version.replaceAll('.', '[.]')}[.]$`;
  const commit = git(
    repository,
    'log',
    '--first-parent',
    '--reverse',
    '--format=%H',
    `-G${line}`,
    since,
    '--',
    RELEASES,
  )
    .split('\n')
    .filter(Boolean)
    .find((candidate) => releasedContracts(fileAt(repository, candidate, RELEASES)).includes(version));
  return commit === undefined ? undefined : fileAt(repository, commit, BUNDLE);
}

/**
 * Returns a test for the bundles that the contract has to follow. A version that no release has named may grow, so it follows only
 * contracts of other versions. From its release on it must not change: any other bundle with its number follows the released one.
 */
export function follows(
  repository: string,
  { bundle, version }: { bundle: Contract['bundle']; version: string },
  since = 'HEAD',
): (before: string) => boolean {
  const released = releasedBundle(repository, version, since);
  if (released !== undefined && released !== bundle) return (before) => before !== bundle;
  return (before) => before !== bundle && versionOfBundle(before) !== version;
}

/** Complaints about the existing tags. */
export function wrongTags(repository: string): string[] {
  return git(repository, 'tag', '--list', 'contract-*')
    .split('\n')
    .filter(Boolean)
    .flatMap((tag) => {
      const version = TAG.exec(tag)?.[1];
      if (version === undefined) return [`The tag ${tag} names no version: tags are as ${tagOf('1.11.0')}.`];
      const is = versionIn(repository, tag);
      return is === version ? [] : [`The tag ${tag} is on a commit whose contract is ${is ?? 'not there'}.`];
    });
}

/**
 * Tags, for each released version without a tag, the newest commit of the first-parent line that has the version: it includes corrections
 * made before the release. The person who makes the release pushes the tags.
 */
export function makeTags(repository: string, changelog: string): string[] {
  const known = new Set(git(repository, 'tag', '--list', 'contract-*').split('\n'));
  const commits = git(repository, 'log', '--first-parent', '--format=%H', '--', BUNDLE).split('\n').filter(Boolean);
  return releasedContracts(changelog)
    .filter((version) => !known.has(tagOf(version)))
    .map((version) => {
      const commit = commits.find((candidate) => versionIn(repository, candidate) === version);
      if (commit === undefined)
        throw new Error(`No commit has the contract ${version}, which a release in CHANGELOG.md names.`);
      git(repository, 'tag', tagOf(version), commit);
      return tagOf(version);
    });
}
