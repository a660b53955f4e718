/**
 * Checks that a contract may follow another: within a major version no client breaks (checked by oasdiff), except by the recorded breaking
 * changes of the version (breaks.ts); every change has a version of its own with an entry in the changelog; and the entry lists the
 * deprecations of the version.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  announcesBreaks,
  breaksFile,
  type Change,
  headingOf,
  isLater,
  lineOf,
  partOfEntry,
  STABLE_SINCE,
  type Version,
} from './breaks.ts';
import type { OpenapiDocument } from '../../server/http/contract/bundle.ts';
import { deprecationsOf, type Deprecated } from '../../server/http/contract/deprecations.ts';
import { forKinOpenapi, type Json } from './for-kin-openapi.ts';
import type { Contract } from './landed.ts';

/** The version of oasdiff that these rules were tested with. */
export const OASDIFF_MODULE = 'github.com/oasdiff/oasdiff@v1.25.1';

/** oasdiff's levels of a change: 3 breaks clients, 2 may, 1 is for information. */
const BREAKS = 3;

/** Exit codes of oasdiff: 0 is no breaking change, 1 is a breaking change; every other code is a failure of oasdiff itself. */
const NOTHING_BREAKS = 0;
const SOMETHING_BREAKS = 1;

export interface Judgement {
  complaints: string[];
  /** Reports of oasdiff that are not a reason to refuse. */
  notes: string;
  /** Changes that break clients of the previous contract, one on each line, recorded or not. */
  breaks: string[];
}

/** JSON is YAML too, and JSON.parse reads it a hundred times faster. */
function documentOf({ bundle }: Pick<Contract, 'bundle'>): { info: { version: string }; [member: string]: Json } {
  return bundle.startsWith('{') ? JSON.parse(bundle) : parse(bundle);
}

export function versionOf(contract: Contract): { text: string; numbers: Version } {
  const text = documentOf(contract).info.version;
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!match) throw new Error(`info.version ${text} is not major.minor.patch`);
  return { text, numbers: [Number(match[1]), Number(match[2]), Number(match[3])] };
}

/** @param oasdiff path of the program. */
function breakingChanges(before: Contract, after: Contract, oasdiff: string): { breaks: string[]; others: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'contract-judgement-'));
  try {
    const place = (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    };
    const files = [
      place('before.json', JSON.stringify(forKinOpenapi(documentOf(before)))),
      place('after.json', JSON.stringify(forKinOpenapi(documentOf(after)))),
    ];
    const args = ['breaking', '--fail-on', 'ERR', '--format', 'json', '--allow-external-refs=false', ...files];
    const { status, stdout, stderr, error } = spawnSync(oasdiff, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (error) throw new Error(`${oasdiff}: ${error.message}. Install it: go install ${OASDIFF_MODULE}`);
    if (status !== NOTHING_BREAKS && status !== SOMETHING_BREAKS)
      throw new Error(`${oasdiff} ended with ${status}: ${stderr || stdout}`);
    const changes = JSON.parse(stdout.trim() || '[]') as (Change & { level: number })[];
    const lines = (breaking: boolean): string[] =>
      changes
        .filter(({ level }) => (level === BREAKS) === breaking)
        .map(lineOf)
        .toSorted();
    return { breaks: lines(true), others: lines(false) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param record intended breaking changes of the version, one on each line; undefined when it has no record. */
export function judge(before: Contract, after: Contract, oasdiff: string, record?: readonly string[]): Judgement {
  const complaints: string[] = [];
  const [was, is] = [versionOf(before), versionOf(after)];
  if (!isLater(is.numbers, was.numbers))
    complaints.push(`The contract changed, but info.version did not rise: it was ${was.text} and is ${is.text}.`);
  const heading = headingOf(is.text);
  if (!heading.test(after.changelog)) complaints.push(`spec/CHANGELOG.md has no entry "## ${is.text}".`);
  else if (heading.test(before.changelog))
    complaints.push(`The entry "## ${is.text}" of spec/CHANGELOG.md is not new.`);
  complaints.push(...unlistedDeprecations(before, after));
  const { breaks, others } = breakingChanges(before, after, oasdiff);
  if (is.numbers[0] > was.numbers[0]) return { complaints, notes: [...breaks, ...others].join('\n'), breaks };
  const mayBreak = announcesBreaks(after.changelog, is.text) && !isLater(is.numbers, STABLE_SINCE);
  if (!mayBreak && record !== undefined)
    complaints.push(`${breaksFile(is.text)} excuses nothing: ${whyNot(is.numbers, is.text)}`);
  const excused = new Set(mayBreak ? record : []);
  const unexcused = breaks.filter((line) => !excused.has(line));
  if (unexcused.length > 0) complaints.push(`Clients of ${was.text} would break:\n${unexcused.join('\n')}`);
  const gone = [...excused].filter((line) => !breaks.includes(line));
  if (gone.length > 0) complaints.push(`${breaksFile(is.text)} lists what does not break:\n${gone.join('\n')}`);
  const notes = [...breaks.filter((line) => excused.has(line)).map((line) => `on record: ${line}`), ...others];
  return { complaints, notes: unexcused.length > 0 ? '' : notes.join('\n'), breaks };
}

const deprecated = (contract: Contract): Deprecated[] =>
  deprecationsOf(documentOf(contract) as unknown as OpenapiDocument);

/** Complaints about new deprecations that the changelog does not list with their sunset, and about sunsets moved forward. */
export function unlistedDeprecations(before: Contract, after: Contract): string[] {
  const version = versionOf(after).text;
  const list = partOfEntry(after.changelog, version, 'Deprecated')?.split('\n') ?? [];
  const known = new Map(deprecated(before).map((one) => [one.name, one]));
  return deprecated(after).flatMap(({ name, sunset }) => {
    const was = known.get(name);
    if (was !== undefined && was.sunset <= sunset) return [];
    if (was !== undefined)
      return [`\`${name}\` was promised until ${was.sunset}, and its sunset is ${sunset} now: it may only move back.`];
    return list.some((line) => line.startsWith(`- \`${name}\``) && line.includes(sunset))
      ? []
      : [
          `\`${name}\` is deprecated: the entry "## ${version}" of spec/CHANGELOG.md needs a list "### Deprecated" with a line "- \`${name}\`: ..." that names ${sunset} and what to use instead.`,
        ];
  });
}

/** The reason why a version may not break anything within its major version. */
export function whyNot(version: Version, text: string): string {
  if (isLater(version, STABLE_SINCE)) return `version ${version[0]} is stable since ${STABLE_SINCE.join('.')}.`;
  return `the entry "## ${text}" of spec/CHANGELOG.md has no list "### Breaks".`;
}
