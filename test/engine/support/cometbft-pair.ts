/** A stock CometBFT node beside our application, both as processes of their own, as an operator runs them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../../scripts/steps.ts';
import { formatValidatorKey } from '../../../server/engine/validator-key.ts';
import type { GenesisDocument } from '../../../server/ledger/index.ts';
import { call, environment, freePort } from '../../e2e/support/server.ts';
import { endChild, endedInTime } from '../../support/child-process.ts';

/** The program; tests that need it skip when it is not named. */
export const COMETBFT = process.env['COMETBFT'] ?? '';

const POLL_MS = 20;
/** Far above what anything here takes: the machine is shared. */
const WAIT_MS_MAX = 90_000;
/** A stock node that lost its application ends itself; rarely it hangs on the way, and a service manager would kill it then. */
const END_MS_MAX = 30_000;

export interface PairOptions {
  genesis: GenesisDocument;
  /** The node is a validator with the key of this seed; a full node without. */
  validatorSeed?: Uint8Array;
  /** Lines of config.toml, `section.key` to value as TOML writes it. */
  config?: Record<string, string>;
  /** Environment of the application. */
  variables?: Record<string, string>;
}

/** Sets keys of a TOML file as CometBFT writes it: one line each, sections in brackets. */
function setToml(text: string, values: Record<string, string>): string {
  const rest = new Map(Object.entries(values));
  let section = '';
  const lines = text.split('\n').map((line) => {
    section = /^\[(.+)\]$/.exec(line)?.[1] ?? section;
    const key = /^([a-z_]+) = /.exec(line)?.[1];
    const name = section === '' ? (key ?? '') : `${section}.${key}`;
    const value = rest.get(name);
    if (key === undefined || value === undefined) return line;
    rest.delete(name);
    return `${key} = ${value}`;
  });
  if (rest.size > 0) throw new Error(`config.toml has no ${[...rest.keys()].join(', ')}`);
  return lines.join('\n');
}

export class CometbftPair {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'txledger-pair-'));
  readonly #options: PairOptions;
  #app: ChildProcess | undefined;
  #node: ChildProcess | undefined;
  #rpcPort = 0;
  #p2pPort = 0;
  appOutput = '';
  nodeOutput = '';

  private constructor(options: PairOptions) {
    this.#options = options;
  }

  static async create(options: PairOptions): Promise<CometbftPair> {
    const pair = new CometbftPair(options);
    pair.#rpcPort = await freePort();
    pair.#p2pPort = await freePort();
    execFileSync(COMETBFT, ['init', '--home', pair.#home], { stdio: 'ignore' });
    writeFileSync(path.join(pair.#home, 'config/genesis.json'), options.genesis.bytes);
    if (options.validatorSeed)
      writeFileSync(path.join(pair.#home, 'config/priv_validator_key.json'), formatValidatorKey(options.validatorSeed));
    pair.configure({
      proxy_app: JSON.stringify(`unix://${pair.#socket}`),
      log_level: '"error"',
      'rpc.laddr': `"tcp://127.0.0.1:${pair.#rpcPort}"`,
      'p2p.laddr': `"tcp://127.0.0.1:${pair.#p2pPort}"`,
      'p2p.addr_book_strict': 'false',
      'p2p.allow_duplicate_ip': 'true',
      'p2p.pex': 'false',
      'consensus.timeout_commit': '"100ms"',
      ...options.config,
    });
    return pair;
  }

  get #home(): string {
    return path.join(this.folder, 'node');
  }

  get #socket(): string {
    return path.join(this.folder, 'abci.sock');
  }

  get rpcUrl(): string {
    return `http://127.0.0.1:${this.#rpcPort}`;
  }

  /** For persistent_peers of others. */
  get peer(): string {
    const id = execFileSync(COMETBFT, ['show-node-id', '--home', this.#home]).toString().trim();
    return `${id}@127.0.0.1:${this.#p2pPort}`;
  }

  configure(values: Record<string, string>): void {
    const file = path.join(this.#home, 'config/config.toml');
    writeFileSync(file, setToml(readFileSync(file, 'utf8'), values));
  }

  startApp(): void {
    this.appOutput = '';
    this.#app = this.#spawn(
      process.execPath,
      [path.join(ROOT, 'server/cli/txledger.ts'), 'app'],
      (text) => (this.appOutput += text),
    );
  }

  startNode(): void {
    this.nodeOutput = '';
    this.#node = this.#spawn(COMETBFT, ['start', '--home', this.#home], (text) => (this.nodeOutput += text));
  }

  async start(): Promise<void> {
    this.startApp();
    this.startNode();
    await this.height();
  }

  #spawn(program: string, args: string[], write: (text: string) => void): ChildProcess {
    const variables = {
      DATA_DIR: path.join(this.folder, 'app'),
      ABCI_LISTEN: `unix://${this.#socket}`,
      ...this.#options.variables,
    };
    const child = spawn(program, args, { cwd: ROOT, env: environment(variables), stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => write(chunk.toString()));
    return child;
  }

  async killNode(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    return endChild(this.#node, signal);
  }

  /** Stops the node where it is, as a machine that hangs does, or lets it go on. */
  signalNode(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#node?.kill(signal);
  }

  /** The node ends by itself when its application is gone. */
  async killApp(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    return endChild(this.#app, signal);
  }

  async nodeEnded(): Promise<void> {
    if (this.#node) await endedInTime(this.#node, END_MS_MAX);
  }

  /** Takes the last block back out of the node's state with the stock command; node and application are down. What it printed. */
  rollback(): string {
    return execFileSync(COMETBFT, ['rollback', '--home', this.#home], { encoding: 'utf8' });
  }

  /** Forgets the application's state; both must be stopped. */
  wipeApp(): void {
    rmSync(path.join(this.folder, 'app'), { recursive: true });
  }

  /** `result` of a method; waits while the node does not answer. */
  async rpc(route: string): Promise<any> {
    const endMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      const answer = await call(`${this.rpcUrl}/${route}`).catch(() => undefined);
      if (answer?.body.result) return answer.body.result;
      if (answer?.body.error && !/height|must be less/.test(JSON.stringify(answer.body.error)))
        throw new Error(JSON.stringify(answer.body.error));
      if (performance.now() > endMs)
        throw new Error(
          `no answer to ${route}; the node said:\n${this.nodeOutput}\nthe application said:\n${this.appOutput}`,
        );
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
        throw new Error(`height ${height} was not reached; the node said:\n${this.nodeOutput}`);
      await sleep(POLL_MS);
    }
  }

  async broadcast(raw: Uint8Array): Promise<{ code: number; log: string }> {
    return this.rpc(`broadcast_tx_sync?tx=0x${Buffer.from(raw).toString('hex')}`);
  }

  async dispose(): Promise<void> {
    await endChild(this.#node, 'SIGKILL');
    await endChild(this.#app, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
