/**
 * Runs every workflow of spec/workflows against a development server of its own by `redocly respect`, which compares each answer with the
 * contract besides: 0 failures, 0 warnings. Then the same for what the server publishes, from a folder that holds nothing else.
 *
 *   node test/workflows/run.ts                    all
 *   node test/workflows/run.ts WORKFLOW_ID ...    these
 *
 * respect cannot sign. What a workflow is given is signed here, by the conformance kit's signer, which shares no code with the server.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/steps.ts';
import { accountOf, newAccount } from '../conformance/src/signer.ts';
import { inputsOf } from '../conformance/src/workflows/inputs.ts';
import { call, freePort, Server } from '../e2e/support/server.ts';
import { newTokens, type NewTokens } from './tokens.ts';

const FOLDER = path.join(ROOT, 'spec', 'workflows');
const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const CONFIG = path.join(import.meta.dirname, 'redocly.yaml');
const PREFIX = 'txlt';
/** What is run once more as it is published: one is enough to show that it finds the contract there. */
const PUBLISHED = ['payAndWait'];
/** A workflow waits for a few blocks; this is for a machine that does something else as well. */
const WORKFLOW_MS_MAX = 120_000;

interface Row {
  name: string;
  steps: number;
  checks: number;
  failed: number;
  warnings: number;
  seconds: number;
}

/** The part of respect's JSON log that is read here. */
interface Log {
  files: Record<
    string,
    { executedWorkflows: { executedSteps: { stepId: string; checks: { passed: boolean; severity: string }[] }[] }[] }
  >;
}

async function redocly(args: readonly string[]): Promise<{ code: number | null; stdout: string; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const child = spawn(process.execPath, [REDOCLY, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, output] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, output })));
}

async function lint(files: readonly string[]): Promise<void> {
  const { code, stdout, output } = await redocly(['lint', '--config', CONFIG, '--format', 'json', ...files]);
  // A document for each file.
  const problems = [...stdout.matchAll(/"(?:errors|warnings)": (\d+)/g)].map(([, count]) => Number(count));
  if (problems.length !== 2 * files.length) throw new Error(`redocly lint did not look at every workflow:\n${output}`);
  if (code !== 0 || problems.some((count) => count > 0))
    throw new Error(`redocly lint objects to the workflows:\n${output}`);
  console.log(`redocly lint, recommended-strict: ${files.length} files, 0 errors, 0 warnings`);
}

async function workflowsOf(folder: string): Promise<{ file: string; workflowId: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.arazzo.yaml')).sort();
  const found = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const { workflows } = parse(await readFile(file, 'utf8')) as { workflows: { workflowId: string }[] };
    found.push(...workflows.map(({ workflowId }) => ({ file, workflowId })));
  }
  return found;
}

async function respect(
  scratch: string,
  baseUrl: string,
  workflow: { file: string; workflowId: string },
  inputs: object,
): Promise<Row> {
  const log = path.join(scratch, 'respect.json');
  await rm(log, { force: true });
  const startedMs = performance.now();
  const { code, output } = await redocly([
    'respect',
    workflow.file,
    '--workflow',
    workflow.workflowId,
    '--server',
    `ledger=${baseUrl}`,
    '--input',
    JSON.stringify(inputs),
    '--json-output',
    log,
    '--execution-timeout',
    String(WORKFLOW_MS_MAX),
  ]);
  const ran = Object.values((JSON.parse(await readFile(log, 'utf8')) as Log).files).flatMap(
    ({ executedWorkflows }) => executedWorkflows,
  );
  // Of a step that is repeated until something has happened, what counts is the last time.
  const steps = [
    ...new Map(ran.flatMap(({ executedSteps }) => executedSteps).map((step) => [step.stepId, step])).values(),
  ];
  const checks = steps.flatMap((step) => step.checks);
  const failing = checks.filter(({ passed }) => !passed);
  const row = {
    name: `${path.basename(workflow.file)} ${workflow.workflowId}`,
    steps: steps.length,
    checks: checks.length,
    failed: failing.filter(({ severity }) => severity === 'error').length,
    warnings: failing.filter(({ severity }) => severity !== 'error').length,
    seconds: (performance.now() - startedMs) / 1000,
  };
  // An engine that finds no step has nothing to complain about either.
  if (row.steps === 0) throw new Error(`respect ran no step of ${row.name}:\n${output}`);
  if (code !== 0 || row.failed > 0 || row.warnings > 0) console.error(`${output}\nrespect ended with ${code}`);
  if (code !== 0 && row.failed === 0) row.failed = 1;
  return row;
}

