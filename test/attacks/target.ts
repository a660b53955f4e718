/**
 * A server that is attacked: started from this checkout or another one (`--checkout DIR`, for the figure before a
 * change), with what it uses and how fast it answers others meanwhile.
 *
 * Each file `test/attacks/<name>.attack.ts` is one attack of docs/SECURITY.md. It ends by itself, is bounded in time and
 * count, prints its figures as one line of JSON, and exits with 1 when the service did not hold. `run.ts` runs them all.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { operatorKeyOf } from '../../server/app/operator-key.ts';
import { call, environment, freePort, READY_MS_MAX } from '../e2e/support/server.ts';
import { commandResult, endChild } from '../support/child-process.ts';

const POLL_MS = 20;
const KIB_PER_MIB = 1024;
const PROBE_PAUSE_MS = 20;
/** Nobody else comes from there, neither attackers nor those who pay (load.ts). */
const PROBE_ADDRESS = '127.0.0.2';

/** The account that has all the money of a production chain under attack. */
export const PAYER = operatorKeyOf(new Uint8Array(32).fill(7), 'txl');
export const PAYEE = operatorKeyOf(new Uint8Array(32).fill(8), 'txl');
export const CHAIN_ID = 'attacked-1';

/** `--checkout DIR` of the command line: the program that is attacked. */
export function checkoutOfArguments(): string {
  const { values } = parseArgs({ options: { checkout: { type: 'string', default: ROOT } }, strict: false });
  return path.resolve(String(values.checkout));
}

export interface TargetOptions {
  /** `start` is the development server, which has no rate limits; `serve` is production. */
  command: 'start' | 'serve';
  checkout?: string;
  variables?: Record<string, string>;
}

export class Target {
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly checkout: string;
  /** Every scope but cancel-any. */
  token = '';
  output = '';
  readonly #folder: string;
  readonly #options: TargetOptions;
  #keys: Record<string, string> = {};
  #child: ChildProcess | undefined;

  private constructor(options: TargetOptions, port: number) {
    this.#options = options;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'txledger-attack-'));
    this.checkout = options.checkout ?? ROOT;
    this.dataDir = path.join(this.#folder, 'data');
    this.port = port;
    this.baseUrl = `http://127.0.0.1:${port}`;
  }

  /** Starts a server and resolves when it is ready. */
  static async start(options: TargetOptions): Promise<Target> {
    const target = new Target(options, await freePort());
    try {
      await target.#start();
      return target;
    } catch (error) {
      await target.stop();
      throw error;
    }
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server is not running');
    return this.#child.pid;
  }

  /** Ends the server and keeps its folder. */
  async halt(): Promise<void> {
    await endChild(this.#child, 'SIGTERM');
  }

  /** Starts it again on its folder. Rejects when it ends instead of becoming ready. */
  async resume(): Promise<void> {
    this.output = '';
    await this.#launch(this.#keys);
  }

  /** Ends the server and removes its folder. */
  async stop(): Promise<void> {
    await endChild(this.#child, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Resident memory, MiB. */
  residentMib(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / KIB_PER_MIB;
  }

  /** Runs a command of this checkout against the server's data folder. @returns what it printed. */
  async txledger(...args: string[]): Promise<string> {
    const { ENGINE } = this.#options.variables ?? {};
    const env = environment({ DATA_DIR: this.dataDir, ...(ENGINE !== undefined && { ENGINE }) });
    const { code, stdout, stderr } = await commandResult(
      spawn(process.execPath, ['server/cli/txledger.ts', ...args], {
        cwd: this.checkout,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.trim();
  }

  async #start(): Promise<void> {
    this.#keys = this.#options.command === 'serve' ? await this.#productionFiles() : {};
    await this.#launch(this.#keys);
  }

  async #launch(keys: Record<string, string>): Promise<void> {
    const variables = {
      DATA_DIR: this.dataDir,
      PORT: String(this.port),
      DRAIN_DELAY_S: '0',
      ...keys,
      ...this.#options.variables,
    };
    const child = spawn(process.execPath, ['server/cli/txledger.ts', this.#options.command], {
      cwd: this.checkout,
      env: environment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        // The end is enough to say why a start failed; an attack can make a server log for long.
        this.output = (this.output + chunk.toString()).slice(-20_000);
      });
    }
    for (const endMs = performance.now() + READY_MS_MAX; performance.now() < endMs; await sleep(POLL_MS)) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${this.output}`);
      if (
        !(await call(`${this.baseUrl}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        ))
      )
        continue;
      if (this.#options.command === 'start')
        this.token = (JSON.parse(readFileSync(path.join(this.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile).token;
      return;
    }
    throw new Error(`the server was not ready within ${READY_MS_MAX} ms:\n${this.output}`);
  }

  async #productionFiles(): Promise<Record<string, string>> {
    const file = (name: string): string => path.join(this.#folder, name);
    const files = {
      GENESIS_FILE: file('genesis.json'),
      VALIDATOR_KEY_FILE: file('validator.json'),
      OPERATOR_KEY_FILE: file('operator.json'),
    };
    const operator = await this.txledger('operator-key', 'create', '--out', files.OPERATOR_KEY_FILE);
    await this.txledger('validator-key', 'create', '--out', files.VALIDATOR_KEY_FILE);
    const genesis = [
      'genesis',
      'create',
      '--chain-id',
      CHAIN_ID,
      '--validator-key',
      files.VALIDATOR_KEY_FILE,
      '--canceller',
      operator,
      '--governor',
      operator,
      '--allow-shared-roles',
      '--currency',
      'EUR:2',
    ];
    await this.txledger(...genesis, '--account', `${PAYER.address}=1000000000000`, '--out', files.GENESIS_FILE);
    const scopes = ['transactions:read', 'transactions:write', 'rpc:broadcast'];
    this.token = await this.txledger(
      'token',
      'create',
      '--owner',
      'attacked',
      ...scopes.flatMap((scope) => ['--scope', scope]),
    );
    return files;
  }
}

export interface Latencies {
  count: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Asks for a path over one kept connection, again and again until `stop` is called: what others notice of an attack. */
export function probe(
  url: string,
  options: { token?: string; localAddress?: string } = {},
): { stop(): Promise<Latencies> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: options.localAddress ?? PROBE_ADDRESS });
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  const taken: number[] = [];
  let failed = 0;
  const ending = new AbortController();
  const one = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const startedMs = performance.now();
      const asked = request(url, { agent, headers }, (response) => {
        response
          .resume()
          .on('end', () =>
            response.statusCode === 200
              ? resolve(performance.now() - startedMs)
              : reject(new Error(`status ${response.statusCode}`)),
          );
        response.on('error', reject);
      });
      asked.on('error', reject).end();
    });
  const loop = (async () => {
    while (!ending.signal.aborted) {
      await one().then(
        (ms) => taken.push(ms),
        () => (failed += 1),
      );
      await sleep(PROBE_PAUSE_MS);
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await loop;
      agent.destroy();
      const sorted = taken.toSorted((a, b) => a - b);
      const at = (share: number): number =>
        Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * 10) / 10;
      return { count: sorted.length, failed, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
    },
  };
}

/** Prints the figures of an attack; `held` decides the exit code. */
export function report(attack: string, target: Target, held: boolean, figures: object): void {
  console.log(JSON.stringify({ attack, checkout: path.basename(target.checkout), held, ...figures }));
  if (!held) process.exitCode = 1;
}
