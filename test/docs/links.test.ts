/** Links of the documents into the repository: each leads to a file, and to a heading where it names one. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { documentText } from './support/tables.ts';

const folder = (name: string): string[] =>
  readdirSync(path.join(ROOT, name)).flatMap((file) => (file.endsWith('.md') ? [path.join(name, file)] : []));
const documents = [
  ...folder('.'),
  ...folder('client'),
  ...folder('docs'),
  ...folder('docs/decisions'),
  ...folder('spec'),
  ...folder('spec/vectors'),
];

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

function isBroken(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const to = file === '' ? from : path.join(path.dirname(from), file);
  const there = path.join(ROOT, to);
  if (!existsSync(there)) return true;
  if (heading === undefined) return false;
  const titles = statSync(there).isFile()
    ? [...documentText(to).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
    : [];
  return !titles.map(anchorOf).includes(heading);
}

describe('the links', () => {
  test.each(documents)('of %s lead somewhere', (from) => {
    const targets = [...documentText(from).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !/^https?:/.test(target) && isBroken(from, target))).toEqual([]);
  });
});
