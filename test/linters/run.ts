/**
 * Reads every rendition of the contract in generated/ with the linters that strangers read it with, each with its own defaults:
 * Redocly (recommended-strict), Spectral (spectral:oas), and Spectral with the rulesets of OWASP and IBM. One line a linter and document.
 *
 *   node test/linters/run.ts            fails unless the findings are exactly those of accepted.yaml
 *   node test/linters/run.ts --accept   writes the numbers of now into accepted.yaml; a rule that is new still needs a reason
 *
 * The linters are installed by npm into a scratch folder; Redocly is the one that the project has.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { ROOT } from '../../scripts/steps.ts';
import { type AcceptedRules, type Counts, differences, type Findings, updated } from './accepted.ts';

const HERE = import.meta.dirname;
const ACCEPTED = path.join(HERE, 'accepted.yaml');
const NOTICE = `# Findings of linters that are left as they are, with the reason, compared exactly by test/linters/run.ts. The contract
# itself has none of Redocly's and Spectral's own rules. \`node test/linters/run.ts --accept\` writes the numbers; the reasons are written by hand.
`;

async function run(
  program: string,
  args: readonly string[],
  folder: string,
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(program, [...args], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...texts };
}

function countOf(rules: readonly string[]): Counts {
  const counts: Counts = {};
  for (const rule of rules) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

/** A linter that could not read the document reports nothing, which must not pass for a clean one. */
function read<T>(what: string, { code, output, errors }: Awaited<ReturnType<typeof run>>): T {
  try {
    return JSON.parse(output) as T;
  } catch {
    throw new Error(`${what} ended with ${code} and no report:\n${errors || output}`);
  }
}

/** Without the project's configuration: an empty one, so that nothing but the defaults of the ruleset holds. */
async function redocly(scratch: string, document: string): Promise<Counts> {
  const config = path.join(scratch, 'empty.yaml');
  await writeFile(config, 'extends: []\n');
  const cli = path.join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = [
    cli,
    'lint',
    document,
    '--extends',
    'recommended-strict',
    '--config',
    config,
    '--format',
    'json',
    '--max-problems',
    '100000',
  ];
  const { problems } = read<{ problems: { ruleId: string }[] }>('redocly', await run(process.execPath, args, scratch));
  return countOf(problems.map(({ ruleId }) => ruleId));
}

async function spectral(scratch: string, ruleset: string, document: string): Promise<Counts> {
  const file = path.join(scratch, `${ruleset.replaceAll(/\W+/g, '-')}.yaml`);
  await writeFile(file, stringify({ extends: [ruleset] }));
  const cli = path.join(scratch, 'node_modules', '@stoplight', 'spectral-cli', 'dist', 'index.js');
  const args = [cli, 'lint', document, '--ruleset', file, '--format', 'json', '--quiet'];
  const report = read<{ code: string | number }[]>('spectral', await run(process.execPath, args, scratch));
  return countOf(report.map(({ code }) => String(code)));
}

const LINTERS: Record<string, (scratch: string, document: string) => Promise<Counts>> = {
  'redocly recommended-strict': redocly,
  'spectral:oas': (scratch, document) => spectral(scratch, 'spectral:oas', document),
  owasp: (scratch, document) => spectral(scratch, '@stoplight/spectral-owasp-ruleset', document),
  ibm: (scratch, document) => spectral(scratch, '@ibm-cloud/openapi-ruleset', document),
};

/** Every rendition of the contract: the YAML is the same document as openapi.json, and other generated files are not contracts. */
async function documents(): Promise<string[]> {
  return (await readdir(path.join(ROOT, 'generated'))).filter((name) => /^openapi\..*json$/.test(name)).toSorted();
}

async function install(scratch: string): Promise<void> {
  await cp(path.join(ROOT, '.npmrc'), path.join(scratch, '.npmrc'));
  for (const name of ['package.json', 'package-lock.json']) await cp(path.join(HERE, name), path.join(scratch, name));
  const { code, errors } = await run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], scratch);
  if (code !== 0) throw new Error(`npm ci ended with ${code}:\n${errors}`);
}

const { values } = parseArgs({ options: { accept: { type: 'boolean', default: false } } });
const accepted = (parse(await readFile(ACCEPTED, 'utf8')) ?? {}) as AcceptedRules;
const scratch = await mkdtemp(path.join(tmpdir(), 'linters-'));
try {
  await install(scratch);
  const findings: Findings[] = [];
  console.log(`${'linter'.padEnd(28)}${'document'.padEnd(24)}${'findings'.padStart(8)}  seconds`);
  for (const document of await documents()) {
    for (const [linter, lint] of Object.entries(LINTERS)) {
      const startedMs = performance.now();
      const rules = await lint(scratch, path.join(ROOT, 'generated', document));
      findings.push({ linter, document, rules });
      const total = Object.values(rules).reduce((sum, count) => sum + count, 0);
      console.log(
        `${linter.padEnd(28)}${document.padEnd(24)}${String(total).padStart(8)}  ${((performance.now() - startedMs) / 1000).toFixed(1)}`,
      );
    }
  }
  const list = values.accept ? updated(findings, accepted) : accepted;
  if (values.accept) await writeFile(ACCEPTED, NOTICE + stringify(list, { lineWidth: 120 }));
  const complaints = differences(findings, list);
  for (const complaint of complaints) console.error(complaint);
  console.log(
    complaints.length === 0
      ? 'Every finding is listed with its reason, and nothing else is.'
      : `${complaints.length} differences from test/linters/accepted.yaml.`,
  );
  process.exitCode = complaints.length === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