const columns = [48, 7, 8, 8, 10, 9] as const;
const line = (cells: readonly (string | number)[]): void =>
  console.log(
    cells
      .map((cell, i) => (i === 0 ? String(cell).padEnd(columns[i] ?? 0) : String(cell).padStart(columns[i] ?? 0)))
      .join(''),
  );

/** Everything of one folder, each workflow with inputs of its own. @returns how many failures and warnings. */
async function runFolder(
  folder: string,
  server: Server,
  scratch: string,
  { tokens, webhookUrl, only }: { tokens: NewTokens; webhookUrl: string; only: readonly string[] },
): Promise<number> {
  const dev = await server.development();
  const sender = accountOf(Buffer.from(dev.accounts[0]?.seed ?? '', 'hex'), PREFIX);
  line(['workflow', 'steps', 'checks', 'failed', 'warnings', 'seconds']);
  let faults = 0;
  for (const workflow of await workflowsOf(folder)) {
    if (only.length > 0 && !only.includes(workflow.workflowId)) continue;
    const nonce = (await call(`${server.baseUrl}/accounts/${sender.address}`, { token: dev.token })).body
      .nextNonce as number;
    const scene = {
      chainId: dev.chainId,
      sender,
      nonce,
      receiver: newAccount(PREFIX).address,
      token: dev.token,
      ...tokens,
      webhookUrl,
    };
    const inputs = inputsOf(workflow.workflowId, scene);
    if (inputs === undefined) throw new Error(`${workflow.workflowId}: a token or a receiver is missing`);
    const row = await respect(scratch, server.baseUrl, workflow, inputs);
    faults += row.failed + row.warnings;
    line([row.name, row.steps, row.checks, row.failed, row.warnings, row.seconds.toFixed(1)]);
  }
  return faults;
}

/** The folder as a partner has it who follows the index. @returns where the workflows are. */
async function download(baseUrl: string, folder: string): Promise<string> {
  const target = path.join(folder, 'workflows');
  await mkdir(target, { recursive: true });
  await writeFile(path.join(folder, 'openapi.yaml'), (await call(`${baseUrl}/openapi.yaml`)).body);
  const { workflows } = (await call(`${baseUrl}/workflows`)).body as { workflows: { href: string }[] };
  for (const { href } of workflows) {
    const { status, body } = await call(`${baseUrl}/${href}`);
    if (status !== 200) throw new Error(`GET /${href} answered ${status}`);
    await writeFile(path.join(folder, href), body);
  }
  return target;
}

/** Takes every message, and says so by 204: what is in them is looked at by the conformance kit. */
async function receiver(): Promise<{ url: string; close(): void }> {
  const port = await freePort();
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}/workflows`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function main(only: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'workflows-'));
  const webhooks = await receiver();
  const server = new Server({
    dataDir: path.join(scratch, 'data'),
    port: await freePort(),
    variables: { BLOCK_INTERVAL_MS: '200' },
  });
  try {
    await lint((await workflowsOf(FOLDER)).map(({ file }) => file).filter((file, i, all) => all.indexOf(file) === i));
    await server.start();
    const given = { tokens: await newTokens(server), webhookUrl: webhooks.url };
    const faults = await runFolder(FOLDER, server, scratch, { ...given, only });
    const published = await download(server.baseUrl, path.join(scratch, 'published'));
    await lint((await readdir(published)).map((name) => path.join(published, name)));
    console.log('as published, beside /openapi.yaml:');
    const faultsPublished = await runFolder(published, server, scratch, {
      ...given,
      only: only.length > 0 ? only : PUBLISHED,
    });
    if (faults + faultsPublished > 0) throw new Error(`${faults + faultsPublished} failures and warnings`);
    console.log('0 failures, 0 warnings');
  } finally {
    await server.stop();
    webhooks.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
