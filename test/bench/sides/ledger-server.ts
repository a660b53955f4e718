/** A ledger under load: `npm start` of any checkout, as a process with a folder of its own. Its log goes nowhere, at the level it has by itself. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import { call, environment, freePort } from '../../e2e/support/server.ts';
import { endChild } from '../../support/child-process.ts';
import { asStarted } from './as-started.ts';

const READY_MS_MAX = 300_000;
const POLL_MS = 10;
/** Bounds that a benchmark would meet before the server's own: a development server has no rate limits. */
const VARIABLES = { TXLEDGER_PENDING_PER_OWNER_MAX: '1000000', TXLEDGER_PENDING_MAX: '5000000' };

/** A benchmark that is interrupted ends its servers, which would load the machine for the next one. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export function commitOf(checkout: string): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=7', '--exclude', '*'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  return stdout.trim() || 'unknown';
}

export class LedgerServer {
  readonly checkout: string;
  readonly port: number;
  readonly dataDir: string;
  token = '';
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #errors = '';
  readonly #variables: Record<string, string>;

  private constructor(checkout: string, port: number, variables: Record<string, string>) {
    this.checkout = checkout;
    this.#variables = variables;
    this.port = port;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'txledger-bench-'));
    this.dataDir = path.join(this.#folder, 'data');
  }

  static async start(checkout: string, variables: Record<string, string> = {}): Promise<LedgerServer> {
    const server = new LedgerServer(checkout, await freePort(), variables);
    try {
      await server.launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server is not running');
    return this.#child.pid;
  }

  /** Starts the process on its folder. @returns milliseconds until /readyz answered 200. */
  async launch(): Promise<number> {
    const startedMs = performance.now();
    // Each build logs as its own `npm start` does; earlier ones do not know the variable.
    const { TXLEDGER_LOG_FORMAT: _, ...env } = environment({
      DATA_DIR: this.dataDir,
      PORT: String(this.port),
      ...VARIABLES,
      ...this.#variables,
    });
    const [node, ...args] = asStarted(this.checkout, 'start');
    const child = spawn(node, args, { cwd: this.checkout, env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.stderr.on(
      'data',
      (chunk: Buffer) => (
        process.env.SHOW_ERR && process.stderr.write(chunk),
        (this.#errors = (this.#errors + chunk.toString()).slice(-5_000))
      ),
    );
    while (performance.now() - startedMs < READY_MS_MAX) {
      if (child.exitCode !== null)
        throw new Error(`the server of ${this.checkout} ended with ${child.exitCode}:\n${this.#errors}`);
      if (
        await call(`${this.baseUrl}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        )
      ) {
        const tookMs = performance.now() - startedMs;
        this.token = (JSON.parse(readFileSync(path.join(this.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile).token;
        return tookMs;
      }
      await sleep(POLL_MS);
    }
    throw new Error(`the server of ${this.checkout} was not ready within ${READY_MS_MAX} ms:\n${this.#errors}`);
  }

  /** Ends the process in good order and keeps its folder. */
  async halt(): Promise<void> {
    await endChild(this.#child, 'SIGTERM');
  }

  async remove(): Promise<void> {
    await endChild(this.#child, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async get(where: string): Promise<any> {
    const { status, body } = await call(`${this.baseUrl}${where}`, { token: this.token });
    if (status !== 200) throw new Error(`GET ${where} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Resolves when a block has decided everything that was accepted. */
  async settled(): Promise<void> {
    for (const endMs = performance.now() + READY_MS_MAX; performance.now() < endMs; await sleep(SETTLE_POLL_MS)) {
      if ((await this.get('/transactions?status=pending&limit=1')).transactions.length === 0) return;
    }
    throw new Error('transfers were still pending after five minutes');
  }

  async has(where: string): Promise<boolean> {
    return where in (await this.get('/openapi.json')).paths;
  }
}

const SETTLE_POLL_MS = 100;
