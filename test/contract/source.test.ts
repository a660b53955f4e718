/**
 * The sources of the contract stay readable: an index of one page, one file a tag, one of problems, one of headers and parameters
 * (docs/decisions/0134-one-file-a-tag.md). Which part stands in which file is for contract/places and contract/no-orphans of the lint to say.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { fileOf } from '../../scripts/redocly/places.ts';
import { contract, REPOSITORY } from './support/contract.ts';

const SPEC = join(REPOSITORY, 'spec');

/** The index fits a page: it has a line for each path, each tag and each message. */
const INDEX_LINES_MAX = 120;

/** Files beside those of the tags. */
const OTHER_FILES = ['CHANGELOG.md', 'common.yaml', 'openapi.yaml', 'problems.yaml'];
const FOLDERS = ['breaks', 'vectors', 'workflows'];

/** As every tool of the project reads them that is not Redocly. */
const read = (file: string) => parse(readFileSync(join(SPEC, file), 'utf8'), { merge: true });
const tagFiles: string[] = contract.tags.map(({ name }: { name: string }) => fileOf(name));
const withParts = [...tagFiles, 'common.yaml', 'problems.yaml'];

describe('the sources of the contract', () => {
  test('are one file a tag, one of problems, one of headers and parameters, and an index', () => {
    const entries = readdirSync(SPEC, { withFileTypes: true });
    expect(
      entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([...tagFiles, ...OTHER_FILES].toSorted());
    expect(
      entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(FOLDERS);
  });

  test('begin with an index of one page', () => {
    const lines = readFileSync(join(SPEC, 'openapi.yaml'), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(INDEX_LINES_MAX);
  });

  test.each(withParts)('%s has nothing twice: no part of it is in another file too', (file) => {
    const names = (of: string) =>
      Object.entries<object>(read(of)).flatMap(([section, parts]) =>
        section === 'shared' || typeof parts === 'string' ? [] : Object.keys(parts).map((name) => `${section} ${name}`),
      );
    const elsewhere = new Set(withParts.filter((other) => other !== file).flatMap(names));
    expect(names(file).filter((name) => elsewhere.has(name))).toEqual([]);
  });

  test.each(withParts)('%s means the same to Redocly, which bundles it, and to other readers of YAML', (file) => {
    const { paths = {}, webhooks = {}, responses: _written, ...sections } = read(file);
    const kinds = Object.entries<object>(sections).filter(([section]) => section in contract.components);
    for (const [kind, parts] of [['paths', paths] as const, ['webhooks', webhooks] as const, ...kinds]) {
      const bundled = contract[kind] ?? contract.components[kind];
      for (const [name, part] of Object.entries(parts))
        expect([name, plain(part)]).toEqual([name, plain(bundled[name])]);
    }
  });
});

/** A part with each reference as the name that it ends in, which is the same in the sources and in the bundle. */
function plain(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part), (_key, value) =>
    typeof value === 'string' ? value.replace(/^(?:[a-z-]+\.yaml)?#\/\S*\/(\w+)$/, '$1') : value,
  );
}
