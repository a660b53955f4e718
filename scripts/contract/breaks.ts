/**
 * The intended breaking changes of a version of the contract: one file for each version (spec/breaks/1.3.0.txt), one line for each change
 * that oasdiff reports as breaking. It is compared in both directions, so it must list exactly the changes that happened, and it is valid
 * for its own version only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Version = readonly [major: number, minor: number, patch: number];

/** From this version on, version 1 is stable: no later minor version may break anything, whatever its changelog says. */
export const STABLE_SINCE: Version = [1, 11, 0];

/** One change as oasdiff reports it. */
export interface Change {
  id: string;
  text: string;
  operation?: string;
  path?: string;
  section?: string;
}

export function breaksFile(version: string): string {
  return `spec/breaks/${version}.txt`;
}

/** One change as a line. */
export function lineOf({ operation, path, section, text, id }: Change): string {
  const place = operation === undefined ? (section ?? '') : `${operation} ${path}`;
  return `${place}: ${text.replaceAll(/\s+/g, ' ').trim()} [${id}]`;
}

/** The lines of the record of a version; undefined when there is no record. Lines that begin with `#` are comments. */
export function readBreaks(repository: string, version: string): string[] | undefined {
  const file = join(repository, breaksFile(version));
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The heading of a version's entry in the changelog, which may have its date: "## 1.2.0 (2026-11-22)". */
export function headingOf(version: string): RegExp {
  return new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: \\([0-9-]+\\))?$`, 'm');
}

/** The text under a heading such as `### Breaks` in the version's entry in the changelog; undefined without such a heading. */
export function partOfEntry(changelog: string, version: string, title: string): string | undefined {
  const [, after = ''] = changelog.split(headingOf(version));
  const [, ...parts] = (after.split(/^## /m)[0] ?? '').split(/^### /m);
  return parts.find((part) => part.split('\n')[0] === title);
}

/** True if the version's entry in the changelog has a list `### Breaks`. */
export function announcesBreaks(changelog: string, version: string): boolean {
  return partOfEntry(changelog, version, 'Breaks') !== undefined;
}

/** True if `one` is a later version than `other`. */
export function isLater(one: Version, other: Version): boolean {
  const changed = one.findIndex((number, place) => number !== other[place]);
  return changed >= 0 && (one[changed] ?? 0) > (other[changed] ?? 0);
}
