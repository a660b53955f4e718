/** Notices of the packages in the bundle: each with version, licence and the text that its licence requires to be included. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../steps.ts';
import { DIST } from './places.ts';

interface Manifest {
  name: string;
  version: string;
  license?: string;
  /** The member that packages used before `license`. */
  licenses?: readonly { type?: string }[];
  author?: string | { name?: string };
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const LINE = '-'.repeat(80);

/** @param folders of the packages, from the root of the repository. */
export function writeNotices(folders: readonly string[]): void {
  const notices = folders.map(noticeOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const head = `lib/ holds code of these ${notices.length} packages, unchanged but for being joined into few files:`;
  const list = notices.map(({ name, version, licence }) => `  ${name} ${version} (${licence})`);
  const texts = notices.flatMap(({ name, version, text }) => [LINE, `${name} ${version}`, '', text, '']);
  writeFileSync(path.join(DIST, 'THIRD-PARTY-LICENCES.txt'), [head, '', ...list, '', ...texts].join('\n'));
}

function noticeOf(folder: string): { name: string; version: string; licence: string; text: string } {
  const at = path.join(ROOT, folder);
  const {
    name,
    version,
    licenses,
    license = licenses?.[0]?.type,
    author,
  } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8')) as Manifest;
  if (license === undefined) throw new Error(`${name} ${version} names no licence`);
  const texts = readdirSync(at)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(path.join(at, file), 'utf8').trim());
  const holder = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  // Some packages name their licence and leave its text out.
  const text = texts.length > 0 ? texts.join('\n\n') : `${license}, by ${holder}. The package holds no licence text.`;
  return { name, version, licence: license, text };
}
