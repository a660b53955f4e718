/**
 * `node scripts/check-contract.ts` compares generated/openapi.yaml with the contract that landed last (contract/landed.ts)
 * and fails when clients of that one would break, or when the change has no version and no entry in the changelog.
 *
 *   --since REVISION   begin the search there: a branch with several commits is judged as a whole by --since main
 *
 * OASDIFF names the program, `oasdiff` unless told. Where git knows no earlier contract it says so and passes.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge } from './contract/judge.ts';
import { BUNDLE, CHANGELOG, lastLanded, type Contract } from './contract/landed.ts';
import { ROOT } from './steps.ts';

/** Enough of a commit's name to find it. */
const COMMIT_DIGITS = 10;

const { values } = parseArgs({ options: { since: { type: 'string', default: 'HEAD' } } });
const now: Contract = { bundle: readFileSync(join(ROOT, BUNDLE), 'utf8'), changelog: readFileSync(join(ROOT, CHANGELOG), 'utf8') };
const landed = lastLanded(ROOT, now.bundle, values.since);
if ('nothing' in landed) {
  console.log(`No earlier contract to compare with: ${landed.nothing}.`);
} else {
  const { complaints, notes } = judge(landed.contract, now, process.env['OASDIFF'] ?? 'oasdiff');
  if (notes) console.log(notes);
  for (const complaint of complaints) console.error(complaint);
  console.log(`Compared with the contract of ${landed.commit.slice(0, COMMIT_DIGITS)}: ${complaints.length === 0 ? 'it may follow' : 'refused'}.`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
