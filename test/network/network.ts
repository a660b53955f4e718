/** Four validators, a gateway and a payer who never stops: made from nothing by the commands of docs/NETWORK.md. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChainState, chainStateOfService } from '../../server/cli/governance/chain-state.ts';
import { encodeAddress, publicKeyOfSeed, SEED_BYTES } from '../../server/ledger/index.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { succeeds } from '../e2e/support/gateway-files.ts';
import { addressOfKeyFile, seedOfKeyFile } from '../e2e/support/role-keys.ts';
import { call, freePort, Server, txledger } from '../e2e/support/server.ts';
import type { CommandResult } from '../support/child-process.ts';
import { Pair, THIS_BUILD } from './pair.ts';

const CHAIN_ID = 'network-1';
const VALIDATORS = 4;
const GOVERNORS = 3;
const POWER = 10;
/** Between two payments. */
const PAY_EVERY_MS = 100;
const RETRY_MS = 100;
const SETTLE_MS_MAX = 60_000;
const TREASURY = 'treasury';

export class Network {
  readonly folder: string;
  readonly pairs: Pair[] = [];
  /** What pairs run, unless a test says otherwise. */
  build = THIS_BUILD;
  /** From this height on version 2 of the rules counts. */
  activation = 0;
  #gateway: Server | undefined;
  #port = 0;
  #token = '';
  #extra = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Of commands that speak with the gateway. */
  get variables(): Record<string, string> {
    return { TXLEDGER_URL: this.baseUrl, TXLEDGER_TOKEN: this.#token, COMETBFT: process.env['COMETBFT'] ?? '' };
  }

  static async start(folder: string): Promise<Network> {
    const net = new Network(folder);
    net.#port = await freePort();
    for (let i = 1; i <= VALIDATORS; i += 1) net.pairs.push(await Pair.create(folder, `node-${i}`, CHAIN_ID));
    const canceller = await succeeds(['operator-key', 'create', '--out', net.file('operator.json')]);
    const treasury = await succeeds(['key', 'create', '--out', net.file(`${TREASURY}.json`)]);
    const governors: string[] = [];
    for (let i = 1; i <= GOVERNORS; i += 1)
      governors.push('--governor', await succeeds(['governor-key', 'create', '--out', net.file(`governor-${i}.json`)]));
    await succeeds([
      ...[
        'genesis',
        'create',
        '--chain-id',
        CHAIN_ID,
        '--out',
        net.file('genesis.json'),
        '--canceller',
        canceller,
        ...governors,
        '--threshold',
        '2',
        '--currency',
        'EUR:2',
      ],
      ...['--account', `${treasury}=1000000000`],
      ...net.pairs.flatMap(({ publicKey }) => ['--validator', `${publicKey}=${POWER}`]),
    ]);
    for (const pair of net.pairs) {
      await pair.configure(net.file('genesis.json'), net.pairs);
      pair.start();
    }
    for (const pair of net.pairs) await pair.untilHeight(2);
    net.#token = await succeeds(
      [
        'token',
        'create',
        '--owner',
        'test',
        '--scope',
        'transactions:read',
        '--scope',
        'transactions:write',
        '--scope',
        'rpc:broadcast',
      ],
      { ENGINE: 'cometbft', DATA_DIR: net.file('gateway') },
    );
    await net.startGateway();
    return net;
  }

