/** At most one new minor version of the contract a release, and a tag for each version that was released. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BUNDLE, lastLanded } from '../../scripts/contract/landed.ts';
import {
  BEFORE_THE_RULE,
  follows,
  makeTags,
  RELEASES as RELEASES_FILE,
  releasedContracts,
  tooManyVersions,
  wrongTags,
} from '../../scripts/contract/releases.ts';
import { contract, REPOSITORY } from './support/contract.ts';

const RELEASES = `# Changelog

## Unreleased

- Contract 1.14.0.

## 0.3.0, 2027-01-10

Contract 1.13.0.

## 0.2.0, 2026-12-01

Contract 1.12.0.

## 0.1.0, 2026-11-21
`;

describe('a version of the contract', () => {
  test('that is there now is at most one minor version above that of the last release', () => {
    const changelog = readFileSync(join(REPOSITORY, 'CHANGELOG.md'), 'utf8');
    expect(tooManyVersions(contract.info.version, changelog)).toBeUndefined();
  });

  test('is compared with the newest release that names one', () => {
    expect(releasedContracts(RELEASES)).toEqual(['1.13.0', '1.12.0']);
    for (const version of ['1.13.0', '1.13.4', '1.14.0', '1.14.2', '2.0.0'])
      expect([version, tooManyVersions(version, RELEASES)]).toEqual([version, undefined]);
    for (const version of ['1.15.0', '2.1.0', '3.0.0'])
      expect(tooManyVersions(version, RELEASES)).toBe(
        `The contract is ${version}, and the last release has 1.13.0. A release has at most one new minor version: put the changes into 1.14.0, or release first.`,
      );
  });

  test('is compared with the last one before the rule as long as no release names any', () => {
    const [major, minor] = BEFORE_THE_RULE;
    expect(tooManyVersions(`${major}.${minor + 1}.0`, '## Unreleased\n')).toBeUndefined();
    expect(tooManyVersions(`${major}.${minor + 2}.0`, '## Unreleased\n')).toMatch(
      /came before this rule\. A release has/,
    );
  });
});

describe('in a repository', () => {
  let repository = '';
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-C', repository, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const land = (version: string, text: string): string => {
    const file = join(repository, BUNDLE);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `info:\n  version: ${version}\n# ${text}\n`);
    git('add', '.');
    git('commit', '-q', '-m', text);
    return git('rev-parse', 'HEAD');
  };

  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'contract-tags-'));
    git('init', '-q', '-b', 'main');
  });
  afterEach(() => rmSync(repository, { recursive: true, force: true }));

  const release = (version: string): void => {
    writeFileSync(join(repository, RELEASES_FILE), `## 0.2.0, 2026-12-01\n\nContract ${version}.\n`);
    git('add', '.');
    git('commit', '-q', '-m', `release ${version}`);
  };
  const followed = (version: string, text: string) => {
    const bundle = `info:\n  version: ${version}\n# ${text}\n`;
    return lastLanded(repository, follows(repository, { bundle, version }));
  };

  test('a version that is not released follows the last of another version, however often it grows', () => {
    const before = land('1.12.0', 'a version');
    release('1.12.0');
    land('1.13.0', 'the next one');
    expect(followed('1.13.0', 'a second addition')).toMatchObject({ commit: before });
    land('1.13.0', 'a second addition');
    expect(followed('1.13.0', 'a second addition')).toMatchObject({ commit: before });
    expect(followed('1.13.0', 'a third addition')).toMatchObject({ commit: before });
  });

  test('a version that is released stays as it was released, and is followed by whatever else has its number', () => {
    const before = land('1.12.0', 'a version');
    land('1.13.0', 'the next one');
    const last = land('1.13.0', 'a second addition');
    release('1.13.0');
    expect(followed('1.13.0', 'a second addition')).toMatchObject({ commit: before });
    expect(followed('1.13.0', 'after its release')).toMatchObject({ commit: last });
    expect(followed('1.14.0', 'a new number')).toMatchObject({ commit: last });
  });

  test('tags are made for the versions that were released, on the last commit that has each, once', () => {
    const first = land('1.12.0', 'a version');
    land('1.13.0', 'another');
    const corrected = land('1.13.0', 'the same, corrected before its release');
    land('1.14.0', 'not released');
    expect(makeTags(repository, RELEASES)).toEqual(['contract-1.13.0', 'contract-1.12.0']);
    expect([git('rev-parse', 'contract-1.12.0'), git('rev-parse', 'contract-1.13.0')]).toEqual([first, corrected]);
    expect(wrongTags(repository)).toEqual([]);
    expect(makeTags(repository, RELEASES)).toEqual([]);
  });

  test('tags are refused where they say something else than their commit', () => {
    land('1.12.0', 'a version');
    git('tag', 'contract-1.13.0');
    git('tag', 'contract-next');
    git('tag', 'v0.2.0');
    expect(wrongTags(repository)).toEqual([
      'The tag contract-1.13.0 is on a commit whose contract is 1.12.0.',
      'The tag contract-next names no version: tags are as contract-1.11.0.',
    ]);
  });

  test('tags cannot be made for a version that no commit has', () => {
    land('1.12.0', 'a version');
    expect(() => makeTags(repository, RELEASES)).toThrow('No commit has the contract 1.13.0');
  });
});
