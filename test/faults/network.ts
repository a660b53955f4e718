/** Four validators, two database servers and two gateways, each a process of its own, with a link before every port that one of them reaches another by. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launch, type Child } from '../../scripts/localnet/launch.ts';
import { localnetFolder, type LocalnetFolder, makeFolder } from '../../scripts/localnet/folder.ts';
import { type NodePorts, prepareNodes, VALIDATORS } from '../../scripts/localnet/nodes.ts';
import { GATEWAYS, STOP } from '../../scripts/localnet/parts.ts';
import { Ports } from '../../scripts/localnet/ports.ts';
import { startFirst } from '../../scripts/localnet/priority.ts';
import { awaitReady } from '../../scripts/localnet/readiness.ts';
import type { PartKind } from '../../scripts/localnet/state.ts';
import { type PartSpec, Unit } from '../../scripts/localnet/unit.ts';
import { gatewayVariables } from '../../scripts/localnet/variables.ts';
import { ROOT } from '../../scripts/steps.ts';
import { withAccess } from '../../server/app/access.ts';
import { DEVELOPMENT_CHAIN_ID } from '../../server/app/dev-accounts.ts';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { keepDevelopmentFacts } from '../../server/app/development-facts.ts';
import { setToml } from '../../server/engine/cometbft/home/toml.ts';
import { call, environment } from '../e2e/support/server.ts';
import { Databases, until } from './databases.ts';
import { Link } from './link.ts';

const TXLEDGER = path.join(ROOT, 'server/cli/txledger.ts');
const READY_MS_MAX = 120_000;
const ANSWER_MS_MAX = 3000;
/** Answers have whole seconds, and a process looks at its clock file once a second. */
const SKEW_MS_OFF_MAX = 3000;
const SKEW_SEEN_MS_MAX = 5000;
/** A node this far behind the others is not with them. */
const BLOCKS_BEHIND_MAX = 2;
/** Where Debian has the library that changes what a process takes for the time. */
const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** A process whose clock can be set while it runs. */
export class Clock {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.skew(0);
  }

  static readonly isThere = FAKETIME !== undefined;

  /** By seconds from the true time. */
  skew(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  get variables(): Record<string, string> {
    if (FAKETIME === undefined) return {};
    // Monotonic time goes on, as on a machine whose clock is set.
    return {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
}

export class Network {
  readonly #folder: LocalnetFolder;
  readonly #cometbft: string;
  readonly #ports: NodePorts[] = [];
  readonly #gatewayPorts: number[] = [];
  readonly #pids = new Map<string, number>();
  readonly #units = new Map<string, Unit>();
  readonly clocks = new Map<string, Clock>();
  readonly links: Link[] = [];
  /** `p2p[i][j]`: by which node i dials node j. */
  readonly p2p: (Link | undefined)[][] = [];
  readonly abci: Link[] = [];
  /** By gateway and node. */
  readonly rpc: Link[][] = [];
  /** By gateway and place in DATABASE_URL. */
  readonly database: [Link, Link][] = [];
  #databases: Databases | undefined;
  #development: DevelopmentFile | undefined;

  private constructor(folder: string, cometbft: string) {
    this.#folder = localnetFolder(folder);
    this.#cometbft = cometbft;
  }

  /** @param onMade gets it before anything runs, so that whatever starts can be ended. */
  static async start(folder: string, cometbft: string, onMade: (net: Network) => void): Promise<Network> {
    const net = new Network(folder, cometbft);
    onMade(net);
    makeFolder(net.#folder.logs);
    await net.#prepare();
    for (let i = 0; i < VALIDATORS; i += 1) net.startValidator(i);
    for (let i = 0; i < GATEWAYS; i += 1) net.startGateway(i);
    const lacking = await awaitReady(net.gateways, READY_MS_MAX, new AbortController().signal);
    if (lacking.length > 0) throw new Error(`the network is not ready: ${lacking.join('; ')}`);
    // Gateways are ready with three of four nodes; a node whose application started later than it has died, and its turn comes again.
    await net.untilWhole(READY_MS_MAX);
    return net;
  }

  get databases(): Databases {
    if (this.#databases === undefined) throw new Error('there is no database yet');
    return this.#databases;
  }

  get development(): DevelopmentFile {
    if (this.#development === undefined) throw new Error('there is no token yet');
    return this.#development;
  }

  get gateways(): string[] {
    return this.#gatewayPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  /** The RPC of the nodes themselves, beside all links. */
  get nodes(): string[] {
    return this.#ports.map(({ rpc }) => `http://127.0.0.1:${rpc}`);
  }

  log(name: string): string {
    return path.join(this.#folder.logs, `${name}.log`);
  }

  startValidator(index: number): void {
    const name = `validator-${index}`;
    this.#start(name, [this.#part('app', index), this.#part('node', index)]);
  }

  startGateway(index: number): void {
    this.#start(`gateway-${index}`, [this.#part('gateway', index)]);
  }

  /** Until it is started again. */
  async stopValidator(index: number): Promise<void> {
    await this.#units.get(`validator-${index}`)?.stop();
  }

  /** @throws Error when it does not run. */
  pidOf(part: string): number {
    const pid = this.#pids.get(part);
    if (pid === undefined) throw new Error(`${part} does not run`);
    return pid;
  }

  isProcess(part: string, pid: number): boolean {
    return this.#pids.get(part) === pid;
  }

  /** Its supervisor starts it again. */
  kill(part: string): void {
    process.kill(this.pidOf(part), 'SIGKILL');
  }

  signal(part: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#pids.get(part);
    if (pid !== undefined) process.kill(pid, signal);
  }

  /** All that node `index` speaks with others through. */
  linksOfNode(index: number): Link[] {
    return this.p2p.flatMap((row, from) =>
      row.filter((link, to): link is Link => link !== undefined && (from === index || to === index)),
    );
  }

  linksBetween(group: readonly number[]): Link[] {
    return this.p2p.flatMap((row, from) =>
      row.filter((link, to): link is Link => link !== undefined && group.includes(from) !== group.includes(to)),
    );
  }

  /** What a gateway takes for the time stands in every answer; a new skew is in it within two seconds, because the library and Node.js each keep a time for one. */
  async lacksSkew(gateway: number, seconds: number): Promise<string | undefined> {
    let date = '';
    const isThere = async (): Promise<boolean> => {
      const answer = await call(`${this.gateways[gateway]}/livez`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
      date = answer.headers.get('date') ?? '';
      return Math.abs(Date.parse(date) - Date.now() - seconds * 1000) < SKEW_MS_OFF_MAX;
    };
    return await until('the skew', isThere, SKEW_SEEN_MS_MAX).then(
      () => undefined,
      () => `gateway-${gateway} says that it is ${date}`,
    );
  }

  /** What is not as it was at the start; empty when all is well. */
  async lacks(): Promise<string[]> {
    const facts = await Promise.all(
      this.nodes.map(async (node) => {
        const answer = await call(`${node}/status`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).catch(
          () => undefined,
        );
        const info = answer?.body?.result?.sync_info;
        return info === undefined || info.catching_up === true ? undefined : Number(info.latest_block_height);
      }),
    );
    const highest = Math.max(...facts.map((height) => height ?? 0));
    const lacking = facts.flatMap((height, index) =>
      height !== undefined && height >= highest - BLOCKS_BEHIND_MAX
        ? []
        : [`node-${index} is at ${height ?? 'no height'}, the others at ${highest}`],
    );
    for (const [index, gateway] of this.gateways.entries()) {
      const ready = await call(`${gateway}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).catch(
        () => undefined,
      );
      if (ready?.status !== 200)
        lacking.push(`gateway-${index} is not ready: ${JSON.stringify(ready?.body)?.slice(0, 300)}`);
    }
    if (!(await this.databases.isWhole())) lacking.push('the primary has no synchronous standby');
    return lacking;
  }

  /** @throws Error that names what is lacking after `msMax`. */
  async untilWhole(msMax: number): Promise<void> {
    let lacks: string[] = [];
    const isWhole = async (): Promise<boolean> => (lacks = await this.lacks()).length === 0;
    await until('the network is whole', isWhole, msMax).catch((error: Error) => {
      throw new Error(`${error.message}: ${lacks.join('; ')}`);
    });
  }

  async stop(): Promise<void> {
    for (const [, pid] of this.#pids) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It has ended.
      }
    }
    const units = [...this.#units.values()];
    for (const unit of units) unit.kill();
    await Promise.all(units.map((unit) => unit.stop()));
    await this.#databases?.stop();
    for (const link of this.links) link.close();
  }

  async #prepare(): Promise<void> {
    const ports = new Ports([]);
    const open = async (name: string, target: number): Promise<Link> => {
      const link = await Link.open(name, await ports.take(undefined), target);
      this.links.push(link);
      return link;
    };
    for (let i = 0; i < VALIDATORS; i += 1)
      this.#ports.push({
        rpc: await ports.take(undefined),
        p2p: await ports.take(undefined),
        abci: await ports.take(undefined),
      });
    for (let i = 0; i < GATEWAYS; i += 1) this.#gatewayPorts.push(await ports.take(undefined));
    await prepareNodes(this.#folder, { cometbft: this.#cometbft, ports: this.#ports });
    for (const [i, { abci }] of this.#ports.entries()) {
      this.abci.push(await open(`app-${i} of node-${i}`, abci));
      const row: (Link | undefined)[] = [];
      for (const [j, { p2p }] of this.#ports.entries())
        row.push(i === j ? undefined : await open(`node-${j} of node-${i}`, p2p));
      this.p2p.push(row);
      this.#dialThroughLinks(i);
    }
    this.#databases = await Databases.start(await ports.take(undefined), (target) =>
      open('the primary of the standby', target),
    );
    for (let i = 0; i < GATEWAYS; i += 1) {
      const rpc: Link[] = [];
      for (const [j, node] of this.#ports.entries()) rpc.push(await open(`node-${j} of gateway-${i}`, node.rpc));
      this.rpc.push(rpc);
      const [first, second] = this.databases.servers;
      this.database.push([
        await open(`database 0 of gateway-${i}`, first.port),
        await open(`database 1 of gateway-${i}`, second.port),
      ]);
      makeFolder(this.#folder.gateway(i));
    }
    this.#development = await keepDevelopmentFacts({
      ...{ file: this.#folder.development, host: '127.0.0.1', port: this.#gatewayPorts[0] ?? 0 },
      onDatabase: (work) =>
        withAccess({ kind: 'postgres', url: this.databases.primary.url(this.databases.database) }, work),
    });
  }

  #dialThroughLinks(index: number): void {
    const file = path.join(this.#folder.node(index), 'config/config.toml');
    const text = readFileSync(file, 'utf8');
    const [, peers = ''] = /^persistent_peers = "(.*)"$/m.exec(text) ?? [];
    const dialled = peers.replace(
      /:(\d+)(?=,|$)/g,
      (_, port: string) => `:${this.p2p[index]?.find((link) => link?.target === Number(port))?.port}`,
    );
    writeFileSync(
      file,
      setToml(text, {
        '': { proxy_app: `tcp://127.0.0.1:${this.abci[index]?.port}` },
        p2p: { persistent_peers: dialled },
      }),
    );
  }

  #start(name: string, parts: PartSpec[]): void {
    const unit = new Unit(parts, {
      started: (part, pid) => void (pid !== undefined && this.#pids.set(part, pid)),
      ended: (part) => void this.#pids.delete(part),
      died: () => undefined,
    });
    this.#units.set(name, unit);
    unit.start();
  }

  #part(kind: Exclude<PartKind, 'postgres'>, index: number): PartSpec {
    const name = `${kind}-${index}`;
    const { signal, graceMs } = STOP[kind];
    return {
      ...{ name, graceMs, stopSignal: signal },
      launch: () => {
        const child = this.#launch(kind, index);
        void startFirst(child);
        return child;
      },
    };
  }

  #launch(kind: Exclude<PartKind, 'postgres'>, index: number): Child {
    const log = this.log(`${kind}-${index}`);
    const { node, app, gateway, path: cwd } = this.#folder;
    if (kind === 'node')
      return launch({
        program: this.#cometbft,
        args: ['node', '--home', node(index)],
        env: textOf(environment({})),
        cwd,
        log,
      });
    const variables =
      kind === 'app'
        ? {
            ABCI_LISTEN: `tcp://127.0.0.1:${this.#ports[index]?.abci}`,
            DATA_DIR: app(index),
            TXLEDGER_CHAIN_ID: DEVELOPMENT_CHAIN_ID,
          }
        : this.#gatewayVariables(index, gateway(index));
    const clock =
      this.clocks.get(`${kind}-${index}`) ?? new Clock(path.join(this.#folder.path, `${kind}-${index}.clock`));
    this.clocks.set(`${kind}-${index}`, clock);
    const env = textOf(environment({ ...variables, LOG_LEVEL: 'info', ...clock.variables }));
    return launch({ program: process.execPath, args: [TXLEDGER, kind === 'app' ? 'app' : 'serve'], env, cwd, log });
  }

  /** The first node answers a gateway's reads: each has another. */
  #gatewayVariables(index: number, dataDir: string): Record<string, string> {
    const links = this.rpc[index] ?? [];
    const nodeUrls = [...links.slice(index), ...links.slice(0, index)].map(({ port }) => `http://127.0.0.1:${port}`);
    return gatewayVariables({
      ...{
        port: this.#gatewayPorts[index] ?? 0,
        dataDir,
        nodeUrls,
        genesis: this.#folder.genesis,
        operatorKey: this.#folder.operatorKey,
      },
      databaseUrl: this.databases.url(this.database[index] as [Link, Link]),
    });
  }
}

const textOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
