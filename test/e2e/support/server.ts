import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../../scripts/steps.ts';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import { commandResult, endChild, type CommandResult } from '../../support/child-process.ts';

/** Ports above this are handed out by the kernel for outgoing connections, and may be taken at any moment. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
/** Far above what a start takes: tests judge what the product does, and share the machine with other tests. */
export const READY_MS_MAX = 60_000;
const POLL_MS = 20;

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (free) return port;
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: any;
}

/** Calls without a shared connection pool: a pooled connection to a killed server would fail in the test's place. */
export async function call(url: string, init: RequestInit & { token?: string } = {}): Promise<Answer> {
  const { token, headers, ...rest } = init;
  const response = await fetch(url, {
    ...rest,
    headers: {
      connection: 'close',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(headers as Record<string, string>),
    },
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Variables that would reach the product from the machine that runs the tests. */
const OWN_VARIABLES =
  /^(HOST|PORT|HTTP_THREADS|DATA_DIR|ENGINE|BLOCK_INTERVAL_MS|IDLE_BLOCK_INTERVAL_S|DRAIN_DELAY_S|PUBLIC_URL|(DATABASE_URL|COMETBFT_RPC_URL)(_FILE)?|TLS_CERT_FILE|ABCI_LISTEN|EXPLORER|LOG_LEVEL|ALLOWED_HOSTS|NODE_COMPILE_CACHE|NODE_DISABLE_COMPILE_CACHE|OTEL_.*|TXLEDGER_.*|.*_KEY_FILE|GENESIS_FILE)$/;

/** What Node.js compiled for the processes of earlier tests. Without it each command spends more than half of its time on stripping types. */
const COMPILED = path.join(ROOT, 'node_modules/.cache/txledger-tests');

/** @param variables with an empty NODE_COMPILE_CACHE where a test is about what a process compiles. */
export function environment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
  // Programs read the log here.
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: COMPILED, TXLEDGER_LOG_FORMAT: 'json', ...variables };
}

/** Runs `txledger` with these arguments to its end. */
export function txledger(args: readonly string[], variables: Record<string, string> = {}): Promise<CommandResult> {
  return commandResult(
    spawn(process.execPath, ['server/cli/txledger.ts', ...args], {
      cwd: ROOT,
      env: environment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** What runs the commands: the checkout, or a package that is installed elsewhere. */
export interface Program {
  /** For Node.js: the file of the command. */
  readonly file: string;
  readonly cwd: string;
}

const CHECKOUT: Program = { file: 'server/cli/txledger.ts', cwd: ROOT };

/** The product as users run it: a process, a port, a folder. */
export class Server {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly #command: 'start' | 'serve';
  readonly #variables: Record<string, string>;
  readonly #program: Program;
  #child: ChildProcess | undefined;
  /** Standard output and standard error of the last run. */
  output = '';

  constructor(options: {
    command?: 'start' | 'serve';
    dataDir: string;
    port: number;
    variables?: Record<string, string>;
    program?: Program;
  }) {
    this.#command = options.command ?? 'start';
    this.#program = options.program ?? CHECKOUT;
    this.dataDir = options.dataDir;
    this.baseUrl = `http://127.0.0.1:${options.port}`;
    this.#variables = {
      DATA_DIR: options.dataDir,
      PORT: String(options.port),
      // Tests that are about the delay set one.
      DRAIN_DELAY_S: '0',
      // Every answer of every test is compared with the contract.
      TXLEDGER_VALIDATE_RESPONSES: 'true',
      ...options.variables,
    };
  }

  get storeVariables(): Record<string, string> {
    return { DATA_DIR: this.dataDir };
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server is not running');
    return this.#child.pid;
  }

  /** Starts the process without waiting for anything. */
  spawn(): ChildProcess {
    this.output = '';
    const child = spawn(process.execPath, [this.#program.file, this.#command], {
      cwd: this.#program.cwd,
      env: environment(this.#variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child = child;
    return child;
  }

  /** Starts the process and resolves when /readyz says 200. @returns how long that took, in milliseconds. */
  async start(): Promise<number> {
    const startedMs = performance.now();
    const child = this.spawn();
    while (performance.now() - startedMs < READY_MS_MAX) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${this.output}`);
      const ready = await call(`${this.baseUrl}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (ready) return performance.now() - startedMs;
      await sleep(POLL_MS);
    }
    await this.stop('SIGKILL');
    throw new Error(`the server was not ready within ${READY_MS_MAX} ms:\n${this.output}`);
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a signal that cannot be caught. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return endChild(this.#child, signal);
  }

  async development(): Promise<DevelopmentFile> {
    return JSON.parse(await readFile(path.join(this.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  }
}
