/**
 * `npm run licences` writes docs/LICENCES.md: every package that a server runs on, with its licence. `--check` compares.
 *
 * It fails on a licence that is not in the list below. An unknown licence, and one that requires the source of derived works
 * (GPL, AGPL, LGPL, MPL, SSPL), has to be read by a person first.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lockedPackages, type LockedPackage } from './locked-packages.ts';
import { ROOT } from './steps.ts';

/** SPDX identifiers of licences that require only a copy of their text. */
const PERMISSIVE: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
];

/** Packages without a licence in package.json: for each version the licence of its file LICENSE, as read by a person. */
export const LICENCES_READ: Readonly<Record<string, string>> = { 'busboy 1.6.0': 'MIT', 'streamsearch 1.1.0': 'MIT' };

const licenceOf = ({ name, version, licence }: LockedPackage): string | undefined =>
  licence ?? LICENCES_READ[`${name} ${version}`];

export const LICENCES_FILE = 'docs/LICENCES.md';

/** @returns a sentence for each package whose licence is not in the list of permissive ones. */
export function licenceFaults(packages: readonly LockedPackage[]): string[] {
  return packages.flatMap((each) => {
    const licence = licenceOf(each);
    return !each.production || PERMISSIVE.includes(licence ?? '')
      ? []
      : [
          `${each.name} ${each.version} has the licence ${licence ?? '(none)'}: read it, then add it to scripts/licences.ts or do without the package.`,
        ];
  });
}

export function licenceList(packages: readonly LockedPackage[]): string {
  const rows = packages
    .filter(({ production }) => production)
    .map((each) => `| ${each.name} | ${each.version} | ${licenceOf(each) ?? ''} |`);
  return [
    '# Licences',
    '',
    'What a server runs on, for every platform, as package-lock.json pins it. Made by `npm run licences`, which refuses a licence that is not',
    'permissive. The product itself is [Apache-2.0](../LICENSE). The packages `node-*` hold Node.js, whose own LICENSE lies in them.',
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...[...new Set(rows)].toSorted(),
    '',
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const packages = lockedPackages();
  const faults = licenceFaults(packages);
  const list = licenceList(packages);
  const file = join(ROOT, LICENCES_FILE);
  if (!values.check) writeFileSync(file, list);
  else if (readFileSync(file, 'utf8') !== list)
    faults.push(`${LICENCES_FILE} is not what package-lock.json says: run \`npm run licences\`.`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
