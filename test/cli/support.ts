import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { temporaryFolder } from '../app/support.ts';
import { environment, freePort, Server, type CommandResult } from '../e2e/support/server.ts';

/** Starting the command takes a second on a busy machine, and some tests run it many times. */
export const TEST_MS_MAX = 120_000;

export interface CommandOptions {
  readonly variables?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
}

/** Runs `txledger` in a folder of its own, so that nothing of the repository's can be found by accident. */
export async function run(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runProcess(process.execPath, [path.join(ROOT, 'server/cli/txledger.ts'), ...args], options);
}

export async function runProcess(command: string, args: readonly string[], { variables = {}, input = '', cwd = ROOT }: CommandOptions = {}): Promise<CommandResult> {
  const child = spawn(command, args, { cwd, env: environment(variables), stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A command that reads no input may be gone before all of it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** The one document that --json promises: standard output is it and nothing else. */
export function documentOf({ stdout }: CommandResult): any {
  return JSON.parse(stdout);
}

export async function startDevelopment(): Promise<Server> {
  const server = new Server({ dataDir: path.join(await temporaryFolder('cli'), 'data'), port: await freePort() });
  await server.start();
  return server;
}

/** A service that answers what a test wants, on a port of its own. */
export async function serveAnswers(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(answer);
  server.listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
