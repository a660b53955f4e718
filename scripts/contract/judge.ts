/**
 * Whether a contract may follow another: nothing that a client relies on breaks within a major version (oasdiff tells),
 * and every change has a version of its own with an entry in the changelog.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { forKinOpenapi } from './for-kin-openapi.ts';
import type { Contract } from './landed.ts';

/** The version that the rules here were tried with. */
export const OASDIFF_MODULE = 'github.com/oasdiff/oasdiff@v1.25.1';

/**
 * Where the contract promises less than oasdiff takes for granted: an error code may be added within a major version, and
 * callers treat one they do not know by its status. Each code is a branch of its response's `oneOf`.
 */
const SEVERITY_LEVELS = 'response-body-one-of-added warn\n';

/** oasdiff's answers: 0 is nothing, 1 is a breaking change; all else is a failure of oasdiff itself. */
const NOTHING_BREAKS = 0;
const SOMETHING_BREAKS = 1;

export interface Judgement {
  complaints: string[];
  /** What oasdiff had to say that refuses nothing. */
  notes: string;
}

type Version = readonly [major: number, minor: number, patch: number];

function versionOf({ bundle }: Contract): { text: string; numbers: Version } {
  const text = String(parse(bundle).info.version);
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!match) throw new Error(`info.version ${text} is not major.minor.patch`);
  return { text, numbers: [Number(match[1]), Number(match[2]), Number(match[3])] };
}

function isRaised(before: Version, after: Version): boolean {
  const changed = after.findIndex((number, place) => number !== before[place]);
  return changed >= 0 && (after[changed] ?? 0) > (before[changed] ?? 0);
}

/** @param oasdiff the program. */
function breakingChanges(before: Contract, after: Contract, oasdiff: string): { breaks: boolean; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'contract-judgement-'));
  try {
    const place = (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    };
    const files = [place('before.json', JSON.stringify(forKinOpenapi(parse(before.bundle)))), place('after.json', JSON.stringify(forKinOpenapi(parse(after.bundle))))];
    const levels = place('levels.txt', SEVERITY_LEVELS);
    const args = ['breaking', '--fail-on', 'ERR', '--format', 'singleline', '--severity-levels', levels, '--allow-external-refs=false', ...files];
    const { status, stdout, stderr, error } = spawnSync(oasdiff, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (error) throw new Error(`${oasdiff}: ${error.message}. Install it: go install ${OASDIFF_MODULE}`);
    if (status !== NOTHING_BREAKS && status !== SOMETHING_BREAKS) throw new Error(`${oasdiff} ended with ${status}: ${stderr || stdout}`);
    return { breaks: status === SOMETHING_BREAKS, output: stdout.trim() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function judge(before: Contract, after: Contract, oasdiff: string): Judgement {
  const complaints: string[] = [];
  const [was, is] = [versionOf(before), versionOf(after)];
  if (!isRaised(was.numbers, is.numbers)) complaints.push(`The contract changed, but info.version did not rise: it was ${was.text} and is ${is.text}.`);
  // A version may carry its date: "## 1.2.0 (2026-11-22)".
  const heading = new RegExp(`^## ${is.text.replaceAll('.', '\\.')}(?: \\([0-9-]+\\))?$`, 'm');
  if (!heading.test(after.changelog)) complaints.push(`spec/CHANGELOG.md has no entry "## ${is.text}".`);
  else if (heading.test(before.changelog)) complaints.push(`The entry "## ${is.text}" of spec/CHANGELOG.md is not new.`);
  const { breaks, output } = breakingChanges(before, after, oasdiff);
  const majorRose = is.numbers[0] > was.numbers[0];
  if (breaks && !majorRose) {
    complaints.push(`Clients of ${was.text} would break:\n${output}`);
    return { complaints, notes: '' };
  }
  return { complaints, notes: output };
}
