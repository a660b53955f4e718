/**
 * Every attack, one after the other: `node test/attacks/run.ts [NAME...] [--checkout DIR]`.
 *
 * Prints a line of figures for each and ends with 1 when the service did not hold against one. Times are printed and
 * not compared: the bounds of an attack are bytes, counts and answers.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, runSteps } from '../../scripts/steps.ts';

const ENDING = '.attack.ts';
const { values, positionals } = parseArgs({
  options: { checkout: { type: 'string', default: ROOT } },
  allowPositionals: true,
});
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .filter((name) => positionals.length === 0 || positionals.includes(name))
  .toSorted();

process.exitCode = await runSteps(
  names.map((name) => ({
    name,
    args: [path.join('test', 'attacks', `${name}${ENDING}`), '--checkout', values.checkout],
    live: true,
  })),
  'all',
);
