/** A stock CometBFT node with its built-in kvstore application, on loopback, in a folder of its own. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenesisValidator } from '../../../server/ledger/index.ts';
import { freePort } from '../../e2e/support/server.ts';
import { endChild } from '../../support/child-process.ts';

/** The program; without it nothing that needs a node can be tested. */
export const COMETBFT = process.env['COMETBFT'] ?? '';
export const hasCometbft = existsSync(COMETBFT);

const POLL_MS = 50;
const READY_MS_MAX = 60_000;

export class CometbftNode {
  readonly #options: readonly string[];
  #home = '';
  #port = 0;
  #child: ChildProcess | undefined;
  #log = '';

  readonly #program: string;

  /** Makes a block only when there is something to put into it, unless the options say otherwise. */
  constructor(options: readonly string[] = ['--consensus.create_empty_blocks=false'], program = COMETBFT) {
    this.#options = options;
    this.#program = program;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get chainId(): string {
    return this.#genesis().chain_id;
  }

  /** As its genesis file names them. */
  get validators(): GenesisValidator[] {
    return this.#genesis().validators.map(({ pub_key, power, name }) => ({
      publicKey: Buffer.from(pub_key.value, 'base64').toString('hex'),
      power: Number(power),
      name,
    }));
  }

  #genesis(): { chain_id: string; validators: { pub_key: { value: string }; power: string; name: string }[] } {
    return JSON.parse(readFileSync(path.join(this.#home, 'config', 'genesis.json'), 'utf8'));
  }

  async start(): Promise<void> {
    if (this.#home === '') {
      this.#home = await mkdtemp(path.join(tmpdir(), 'txledger-node-'));
      execFileSync(this.#program, ['init', '--home', this.#home], { stdio: 'ignore' });
      const file = path.join(this.#home, 'config', 'config.toml');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/timeout_commit = "\w+"/, 'timeout_commit = "50ms"'));
      this.#port = await freePort();
    }
    const peers = await freePort();
    this.#child = spawn(
      this.#program,
      [
        'start',
        '--home',
        this.#home,
        '--proxy_app=kvstore',
        '--rpc.laddr',
        `tcp://127.0.0.1:${this.#port}`,
        '--p2p.laddr',
        `tcp://127.0.0.1:${peers}`,
        '--log_level',
        'error',
        ...this.#options,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
    await this.#untilReady();
  }

  async kill(): Promise<void> {
    await endChild(this.#child, 'SIGKILL');
  }

  async dispose(): Promise<void> {
    await this.kill();
    if (this.#home !== '') await rm(this.#home, { recursive: true, force: true });
  }

  /** The whole answer of the node, as text. */
  async askText(method: string, params: object = {}): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.url, { method: 'POST', body, headers: { connection: 'close' } });
    return await response.text();
  }

  async ask(method: string, params: object = {}): Promise<any> {
    return JSON.parse(await this.askText(method, params));
  }

  async #untilReady(): Promise<void> {
    const end = Date.now() + READY_MS_MAX;
    for (;;) {
      const answer = await this.ask('status').catch(() => undefined);
      if (answer?.result !== undefined) return;
      if (this.#child?.exitCode !== null || Date.now() > end)
        throw new Error(`the node does not start: ${this.#log.slice(-2000)}`);
      await sleep(POLL_MS);
    }
  }
}
