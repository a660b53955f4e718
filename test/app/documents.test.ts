import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PLAIN_VARIABLES, PREFIXED_VARIABLES } from '../../server/app/config.ts';

/** Variables of engines that this version refuses; they are documented when they can be used. */
const NOT_YET = new Set<string>(['DATABASE_URL', 'COMETBFT_RPC_URL', 'ABCI_LISTEN']);

describe('docs/OPERATING.md', () => {
  test('explains every variable of the environment, and no other', () => {
    const table = readFileSync('docs/OPERATING.md', 'utf8').split('\n## Configuration\n')[1]?.split('\n## ')[0] ?? '';
    const firstCells = table.split('\n').filter((line) => line.startsWith('| `')).map((line) => line.split('|')[1] ?? '');
    const documented = firstCells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]));
    const known = [...PLAIN_VARIABLES, ...PREFIXED_VARIABLES].filter((name) => !NOT_YET.has(name));
    expect(documented.toSorted()).toEqual(known.toSorted());
  });
});
