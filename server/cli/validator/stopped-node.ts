/**
 * Accesses a stopped node with the stock commands of CometBFT: `inspect` serves the data on its disk, `rollback` reverts the last state.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../failure.ts';
import { askNode, nodeAddress, type NodeAddress } from './node.ts';

/** Opening the databases of a large node takes some seconds. */
const INSPECT_READY_MS_MAX = 60_000;
const LOOK_MS = 100;
/** Characters of the program's output that an error repeats, from its end, which has the reason. */
const OUTPUT_CHARS_MAX = 600;

/** The program, chosen as in scripts/localnet: COMETBFT names it, otherwise it is searched in PATH. */
const program = (): string => process.env['COMETBFT']?.trim() || 'cometbft';

const notFound = (): CommandError =>
  new CommandError(`The program ${program()} cannot be run. Install cometbft v0.38.26, or name it in COMETBFT.`);

async function freeLoopbackPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilAnswers(node: NodeAddress, child: ChildProcess, output: () => string): Promise<void> {
  const endMs = performance.now() + INSPECT_READY_MS_MAX;
  for (;;) {
    const ready = await askNode(node, 'blockchain').then(
      () => true,
      () => false,
    );
    if (ready) return;
    if (child.exitCode !== null || performance.now() > endMs)
      throw new CommandError(
        `cometbft inspect does not show the node:\n${output().slice(-OUTPUT_CHARS_MAX)}`,
        'unexpected',
        { code: 'inspect_failed' },
      );
    await sleep(LOOK_MS);
  }
}

/** Runs `work` while the node's data can be queried. Nothing is written. */
export async function inspecting<Result>(home: string, work: (node: NodeAddress) => Promise<Result>): Promise<Result> {
  const port = await freeLoopbackPort();
  const child = spawn(program(), ['inspect', '--home', home, '--rpc.laddr', `tcp://127.0.0.1:${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARS_MAX)));
  const failed = once(child, 'error').then(() => {
    throw notFound();
  });
  const ended = once(child, 'exit').catch(() => undefined);
  const node = nodeAddress(`http://127.0.0.1:${port}`);
  try {
    return await Promise.race([untilAnswers(node, child, () => output).then(() => work(node)), failed]);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
  }
}

/** @returns the height of the node's state afterwards. */
export function rollback(home: string): number {
  const { status, stdout, stderr, error } = spawnSync(program(), ['rollback', '--home', home], { encoding: 'utf8' });
  if (error !== undefined) throw notFound();
  const height = /Rolled back state to height (\d+)/.exec(`${stdout}${stderr}`)?.[1];
  if (status !== 0 || height === undefined)
    throw new CommandError(
      `cometbft rollback ended with ${status}:\n${`${stdout}${stderr}`.slice(-OUTPUT_CHARS_MAX)}`,
      'unexpected',
      { code: 'rollback_failed' },
    );
  return Number(height);
}
