/** docs/SECURITY.md names each attack that is carried out, and no attack that is not. Its links are checked by links.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';

const ENDING = '.attack.ts';
const attacks = readdirSync(path.join(ROOT, 'test/attacks'))
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .toSorted();

/** The last cell of the rows of the tables with attacks: names of programs in backticks, links to tests. */
function namedAttacks(): string[] {
  const text = readFileSync(path.join(ROOT, 'docs/SECURITY.md'), 'utf8');
  const cells = text.split('\n').flatMap((line) => (/^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/.exec(line) ?? []).slice(1));
  return [...new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')))]
    .filter((name) => name !== '.ci/run')
    .toSorted();
}

test('every attack program stands in the threat model, and every one that stands there exists', () => {
  expect(attacks.length).toBeGreaterThan(0);
  expect(namedAttacks()).toEqual(attacks);
});
