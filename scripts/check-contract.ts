/**
 * `node scripts/check-contract.ts` compares generated/openapi.yaml with the contract that it follows: the newest committed contract with
 * another version, or, once its version is released, the released one if it differs (contract/landed.ts). It fails when clients of that one
 * would break, when the change has no version and no entry in the changelog, when a release would have more than one new minor version, or
 * when a tag names another version than its commit has (contract/releases.ts).
 *
 *   --since REVISION   begin the search there: a branch with several commits is checked as a whole by --since main
 *   --accept           write the breaking changes into the record of this version (spec/breaks/VERSION.txt), which its entry in the
 *                      changelog must allow by a list `### Breaks`
 *   --tag              make the tags that releases lack, and nothing else
 *
 * OASDIFF is the path of the program, `oasdiff` by default. Where git has no earlier contract, it reports that and passes.
 *
 * @module
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { announcesBreaks, breaksFile, isLater, readBreaks, STABLE_SINCE } from './contract/breaks.ts';
import { judge, versionOf, whyNot } from './contract/judge.ts';
import { BUNDLE, CHANGELOG, lastLanded, type Contract } from './contract/landed.ts';
import { follows, makeTags, RELEASES, tooManyVersions, wrongTags } from './contract/releases.ts';
import { ROOT } from './steps.ts';

/** Digits of an abbreviated commit hash. */
const COMMIT_DIGITS = 10;

const { values } = parseArgs({
  options: {
    since: { type: 'string', default: 'HEAD' },
    accept: { type: 'boolean', default: false },
    tag: { type: 'boolean', default: false },
  },
});
const now: Contract = {
  bundle: readFileSync(join(ROOT, BUNDLE), 'utf8'),
  changelog: readFileSync(join(ROOT, CHANGELOG), 'utf8'),
};
const { text: version, numbers } = versionOf(now);
const oasdiff = process.env['OASDIFF'] ?? 'oasdiff';
const releases = readFileSync(join(ROOT, RELEASES), 'utf8');
if (values.tag) for (const tag of makeTags(ROOT, releases)) console.log(`Made the tag ${tag}.`);
else process.exitCode = compare() ? 0 : 1;

/** Prints the result of the comparison. @returns true if the contract may follow the last one. */
function compare(): boolean {
  const complaints = [tooManyVersions(version, releases) ?? [], wrongTags(ROOT)].flat();
  const landed = lastLanded(ROOT, follows(ROOT, { bundle: now.bundle, version }, values.since), values.since);
  let compared: string;
  if ('nothing' in landed) compared = `No earlier contract to compare with (${landed.nothing})`;
  else {
    if (values.accept) accept(landed.contract);
    const judgement = judge(landed.contract, now, oasdiff, readBreaks(ROOT, version));
    if (judgement.notes) console.log(judgement.notes);
    complaints.push(...judgement.complaints);
    compared = `Compared with the contract of ${landed.commit.slice(0, COMMIT_DIGITS)}`;
  }
  for (const complaint of complaints) console.error(complaint);
  console.log(`${compared}: ${complaints.length === 0 ? 'it may follow' : 'refused'}.`);
  return complaints.length === 0;
}

/** Replaces the record of this version, or deletes it when nothing breaks. */
function accept(before: Contract): void {
  if (!announcesBreaks(now.changelog, version) || isLater(numbers, STABLE_SINCE)) {
    console.error(`Nothing is written: ${whyNot(numbers, version)}`);
    return;
  }
  const { breaks } = judge(before, now, oasdiff);
  const file = join(ROOT, breaksFile(version));
  mkdirSync(dirname(file), { recursive: true });
  if (breaks.length === 0) rmSync(file, { force: true });
  else
    writeFileSync(
      file,
      `# What ${version} breaks for clients of the version before, as oasdiff tells it; spec/CHANGELOG.md says it for people.\n${breaks.join('\n')}\n`,
    );
  console.log(`${breaksFile(version)}: ${breaks.length} lines.`);
}
