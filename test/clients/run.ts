/**
 * Clients of other languages, made from generated/openapi.yaml by stock generators (openapi-python-client, oapi-codegen) in
 * a scratch folder, do the main job against a development server: read, sign, pay, list, cancel, and understand an error.
 *
 *   node test/clients/run.ts              both
 *   node test/clients/run.ts python|go    one
 *
 * PYTHON names a Python with the packages of python/requirements.txt, OAPI_CODEGEN the other generator. One line a step.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { freePort, Server } from '../e2e/support/server.ts';

const HERE = import.meta.dirname;
const BUNDLE = path.join(ROOT, 'generated', 'openapi.yaml');
/** openapi-python-client names the package after the title of the contract. */
const PYTHON_PACKAGE = 'transaction_ledger_api_client';
/** What the generator cannot express and says so: an answer that is YAML. Any other warning fails. */
const EXPECTED_WARNINGS = ['WARNING parsing GET /openapi.yaml within contract.'];

interface Command {
  program: string;
  args: readonly string[];
  folder: string;
  env?: Record<string, string>;
}

/** Runs a command to its end. @returns what it printed. @throws with that when it fails. */
async function run({ program, args, folder, env }: Command): Promise<string> {
  const child = spawn(program, [...args], { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${path.basename(program)} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`${name} (${((performance.now() - startedMs) / 1000).toFixed(3)} s)`);
  return result;
}

async function python(scratch: string, developmentFile: string): Promise<void> {
  const program = process.env['PYTHON'] ?? 'python3';
  const generated = path.join(scratch, 'generated');
  const output = await step('python: generate', () =>
    run({ program, args: ['-m', 'openapi_python_client', 'generate', '--path', BUNDLE, '--output-path', generated], folder: scratch }),
  );
  const warnings = output.split('\n').filter((line) => /^(WARNING|ERROR)/.test(line));
  if (warnings.join('\n') !== EXPECTED_WARNINGS.join('\n')) throw new Error(`openapi-python-client left something out:\n${output}`);
  await step('python: every module can be loaded', () => {
    const load = `import importlib, pkgutil, ${PYTHON_PACKAGE} as p\nfor m in pkgutil.walk_packages(p.__path__, p.__name__ + "."): importlib.import_module(m.name)`;
    return run({ program, args: ['-c', load], folder: generated });
  });
  process.stdout.write(
    await run({ program, args: [path.join(HERE, 'python', 'main_job.py'), developmentFile], folder: scratch, env: { PYTHONPATH: generated, PYTHONDONTWRITEBYTECODE: '1' } }),
  );
}

async function go(scratch: string, developmentFile: string): Promise<void> {
  await cp(path.join(HERE, 'go'), scratch, { recursive: true });
  await mkdir(path.join(scratch, 'ledger'));
  await step('go: generate', () =>
    run({ program: process.env['OAPI_CODEGEN'] ?? 'oapi-codegen', args: ['-config', 'oapi-codegen.yaml', '-o', 'ledger/ledger.go', BUNDLE], folder: scratch }),
  );
  // -mod=readonly: the pinned modules are all that the generated code may need.
  await step('go: build', () => run({ program: 'go', args: ['build', '-mod=readonly', '-o', 'main-job', '.'], folder: scratch }));
  process.stdout.write(await run({ program: path.join(scratch, 'main-job'), args: [developmentFile], folder: scratch }));
}

const CLIENTS: Record<string, (scratch: string, developmentFile: string) => Promise<void>> = { python, go };

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => CLIENTS[name] === undefined);
if (unknown.length > 0) throw new Error(`there is no client ${unknown.join(', ')}: ${Object.keys(CLIENTS).join(', ')}`);

const scratch = await mkdtemp(path.join(tmpdir(), 'txledger-clients-'));
const dataDir = path.join(scratch, 'data');
const server = new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '200' } });
try {
  await mkdir(dataDir);
  await step('server: start', () => server.start());
  for (const [name, main] of Object.entries(CLIENTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const folder = path.join(scratch, name);
    await mkdir(folder);
    await main(folder, path.join(dataDir, 'dev.json'));
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await server.stop('SIGKILL');
  await rm(scratch, { recursive: true, force: true });
}
