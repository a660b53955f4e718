/** docs/SIZING.md names a command and prints what it prints: the command starts, and makes the same rows. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../../scripts/steps.ts';
import { commandResult } from '../../support/child-process.ts';

/** Far too little to measure anything, and all of the way. */
const SCALE = '0.001';

const firstCells = (text: string): string[] =>
  [...text.matchAll(/^\| ([^|]+?) \|/gm)]
    .map(([, cell = '']) => cell.replace(/\(\d+\.\d\)/, '(n)'))
    .filter((cell) => !cell.startsWith('-'));

test('the program of docs/SIZING.md prints the tables of the page, and no negative or missing number', async () => {
  const { code, stdout, stderr } = await commandResult(
    spawn(process.execPath, ['test/bench/sizing.ts', '--scale', SCALE], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  expect([code, stderr]).toEqual([0, '']);
  const shown = readFileSync('docs/SIZING.md', 'utf8').split('<!-- sizing -->')[1]?.split('<!-- /sizing -->')[0] ?? '';
  expect(firstCells(stdout)).toEqual(firstCells(shown));
  expect(stdout).not.toMatch(/NaN|undefined|\| -\d/);
}, 60_000);
