/**
 * `node test/starts/run.ts [WORDS]`: every start that must fail with a sentence, for real, a process each; those whose name has the words.
 *
 * A folder with a chain in it is made once; each case damages a copy of it, or starts under a limit.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { environment, freePort, Server, txledger } from '../e2e/support/server.ts';
import { CASES, type StartCase } from './cases.ts';

/** Far above what a start takes on a busy machine. */
const CASE_MS_MAX = 60_000;
const STACK = /^ {4,}at .*[:(]\d+/m;

const wanted = process.argv.slice(2).join(' ');
const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-starts-'));
const base = path.join(scratch, 'base');

/** A chain with a transaction in a block, whose statement was read: every derived file is there. */
async function makeBase(): Promise<void> {
  const server = new Server({ dataDir: base, port: await freePort() });
  await server.start();
  try {
    for (const command of [
      ['send', '--to', 'dev-1', '--amount', '5', '--wait'],
      ['statement', 'dev-0'],
    ]) {
      const { code, stderr } = await txledger(command, { DATA_DIR: base });
      if (code !== 0) throw new Error(`txledger ${command.join(' ')} ended with ${code}: ${stderr}`);
    }
  } finally {
    await server.stop();
  }
}

/** @returns what is wrong with how it ended; undefined when nothing is. */
async function faultOf(
  {
    damage,
    command = 'start',
    shell = ':',
    node = [],
    variables,
    exit,
    says,
  }: Omit<StartCase, 'command'> & { command?: string },
  port: number,
): Promise<string | undefined> {
  const folder = path.join(scratch, 'data');
  rmSync(folder, { recursive: true, force: true });
  if (damage !== undefined) {
    cpSync(base, folder, { recursive: true });
    damage(folder);
  }
  const words = ['scripts/bin/node', ...node, 'server/cli/txledger.ts', command];
  const child = spawn('bash', ['-c', `${shell}; exec ${words.map((word) => `'${word}'`).join(' ')}`], {
    cwd: ROOT,
    env: environment({
      DATA_DIR: folder,
      HTTP_THREADS: '1',
      PORT: String(port),
      TXLEDGER_LOG_FORMAT: 'json',
      ...variables?.(folder),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
      if (output.includes('"msg":"ready"') && says.test(output)) child.kill('SIGTERM');
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), CASE_MS_MAX);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const told = `\n${output.trim().split('\n').slice(-12).join('\n')}`;
  if (code !== (exit ?? 0)) return `it ended with ${code}, expected ${exit ?? 'a start and 0'}:${told}`;
  if (!says.test(output)) return `it does not say ${says}:${told}`;
  return STACK.test(output) ? `it shows a stack trace:${told}` : undefined;
}

let failed = 0;
try {
  await makeBase();
  const cases = CASES.filter(({ name }) => name.includes(wanted));
  const port = await freePort();
  const tell = (name: string, fault: string | undefined): void => {
    console.log(`${fault === undefined ? 'ok    ' : 'FAILED'}  ${name}${fault === undefined ? '' : `: ${fault}`}`);
    if (fault !== undefined) failed += 1;
  };
  for (const each of cases) tell(each.name, await faultOf(each, port));
  if (wanted === '') {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    tell(
      'a port that another program has',
      await faultOf(
        { name: '', exit: 2, says: /another program listens there; stop it, or set PORT/ },
        (other.address() as AddressInfo).port,
      ),
    );
    other.close();
  }
  console.log(`${cases.length} cases, ${failed} failed`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
