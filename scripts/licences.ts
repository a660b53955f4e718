/**
 * `npm run licences` writes docs/LICENCES.md: every package that a server runs on, with its licence. `--check` compares.
 *
 * It fails on a licence that is not in the list below. An unknown licence, and one that asks for the source of what is
 * built with it (GPL, AGPL, LGPL, MPL, SSPL), has to be read by a person first.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lockedPackages, type LockedPackage } from './locked-packages.ts';
import { ROOT } from './steps.ts';

/** SPDX identifiers of licences that ask for no more than that their text goes along. */
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

/** Those that name none where npm looks for it, read by a person: the licence of each version, as its file LICENSE has it. */
export const LICENCES_READ: Readonly<Record<string, string>> = { 'busboy 1.6.0': 'MIT', 'streamsearch 1.1.0': 'MIT' };

const licenceOf = ({ name, version, licence }: LockedPackage): string | undefined =>
  licence ?? LICENCES_READ[`${name} ${version}`];

export const LICENCES_FILE = 'docs/LICENCES.md';

/** @returns a sentence for each package whose licence is not known to be permissive. */
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
