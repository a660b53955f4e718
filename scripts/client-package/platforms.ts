/**
 * Checks the package on its platforms besides Node.js and a plain page: Deno, Bun, workerd, Vite, Next.js and a stock CommonJS jest. On
 * each it signs, pays, waits and reads against a running service.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../test/e2e/support/server.ts';
import { endChild } from '../../test/support/child-process.ts';
import { openPage } from './browser.ts';
import { type Installed, npmInstall, PACKAGE, run } from './installed.ts';
import { bundle } from './sizes.ts';
import { installTools, table } from './tools.ts';

export interface Job {
  readonly baseUrl: string;
  readonly token: string;
  readonly seed: string;
  readonly to: string;
}

/** The program that runs on every platform; `ledger` is the package. */
const MAIN_JOB = `async function mainJob(ledger, { baseUrl, token, seed, to }) {
  const client = ledger.createClient({ baseUrl, token });
  const signer = await ledger.signerFromSeed(seed);
  const { signed } = await ledger.sendTransfer(client, { signer, to, amount: 42n });
  for await (const { data } of ledger.events(client, { account: to, after: '0' })) if (data.transaction.txHash === signed.txHash) break;
  const { outcome } = await ledger.waitForTransaction(client, { txHash: signed.txHash, timeoutMs: 30000 });
  const { transactions } = await ledger.listTransactions(client, { to, limit: 100 });
  const refused = await ledger.getTransaction(client, { txHash: 'AB'.repeat(32) }).catch((error) => error instanceof ledger.NotFoundError);
  return [outcome, transactions.some(({ txHash }) => txHash === signed.txHash), refused].join();
}`;
const DONE = 'committed,true,true';
const PLATFORM_MS_MAX = 300_000;

interface Setting {
  readonly installed: Installed;
  readonly scratch: string;
  /** The origin of the pages, which the service allows. */
  readonly pagePort: number;
  readonly job: Job;
}

function expectDone(output: string): void {
  if (!output.includes(DONE)) throw new Error(output.slice(0, 2_000));
}

function program(job: Job): string {
  return `import * as ledger from '${PACKAGE}';\n${MAIN_JOB}\nconsole.log(await mainJob(ledger, ${JSON.stringify(job)}));\n`;
}

/** The path of a package's binary; the script that some packages have to locate it is not used. */
function binary(tools: string, pattern: string): string {
  const [found] = globSync(pattern, { cwd: join(tools, 'node_modules') });
  if (found === undefined) throw new Error(`there is no ${pattern} for this machine`);
  return join(tools, 'node_modules', found);
}

async function inDeno({ installed, job }: Setting, tools: string): Promise<string> {
  const deno = binary(tools, '@deno/*/deno');
  writeFileSync(join(installed.folder, 'deno.mjs'), program(job));
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(tools, 'deno-cache') };
  const { stdout, stderr } = await run(
    deno,
    ['run', '--allow-all', '--no-remote', '--node-modules-dir=manual', 'deno.mjs'],
    { cwd: installed.folder, env, timeout: PLATFORM_MS_MAX },
  );
  expectDone(stdout + stderr);
  return (await run(deno, ['--version'])).stdout.split('\n')[0] ?? '';
}

async function inBun({ installed, job }: Setting, tools: string): Promise<string> {
  const bun = binary(tools, '@oven/*/bin/bun');
  writeFileSync(join(installed.folder, 'bun.mjs'), program(job));
  const { stdout, stderr } = await run(bun, ['run', 'bun.mjs'], { cwd: installed.folder, timeout: PLATFORM_MS_MAX });
  expectDone(stdout + stderr);
  return `bun ${(await run(bun, ['--version'])).stdout.trim()}`;
}

async function inWorkerd({ installed, job, scratch }: Setting, tools: string): Promise<string> {
  const workerd = binary(tools, '@cloudflare/workerd-*/bin/workerd');
  const port = await freePort();
  const folder = join(scratch, 'workerd');
  mkdirSync(folder);
  const worker = `import * as ledger from '${PACKAGE}';\n${MAIN_JOB}\nexport default { async fetch() { return new Response(await mainJob(ledger, ${JSON.stringify(job)}).catch(String)); } };`;
  writeFileSync(join(folder, 'worker.js'), await bundle(installed, worker, 'esm'));
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "network", network = (allow = ["local", "private"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01", globalOutbound = "network");
`,
  );
  const child = spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    expectDone(await (await answered(child, `http://127.0.0.1:${port}/`)).text());
    return (await run(workerd, ['--version'])).stdout.trim();
  } finally {
    await endChild(child, 'SIGKILL');
  }
}

/** Waits for the first answer of a server that is starting. */
async function answered(child: ChildProcess, url: string): Promise<Response> {
  for (const endMs = Date.now() + PLATFORM_MS_MAX; Date.now() < endMs && child.exitCode === null;) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response;
    await pause(100);
  }
  throw new Error(`${url} does not answer`);
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

async function inVite({ installed, scratch, pagePort, job }: Setting, tools: string): Promise<string> {
  const root = join(installed.folder, 'vite-app');
  const outDir = join(scratch, 'vite-dist');
  mkdirSync(root);
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><title>Vite</title><pre id="result"></pre><script type="module" src="/main.js"></script>',
  );
  writeFileSync(
    join(root, 'main.js'),
    `import * as ledger from '${PACKAGE}';\n${MAIN_JOB}\nmainJob(ledger, ${JSON.stringify(job)}).catch(String).then((result) => (document.querySelector('#result').textContent = result));\n`,
  );
  const vite = (await import(pathToFileURL(join(tools, 'node_modules/vite/dist/node/index.js')).href)) as {
    version: string;
    build(options: object): Promise<unknown>;
  };
  await vite.build({ root, configFile: false, logLevel: 'error', build: { outDir } });
  const pages = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const found = globSync('**/*', { cwd: outDir }).find((file) => `/${file}` === path);
    response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'text/plain' });
    response.end(found && readFileSync(join(outDir, found)));
  });
  pages.listen(pagePort, '127.0.0.1');
  await once(pages, 'listening');
  try {
    await openPage(`http://127.0.0.1:${pagePort}/`, async (page) =>
      expectDone(await page.locator('#result:not(:empty)').innerText({ timeout: PLATFORM_MS_MAX })),
    );
    return `Vite ${vite.version}`;
  } finally {
    pages.close();
    pages.closeAllConnections();
  }
}

