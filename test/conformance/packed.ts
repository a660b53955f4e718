/**
 * The kit as a stranger has it: packed, installed in an empty folder, and run there against a development server, in each of its formats.
 *
 *   node test/conformance/packed.ts
 */
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, Server } from '../e2e/support/server.ts';
import { newTokens } from '../workflows/tokens.ts';

const HERE = import.meta.dirname;

async function run(
  folder: string,
  program: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

async function must(folder: string, program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(folder, program, ...args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

function expect(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

const scratch = await mkdtemp(path.join(tmpdir(), 'packed-'));
const server = new Server({
  dataDir: path.join(scratch, 'data'),
  port: await freePort(),
  variables: { BLOCK_INTERVAL_MS: '100' },
});
try {
  await must(HERE, process.execPath, 'build.ts');
  await must(HERE, 'npm', 'pack', '--pack-destination', scratch);
  const tarball = (await readdir(scratch)).find((name) => name.endsWith('.tgz'));
  expect(tarball !== undefined, 'npm pack made no tarball');
  await writeFile(path.join(scratch, 'package.json'), '{"private":true}');
  await must(scratch, 'npm', 'install', '--no-audit', '--no-fund', `./${tarball}`);
  console.log(`installed ${tarball}: ${(await readdir(path.join(scratch, 'node_modules'))).join(' ')}`);

  await server.start();
  const { readToken, otherToken, adminToken } = await newTokens(server);
  await copyFile(path.join(server.dataDir, 'dev.json'), path.join(scratch, 'dev.json'));
  const kit = (...args: string[]): ReturnType<typeof run> =>
    run(scratch, 'npx', '--no-install', 'txledger-conformance', ...args);
  const withServer = [
    '--dev-file',
    'dev.json',
    '--read-token',
    readToken,
    '--other-token',
    otherToken,
    '--admin-token',
    adminToken,
  ];

  const text = await kit(...withServer);
  expect(text.code === 0, `the kit ended with ${text.code}:\n${text.stdout}${text.stderr}`);
  const [last = ''] = text.stdout.trim().split('\n').slice(-1);
  expect(/ 0 failed/.test(last) && last.endsWith('All money was sent back.'), last);
  console.log(`text: ${last}`);

  const json = await kit(...withServer, '--only', 'headers,idempotency.replay', '--format', 'json');
  const { counts, results } = JSON.parse(json.stdout) as { counts: { failed: number }; results: { id: string }[] };
  expect(json.code === 0 && counts.failed === 0, `json: ${json.stdout}`);
  console.log(`json: ${results.length} results`);

  const junit = await kit(...withServer, '--only', 'headers', '--format', 'junit');
  await must(
    scratch,
    'python3',
    '-c',
    'import sys, xml.dom.minidom as dom; print("junit:", len(dom.parseString(sys.argv[1]).getElementsByTagName("testcase")), "cases")',
    junit.stdout,
  ).then((output) => process.stdout.write(output));

  // A server that is none, an option that is none, and a promise that is not kept: the token may not do what it is said to.
  const unreachable = await kit('--base-url', 'http://127.0.0.1:9', '--token', 'x', '--seed', '0'.repeat(64));
  expect(unreachable.code === 2 && unreachable.stderr !== '', `no server: ended with ${unreachable.code}`);
  expect((await kit('--frobnicate')).code === 2, 'an unknown option: not 2');
  expect((await kit(...withServer, '--only', 'nothing')).code === 2, 'an unknown check: not 2');
  const broken = await kit(...withServer, '--token', readToken, '--only', 'idempotency.replay');
  expect(broken.code === 1, `a promise that is not kept: ended with ${broken.code}`);
  console.log('exit codes: 0, 1 and 2');
} finally {
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
}
