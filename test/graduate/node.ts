/** A stock node on a home of its own, beside our application, both as processes that a test may kill. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setToml } from '../../server/engine/cometbft/home/toml.ts';
import { ROOT } from '../../scripts/steps.ts';
import { call, environment, freePort } from '../e2e/support/server.ts';
import { COMETBFT } from '../engine/support/cometbft-node.ts';
import { endChild } from '../support/child-process.ts';

const POLL_MS = 20;
/** Far above what anything here takes: the machine is shared. */
const WAIT_MS_MAX = 90_000;

export class Node {
  readonly home: string;
  readonly appDir: string;
  readonly #socket: string;
  readonly rpcUrl: string;
  readonly #p2p: number;
  #app: ChildProcess | undefined;
  #node: ChildProcess | undefined;
  output = '';

  private constructor(home: string, appDir: string, rpc: number, p2p: number) {
    this.home = home;
    this.appDir = appDir;
    this.#socket = `${home}.sock`;
    this.rpcUrl = `http://127.0.0.1:${rpc}`;
    this.#p2p = p2p;
  }

  static async at(home: string, appDir = path.join(home, 'app')): Promise<Node> {
    return new Node(home, appDir, await freePort(), await freePort());
  }

  static init(home: string): void {
    execFileSync(COMETBFT, ['init', '--home', home], { stdio: 'ignore' });
  }

  /** Ports, peers and the pace of a test, in the config.toml of `cometbft init`. */
  configure(peers = ''): void {
    const file = path.join(this.home, 'config/config.toml');
    const settings = {
      '': { proxy_app: `unix://${this.#socket}`, log_level: 'main:info,consensus:info,*:error' },
      rpc: { laddr: this.rpcUrl.replace('http', 'tcp') },
      p2p: {
        laddr: `tcp://127.0.0.1:${this.#p2p}`,
        persistent_peers: peers,
        pex: false,
        addr_book_strict: false,
        allow_duplicate_ip: true,
      },
      consensus: { timeout_propose: '1s', timeout_commit: '100ms', create_empty_blocks_interval: '1s' },
    };
    writeFileSync(file, setToml(readFileSync(file, 'utf8'), settings));
  }

  get peer(): string {
    return `${execFileSync(COMETBFT, ['show-node-id', '--home', this.home]).toString().trim()}@127.0.0.1:${this.#p2p}`;
  }

  spawn(): void {
    mkdirSync(this.appDir, { recursive: true, mode: 0o700 });
    const variables = { DATA_DIR: this.appDir, ABCI_LISTEN: `unix://${this.#socket}`, LOG_LEVEL: 'warn' };
    this.#app = this.#start(process.execPath, [path.join(ROOT, 'server/cli/txledger.ts'), 'app'], variables);
    this.#node = this.#start(COMETBFT, ['node', '--home', this.home]);
  }

  #start(program: string, args: string[], variables: Record<string, string> = {}): ChildProcess {
    const child = spawn(program, args, { cwd: ROOT, env: environment(variables), stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-20_000)));
    return child;
  }

  async start(): Promise<void> {
    this.spawn();
    await this.height();
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await endChild(this.#node, signal);
    await endChild(this.#app, signal);
  }

  /** `result` of a method; waits while the node does not answer. */
  async rpc(route: string): Promise<any> {
    const endMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      const answer = await call(`${this.rpcUrl}/${route}`).catch(() => undefined);
      if (answer?.body.result) return answer.body.result;
      if (performance.now() > endMs)
        throw new Error(`no answer to ${route} (${JSON.stringify(answer?.body)}); the node said:\n${this.output}`);
      await sleep(POLL_MS);
    }
  }

  async height(): Promise<number> {
    return Number((await this.rpc('status')).sync_info.latest_block_height);
  }

  async waitForHeight(height: number): Promise<void> {
    const endMs = performance.now() + WAIT_MS_MAX;
    while ((await this.height()) < height) {
      if (performance.now() > endMs)
        throw new Error(`height ${height} was not reached; the node said:\n${this.output}`);
      await sleep(POLL_MS);
    }
  }

  get hasKey(): boolean {
    return existsSync(path.join(this.home, 'config/priv_validator_key.json'));
  }
}