/** A page whose server component and whose client component each run the program. */
async function inNext({ installed, scratch, pagePort, job }: Setting): Promise<string> {
  const folder = await installTools('next', scratch);
  await npmInstall(folder, '--ignore-scripts', '--no-save', installed.tarball);
  mkdirSync(join(folder, 'app'));
  writeFileSync(
    join(folder, 'app/layout.jsx'),
    `export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n`,
  );
  writeFileSync(
    join(folder, 'app/job.js'),
    `import * as ledger from '${PACKAGE}';\n${MAIN_JOB}\nexport const pay = () => mainJob(ledger, ${JSON.stringify(job)}).catch(String);\n`,
  );
  writeFileSync(
    join(folder, 'app/client.jsx'),
    `'use client';\nimport { useEffect, useState } from 'react';\nimport { pay } from './job.js';\nexport function Client() {\n  const [result, setResult] = useState('');\n  useEffect(() => void pay().then(setResult), []);\n  return <p id="client">{result}</p>;\n}\n`,
  );
  writeFileSync(
    join(folder, 'app/page.jsx'),
    `import { Client } from './client.jsx';\nimport { pay } from './job.js';\nexport const dynamic = 'force-dynamic';\nexport default async function Page() { return <main><p id="server">{await pay()}</p><Client /></main>; }\n`,
  );
  const next = join(folder, 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const };
  await run(process.execPath, [next, 'build'], { cwd: folder, env, timeout: PLATFORM_MS_MAX }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`next build: ${error.stdout}${error.stderr}`);
    },
  );
  const child = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', String(pagePort)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${pagePort}/`;
    await answered(child, url);
    await openPage(url, async (page) => {
      for (const component of ['#server', '#client'])
        expectDone(await page.locator(`${component}:not(:empty)`).innerText({ timeout: PLATFORM_MS_MAX }));
    });
    return `Next.js ${(JSON.parse(readFileSync(join(folder, 'node_modules/next/package.json'), 'utf8')) as { version: string }).version}, server and client component`;
  } finally {
    await endChild(child, 'SIGKILL');
  }
}

/** No configuration at all: CommonJS, `require`, jest's own environment. */
async function inJest({ installed, scratch, job }: Setting): Promise<string> {
  const folder = await installTools('jest', scratch);
  await npmInstall(folder, '--ignore-scripts', '--no-save', installed.tarball);
  writeFileSync(
    join(folder, 'payment.test.js'),
    `const ledger = require('${PACKAGE}');
const { createTestLedger } = require('${PACKAGE}/testing');
${MAIN_JOB}
test('pays by a service', async () => expect(await mainJob(ledger, ${JSON.stringify(job)})).toBe('${DONE}'), 60000);
test('pays by the ledger for tests', async () => {
  const own = createTestLedger({ accounts: { alice: 100n, bob: 0n } });
  const client = ledger.createClient(own.clientOptions);
  const { signed } = await ledger.sendTransfer(client, { signer: own.accounts.alice.signer, to: own.accounts.bob.address, amount: 60n });
  expect((await ledger.waitForTransaction(client, { txHash: signed.txHash })).outcome).toBe('committed');
  await expect(ledger.sendTransfer(client, { signer: own.accounts.alice.signer, to: own.accounts.bob.address, amount: 60n })).rejects.toBeInstanceOf(ledger.InsufficientFundsError);
});
`,
  );
  const { stderr } = await run(process.execPath, [join(folder, 'node_modules/jest/bin/jest.js'), '--runInBand'], {
    cwd: folder,
    timeout: PLATFORM_MS_MAX,
  });
  if (!/Tests: +2 passed, 2 total/.test(stderr)) throw new Error(stderr);
  return `jest ${(JSON.parse(readFileSync(join(folder, 'node_modules/jest/package.json'), 'utf8')) as { version: string }).version}, require, no configuration`;
}

/** @param only names of the platforms to check; all of them when left out. */
export async function checkPlatforms(
  installed: Installed,
  scratch: string,
  pagePort: number,
  job: Job,
  only: readonly string[] = [],
): Promise<string> {
  const setting = { installed, scratch, pagePort, job };
  const runtimes = await installTools('runtimes', scratch);
  const bundlers = await installTools('bundlers', scratch);
  const platforms: [string, () => Promise<string>][] = [
    ['Deno', () => inDeno(setting, runtimes)],
    ['Bun', () => inBun(setting, runtimes)],
    ['workerd', () => inWorkerd(setting, runtimes)],
    ['Vite', () => inVite(setting, bundlers)],
    ['Next.js', () => inNext(setting)],
    ['jest', () => inJest(setting)],
  ];
  const rows: [string, string][] = [];
  for (const [name, does] of platforms) {
    if (only.length > 0 && !only.includes(name)) continue;
    rows.push([
      name,
      await does().then(
        (version) => `signed, paid, read: ${version}`,
        (error: Error) => `FAILED: ${error.message}`,
      ),
    ]);
  }
  const report = table(rows);
  if (report.includes('FAILED')) throw new Error(report);
  return report;
}
