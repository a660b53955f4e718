/** A node and its application as an operator of docs/NETWORK.md runs them: made by the same commands, each a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, openSync, closeSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/steps.ts';
import { askNode, type NodeAddress, nodeFacts } from '../../server/cli/validator/node.ts';
import { succeeds } from '../e2e/support/gateway-files.ts';
import { environment, freePort } from '../e2e/support/server.ts';
import { endChild, endedInTime } from '../support/child-process.ts';

export const COMETBFT = process.env['COMETBFT'] ?? '';
/** Programs of other lines, with colons between them, to which the phase `lines` moves every node. */
export const COMETBFT_LINES = (process.env['COMETBFT_LINES'] ?? '').split(':').filter(Boolean);
export const THIS_BUILD = path.join(ROOT, 'server/cli/txledger.ts');

/** Far above what anything here takes: the machine is shared. */
const WAIT_MS_MAX = 120_000;
/** A stock node that lost its application ends itself; rarely it hangs on the way. */
const END_MS_MAX = 30_000;
const LOOK_MS = 100;
/** Often enough that a new node finds a snapshot after a minute of blocks. */
const SNAPSHOT_INTERVAL_BLOCKS = '20';

export class Pair {
  readonly name: string;
  readonly home: string;
  readonly dataDir: string;
  readonly node: NodeAddress;
  /** What the node runs when it starts next. */
  program = COMETBFT;
  readonly #ports: { readonly rpc: number; readonly p2p: number; readonly abci: number };
  readonly #chainId: string;
  #app: ChildProcess | undefined;
  #node: ChildProcess | undefined;
  #build = THIS_BUILD;

  private constructor(
    folder: string,
    name: string,
    chainId: string,
    ports: { rpc: number; p2p: number; abci: number },
  ) {
    this.name = name;
    this.home = path.join(folder, name);
    this.dataDir = path.join(folder, `${name}-app`);
    this.node = { url: `http://127.0.0.1:${ports.rpc}` };
    this.#ports = ports;
    this.#chainId = chainId;
  }

  /** A home with keys of its own; it has no genesis and no peers yet. */
  static async create(folder: string, name: string, chainId: string): Promise<Pair> {
    const pair = new Pair(folder, name, chainId, {
      rpc: await freePort(),
      p2p: await freePort(),
      abci: await freePort(),
    });
    execFileSync(COMETBFT, ['init', '--home', pair.home], { stdio: 'ignore' });
    return pair;
  }

  get peer(): string {
    return `${execFileSync(COMETBFT, ['show-node-id', '--home', this.home]).toString().trim()}@127.0.0.1:${this.#ports.p2p}`;
  }

  /** Lower-case hex. */
  get publicKey(): string {
    const { pub_key: key } = JSON.parse(
      readFileSync(path.join(this.home, 'config/priv_validator_key.json'), 'utf8'),
    ) as { pub_key: { value: string } };
    return Buffer.from(key.value, 'base64').toString('hex');
  }

  get address(): string {
    return (
      JSON.parse(readFileSync(path.join(this.home, 'config/priv_validator_key.json'), 'utf8')) as { address: string }
    ).address;
  }

  async configure(genesis: string, peers: readonly Pair[]): Promise<void> {
    copyFileSync(genesis, path.join(this.home, 'config/genesis.json'));
    const { rpc, p2p, abci } = this.#ports;
    const tcp = (port: number): string => `tcp://127.0.0.1:${port}`;
    const named = peers.filter((each) => each !== this).map(({ peer }) => peer);
    await succeeds([
      'cometbft-config',
      '--home',
      this.home,
      '--validator',
      '--peers',
      named.join(','),
      '--private-network',
      '--same-host',
      '--rpc',
      tcp(rpc),
      '--p2p',
      tcp(p2p),
      '--app',
      tcp(abci),
    ]);
  }

  startApp(build = this.#build): void {
    this.#build = build;
    const variables = {
      DATA_DIR: this.dataDir,
      ABCI_LISTEN: `tcp://127.0.0.1:${this.#ports.abci}`,
      TXLEDGER_CHAIN_ID: this.#chainId,
      TXLEDGER_SNAPSHOT_INTERVAL: SNAPSHOT_INTERVAL_BLOCKS,
    };
    this.#app = this.#spawn(process.execPath, [build, 'app'], variables, 'app');
  }

  startNode(): void {
    this.#node = this.#spawn(this.program, ['node', '--home', this.home, '--log_level', 'info'], {}, 'node');
  }

  start(build = this.#build): void {
    this.startApp(build);
    this.startNode();
  }

  log(what: 'app' | 'node'): string {
    return readFileSync(`${this.home}-${what}.log`, 'utf8');
  }

  #spawn(program: string, args: string[], variables: Record<string, string>, what: string): ChildProcess {
    const log = openSync(`${this.home}-${what}.log`, 'a');
    const child = spawn(program, args, { cwd: ROOT, env: environment(variables), stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }

  /** The node first, as a unit of systemd does. */
  async stop(): Promise<void> {
    await endChild(this.#node, 'SIGTERM');
    await endChild(this.#app, 'SIGTERM');
  }

  async kill(): Promise<void> {
    await endChild(this.#node, 'SIGKILL');
    await endChild(this.#app, 'SIGKILL');
  }

  async nodeEnded(): Promise<void> {
    if (this.#node) await endedInTime(this.#node, END_MS_MAX);
  }

  /** Resolves when the node says so; what it printed last is in the error. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const endMs = performance.now() + WAIT_MS_MAX;
    while (!(await holds().catch(() => false))) {
      if (performance.now() > endMs)
        throw new Error(
          `${this.name}: not ${what} within ${WAIT_MS_MAX} ms\n${this.log('node').slice(-3000)}\n${this.log('app').slice(-1000)}`,
        );
      await sleep(LOOK_MS);
    }
  }

  height(): Promise<number> {
    return nodeFacts(this.node).then(({ height }) => height);
  }

  async untilHeight(height: number): Promise<void> {
    await this.until(`at height ${height}`, async () => (await this.height()) >= height);
  }

  async appHash(height: number): Promise<string> {
    return (await askNode<{ app_hash: string }>(this.node, 'block_results', { height: String(height) })).app_hash;
  }
}
