import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PLAIN_VARIABLES, PREFIXED_VARIABLES } from '../../server/app/config.ts';
import { APP_VARIABLES } from '../../server/app/engine-config.ts';
import { EXPORTER_VARIABLES, TRACING_VARIABLES } from '../../server/app/tracing/config.ts';

describe('docs/OPERATING.md', () => {
  test('explains every variable of the environment, and no other', () => {
    const table = readFileSync('docs/OPERATING.md', 'utf8').split('\n## Configuration\n')[1]?.split('\n## ')[0] ?? '';
    const firstCells = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1] ?? '');
    const documented = firstCells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]));
    const known = [
      ...PLAIN_VARIABLES,
      ...PREFIXED_VARIABLES,
      ...APP_VARIABLES,
      ...TRACING_VARIABLES,
      ...EXPORTER_VARIABLES,
    ];
    expect(documented.toSorted()).toEqual(known.toSorted());
  });
});
