/** The feed of the contract's changelog, read by a parser that is not ours. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { changelogFeed } from '../../scripts/contract/changelog-feed.ts';
import { REPOSITORY } from './support/contract.ts';

interface Feed {
  faults: string[];
  id: string;
  updated: string;
  self: string[];
  entries: { id: string; title: string; updated: string; text: string }[];
}

function read(xml: string): Feed {
  const { status, stdout, stderr } = spawnSync('python3', [join(REPOSITORY, 'test/contract/support/atom_check.py')], {
    input: xml,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Feed;
}

const changelog = readFileSync(join(REPOSITORY, 'spec/CHANGELOG.md'), 'utf8');
/** Words alone: what is between them differs between Markdown and text. */
const words = (text: string): string[] => text.match(/[A-Za-z0-9_]+/g) ?? [];

describe('/changelog.atom', () => {
  const feed = read(readFileSync(join(REPOSITORY, 'generated/changelog.atom'), 'utf8'));

  test('is an Atom feed as RFC 4287 demands', () => {
    expect(feed.faults).toEqual([]);
    expect(feed.self).toEqual(['changelog.atom']);
  });

  test('has an entry for each version of the changelog, newest first, with its date and every word of it', () => {
    const sections = changelog.split(/^## /m).slice(1);
    expect(feed.entries.map(({ title, updated }) => `${title.split(' ').at(-1)} (${updated.slice(0, 10)})`)).toEqual(
      sections.map((section) => section.split('\n', 1)[0]),
    );
    for (const [index, section] of sections.entries()) {
      const text = section.slice(section.indexOf('\n')).replaceAll(/\]\([^)]*\)/g, ']');
      expect(words(feed.entries[index]?.text ?? '')).toEqual(words(text));
    }
    expect(feed.updated).toBe(feed.entries[0]?.updated);
  });

  test('keeps the ids that readers know the versions by', () => {
    const known = ['1.2.0', '1.1.3', '1.1.2', '1.1.1', '1.1.0', '1.0.0'].map(
      (version) => `tag:transaction-ledger.example,2026:contract/${version}`,
    );
    expect(feed.entries.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
    expect(feed.id).toBe('tag:transaction-ledger.example,2026:contract');
  });
});

describe('a changelog', () => {
  test('gives the same bytes whenever it is made', () => {
    expect(changelogFeed(changelog)).toBe(changelogFeed(changelog));
    expect(changelogFeed(changelog)).toBe(readFileSync(join(REPOSITORY, 'generated/changelog.atom'), 'utf8'));
  });

  test('with markup of its own in it makes a feed all the same', () => {
    const { faults, entries } = read(
      changelogFeed(
        '# Changes\n\n## 1.0.0 (2026-01-02)\n\n- `a < b && c` is *not* </content> "quoted" ]]> & <b>.\n\n### Breaks\n\nNothing.\n',
      ),
    );
    expect(faults).toEqual([]);
    expect(entries).toMatchObject([
      {
        updated: '2026-01-02T00:00:00Z',
        text: '\na < b && c is not </content> "quoted" ]]> & <b>.\n\nBreaks\nNothing.\n',
      },
    ]);
  });

  test.each([
    '## 1.3.0\n\n- No date.\n',
    '## 1.3.0 (2026-13-01)\n',
    '## 1.3 (2026-11-22)\n',
    '## Unreleased\n',
    'nothing\n',
  ])('without a dated version is refused with what is wrong: %j', (text) => {
    expect(() => changelogFeed(text)).toThrow('"## 1.2.0 (2026-11-22)"');
  });
});
