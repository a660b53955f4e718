import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { environment, freePort, READY_MS_MAX, Server } from '../e2e/support/server.ts';
import { asksForServer } from '../../server/cli/server-names.js';
import { commandResult, type CommandResult } from '../support/child-process.ts';
import { runInProcess } from './in-process.ts';

/** Starting the command takes a second on a busy machine, and some tests run it many times. */
export const TEST_MS_MAX = 120_000;

export interface CommandOptions {
  readonly variables?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
}

/** Runs `txledger`: in this process, because starting one takes longer than most commands; a server, and what reads standard input, in one of its own. */
export function run(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return options.input === undefined && !asksForServer(args) ? runInProcess(args, options) : runApart(args, options);
}

/** Runs `txledger` in a process of its own: what it does with terminals, signals and errors of the platform shows there alone. */
export function runApart(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runProcess(process.execPath, [path.join(ROOT, 'server/cli/run.js'), ...args], options);
}

export function runProcess(
  command: string,
  args: readonly string[],
  { variables = {}, input = '', cwd = ROOT }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(command, args, { cwd, env: environment(variables), stdio: ['pipe', 'pipe', 'pipe'] });
  // A command that reads no input may be gone before all of it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return commandResult(child);
}

/** The one document that --json promises: standard output is it and nothing else. */
export function documentOf({ stdout }: CommandResult): any {
  return JSON.parse(stdout);
}

export interface Development {
  readonly server: Server;
  /** The one that the service made for itself. */
  readonly token: string;
  /** What leads a command to this service. */
  readonly variables: Record<string, string>;
  /** For files of the tests; the service does not know it. */
  readonly folder: string;
}

/** Starts a development service before the tests of a suite and ends it after them, with all temporary folders. @returns where to find it. */
export function withDevelopment(): () => Development {
  let server: Server | undefined;
  let development: Development | undefined;
  beforeAll(async () => {
    // Commands that wait for a block are many, and what they are told does not depend on how long blocks take.
    server = new Server({
      dataDir: path.join(await temporaryFolder('cli'), 'data'),
      port: await freePort(),
      variables: { BLOCK_INTERVAL_MS: '100' },
    });
    await server.start();
    const { token } = await server.development();
    development = { server, token, variables: { DATA_DIR: server.dataDir }, folder: await temporaryFolder('cli') };
    // A start that takes too long says so itself, with what the service printed.
  }, READY_MS_MAX + TEST_MS_MAX);
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await removeTemporaryFolders();
  });
  return () => {
    if (!development) throw new Error('the service is not running');
    return development;
  };
}

/** A service that answers what a test wants, on a port of its own. */
export async function serveAnswers(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; close(): Promise<void> }> {
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