  /** Of this build, or of another one. */
  async startGateway(build = this.build): Promise<void> {
    this.#gateway = new Server({
      command: 'serve',
      dataDir: this.file('gateway'),
      port: this.#port,
      program: { file: build, cwd: this.folder },
      variables: {
        ...{
          ENGINE: 'cometbft',
          COMETBFT_RPC_URL: this.pairs.map(({ node }) => node.url).join(','),
          GENESIS_FILE: this.file('genesis.json'),
          OPERATOR_KEY_FILE: this.file('operator.json'),
          // What the phases ask the chain needs no token.
          RPC_ACCESS: 'reads',
        },
        ...{ LOG_LEVEL: 'warn', IDLE_BLOCK_INTERVAL_S: '5' },
      },
    });
    await this.#gateway.start();
  }

  async restartGateway(build: string): Promise<void> {
    this.build = build;
    await this.#gateway?.stop('SIGTERM');
    await this.startGateway();
  }

  /** A further node, not started. */
  async another(): Promise<Pair> {
    this.#extra += 1;
    const pair = await Pair.create(this.folder, `node-${VALIDATORS + this.#extra}`, CHAIN_ID);
    await pair.configure(this.file('genesis.json'), this.pairs);
    this.pairs.push(pair);
    return pair;
  }

  /** `txledger validator ...` against the gateway. */
  validator(...args: readonly string[]): Promise<CommandResult> {
    return txledger(['validator', ...args, '--json'], this.variables);
  }

  /** The same, with two of the governors at hand; fails with its words. */
  async governed(...args: readonly string[]): Promise<any> {
    const result = await this.validator(
      ...args,
      '--key',
      this.file('governor-1.json'),
      this.file('governor-2.json'),
      '--yes',
      '--timeout',
      '120s',
    );
    if (result.code !== 0)
      throw new Error(
        `txledger validator ${args.join(' ')} ended with ${result.code}: ${result.stdout}${result.stderr}`,
      );
    return JSON.parse(result.stdout);
  }

  chain(): Promise<ChainState> {
    return chainStateOfService({ url: this.baseUrl, timeout: SETTLE_MS_MAX });
  }

  async powers(): Promise<Record<string, number>> {
    const { validators } = (await this.chain()).governance;
    return Object.fromEntries(
      validators.map(({ publicKey, power }) => [
        this.pairs.find((pair) => pair.publicKey === publicKey)?.name ?? publicKey,
        power,
      ]),
    );
  }

  payer(): Payer {
    return new Payer(
      this.baseUrl,
      this.#token,
      {
        address: addressOfKeyFile(this.file(`${TREASURY}.json`)),
        seed: seedOfKeyFile(this.file(`${TREASURY}.json`)).toString('hex'),
      },
      addressOfKeyFile(this.file('operator.json')),
    );
  }

  async dispose(): Promise<void> {
    await this.#gateway?.stop('SIGKILL');
    await Promise.all(this.pairs.map((pair) => pair.kill()));
  }
}

/** One account that pays again and again, and insists on every payment until the service has said that it is durable. */
export class Payer {
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #from: { address: string; seed: string };
  readonly #to: string;
  readonly hashes: string[] = [];
  #nonce: number | undefined;
  #stopped = false;
  #running: Promise<void> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(baseUrl: string, token: string, from: { address: string; seed: string }, to: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
    this.#from = from;
    this.#to = to;
  }

  start(): void {
    const run = async (): Promise<void> => {
      for (let amount = 1000n; !this.#stopped; amount += 1n) {
        await this.pay(amount);
        await sleep(PAY_EVERY_MS);
      }
    };
    this.#running = run();
  }

  /** @returns the hash, once it is acknowledged. */
  pay(amount: bigint, to = this.#to): Promise<string> {
    const paid = this.#queue.then(() => this.#insist(amount, to));
    this.#queue = paid.catch(() => undefined);
    return paid;
  }

  async #insist(amount: bigint, to: string): Promise<string> {
    const nonce = this.#nonce ?? (await this.#ask<{ nextNonce: number }>(`/accounts/${this.#from.address}`)).nextNonce;
    const { txHash, ...body } = signedBody(this.#from, { chainId: CHAIN_ID, to, amount, nonce });
    await this.#ask('/transactions', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    this.#nonce = nonce + 1;
    this.hashes.push(txHash);
    return txHash;
  }

  /** Asks until there is a final answer. */
  async #ask<Body>(route: string, init: RequestInit = {}): Promise<Body> {
    for (;;) {
      const answer = await call(this.#baseUrl + route, {
        ...init,
        token: this.#token,
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return answer.body as Body;
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`${route} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
      await sleep(RETRY_MS);
    }
  }

  async statusOf(hash: string): Promise<string> {
    const endMs = performance.now() + SETTLE_MS_MAX;
    for (;;) {
      const { status } = await this.#ask<{ status: string }>(`/transactions/${hash}`);
      if (status !== 'pending' || performance.now() > endMs) return status;
      await sleep(RETRY_MS);
    }
  }

  /** What a new account has once it was paid this. */
  async balanceOfNew(amount: bigint): Promise<string> {
    const to = encodeAddress(publicKeyOfSeed(crypto.getRandomValues(new Uint8Array(SEED_BYTES))), 'txl');
    const status = await this.statusOf(await this.pay(amount, to));
    if (status !== 'committed') throw new Error(`a payment of ${amount} is ${status}`);
    return (await this.#ask<{ balance: string }>(`/accounts/${to}`)).balance;
  }

  /** Ends it, and says how many of the acknowledged payments are in what state. */
  async stop(): Promise<Map<string, number>> {
    this.#stopped = true;
    await this.#running;
    const counts = new Map<string, number>();
    for (const hash of this.hashes) {
      const status = await this.statusOf(hash);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    return counts;
  }
}
