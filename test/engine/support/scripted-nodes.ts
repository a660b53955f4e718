/**
 * Nodes that answer as CometBFT does, from one embedded chain, until a test tells one of them to lag, lie, prune, hang or die. Nothing here
 * touches a network, so that a virtual clock moves everything.
 */
import {
  CometbftEngine,
  NodeFailure,
  type CallLimits,
  type CometbftEngineParts,
  type NodePort,
  type Subscriber,
  type Subscription,
} from '../../../server/engine/cometbft/index.ts';
import { QUERY_CODES } from '../../../server/engine/abci-query.ts';
import { BLOCK_CODES_PATH, blockCodesText } from '../../../server/engine/cometbft/block-codes.ts';
import { failuresOf } from '../../../server/engine/results.ts';
import {
  RPC_METHODS,
  type Checkpoint,
  type Engine,
  type EngineStatus,
  type RpcArguments,
  type RpcMethod,
} from '../../../server/engine/port.ts';
import { openSqliteSearchStore } from '../../../server/engine/search/sqlite-search-store.ts';
import { genesisGovernance } from '../../../server/ledger/index.ts';
import { signedTransfer, type TransferOptions } from '../../ledger/support.ts';
import { Fixture, genesis, type LogLine } from './fixture.ts';

/** A chain as far as a node asks it: an embedded engine's, or one that a test signs itself. */
export interface TellsChain {
  engine: { status(): Promise<Pick<EngineStatus, 'height'>>; rpc: Engine['rpc'] };
}

interface RequestJson {
  id: number;
  method: RpcMethod;
  params: Record<string, string>;
}

function decoded({ method, params }: RequestJson): RpcArguments {
  const args: RpcArguments = {};
  for (const { name, type } of RPC_METHODS[method].params) {
    const value = params[name];
    if (value === undefined) continue;
    if (type === 'int64' || type === 'int' || type === 'uint') args[name] = BigInt(value);
    else if (type === 'tx' || type === 'bytes') args[name] = Buffer.from(value, 'base64');
    else if (type === 'hexbytes') args[name] = Buffer.from(value, 'hex');
    else args[name] = value;
  }
  return args;
}

const errorOf = (data: string) => ({ error: { code: -32603, message: 'Internal error', data } });

const STEP_MS = 250;

/** Where trust begins: nothing but the genesis file. */
const GENESIS_CHECKPOINT: Checkpoint = {
  height: 0,
  hash: '',
  timeMs: Date.parse(genesis.genesisTime),
  governance: genesisGovernance(genesis),
  validatorSets: [{ height: 1, validators: genesisGovernance(genesis).validators }],
};

/** What the engine waits for between two events here are microtasks only, however many. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

export class ScriptedNode {
  readonly url: string;
  /** The chain that it serves. */
  chain: TellsChain;
  /** What becomes of a call; 'lost' breaks after the node has read the request. */
  fate: 'answers' | 'refused' | 'lost' | 'hangs' = 'answers';
  /** Its application stands still: whoever hands it a transaction waits until `thaw`. */
  #thawed: Promise<void> | undefined;
  thaw: () => void = () => undefined;
  /** It is no further than this. */
  heightMax = Infinity;
  /** It says in its status that it is this far, whatever it has. */
  claims: number | undefined;
  earliest = 1;
  catchingUp = false;
  batchMax = 100;
  chainId = genesis.chainId;
  /** Spoils a result on its way. */
  spoil: (method: string, result: any, height: number) => any = (_, result) => result;
  /** Refuses to answer, with these words. */
  refuse: (method: string, height: number) => string | undefined = () => undefined;
  /** Answers a broadcast in place of the mempool. */
  onBroadcast: ((tx: string) => object | undefined) | undefined;
  /** What stands behind it: an application that tells codes, as ours does, or one of a version before. */
  application: 'codes' | 'earlier' = 'codes';
  /** Called before each request of a batch is answered. */
  beforeRequest: (method: string) => void = () => undefined;
  /** Everything that was asked, in order, a list for each call. */
  calls: string[][] = [];
  /** Transactions in the order in which they came, in base64. */
  broadcasts: string[] = [];
  subscribers = new Set<Subscriber>();

  constructor(url: string, fixture: TellsChain) {
    this.url = url;
    this.chain = fixture;
  }

  async height(): Promise<number> {
    return Math.min((await this.chain.engine.status()).height, this.heightMax);
  }

  /** Calls that asked for this method. */
  count(method: string): number {
    return this.calls.flat().filter((asked) => asked === method).length;
  }

  freezeApplication(): void {
    this.#thawed = new Promise((resolve) => {
      this.thaw = () => {
        this.#thawed = undefined;
        resolve();
      };
    });
  }

  async call(body: string): Promise<string> {
    if (this.fate === 'refused') throw new NodeFailure('refused', 'connect ECONNREFUSED');
    if (this.fate === 'hangs') return await new Promise(() => undefined);
    const parsed = JSON.parse(body) as RequestJson | RequestJson[];
    const requests = Array.isArray(parsed) ? parsed : [parsed];
    this.calls.push(requests.map(({ method }) => method));
    if (requests.length > this.batchMax) {
      return JSON.stringify({
        jsonrpc: '2.0',
        error: {
          code: -32600,
          message: 'Invalid Request',
          data: `batch request exceeds maximum (${this.batchMax}) allowed number of requests`,
        },
      });
    }
    if (requests.some(({ method }) => method.startsWith('broadcast_tx'))) await this.#thawed;
    const answers = [];
    for (const request of requests) answers.push({ jsonrpc: '2.0', id: request.id, ...(await this.#answer(request)) });
    if ((this.fate as string) === 'lost') throw new NodeFailure('lost', 'socket hang up');
    return JSON.stringify(answers.length === 1 ? answers[0] : answers);
  }

  async announce(): Promise<void> {
    const height = await this.height();
    for (const { onHeight } of this.subscribers) onHeight(height);
    await turns();
  }

  dropWebsockets(): void {
    for (const subscriber of this.subscribers) {
      this.subscribers.delete(subscriber);
      subscriber.onEnd('the node closed it');
    }
  }

  async #answer(request: RequestJson): Promise<object> {
    const { method, params } = request;
    this.beforeRequest(method);
    const args = decoded(request);
    if (method.startsWith('broadcast_tx')) {
      this.broadcasts.push(params['tx'] ?? '');
      const scripted = this.onBroadcast?.(params['tx'] ?? '');
      if (scripted !== undefined) return scripted;
    }
    const latest = await this.height();
    const height = args['height'] === undefined ? latest : Number(args['height']);
    if (height > latest)
      return errorOf(`height ${height} must be less than or equal to the current blockchain height ${latest}`);
    if (height < this.earliest && args['height'] !== undefined)
      return errorOf(`height ${height} is not available, lowest height is ${this.earliest}`);
    const refusal = this.refuse(method, height);
    if (refusal !== undefined) return errorOf(refusal);
    if (method === 'abci_query' && args['path'] === BLOCK_CODES_PATH)
      return { result: this.spoil(method, await this.#codes(height), height) };
    const outcome = await this.chain.engine.rpc(
      method,
      'height' in args || !RPC_METHODS[method].params.some(({ name }) => name === 'height')
        ? args
        : { ...args, height },
    );
    if (!outcome.ok) return { error: outcome.error };
    const result = JSON.parse(outcome.json);
    if (method === 'status') {
      result.node_info.network = this.chainId;
      result.sync_info.latest_block_height = String(this.claims ?? latest);
      result.sync_info.earliest_block_height = String(this.earliest);
      result.sync_info.catching_up = this.catchingUp;
    }
    return { result: this.spoil(method, result, height) };
  }

  /** Says in codes what it says in results, so that a lie is one however it is asked. */
  async #codes(height: number): Promise<object> {
    const answer = (code: number, text: string) => ({
      response: {
        code,
        log: '',
        info: '',
        index: '0',
        key: null,
        value: text === '' ? null : Buffer.from(text).toString('base64'),
        proofOps: null,
        height: String(height),
        codespace: '',
      },
    });
    if (this.application === 'earlier') return answer(QUERY_CODES.unknown_path, '');
    const outcome = await this.chain.engine.rpc('block_results', { height });
    if (!outcome.ok || this.refuse('block_results', height) !== undefined)
      return answer(QUERY_CODES.height_not_available, '');
    const { txs_results: told, app_hash: appHash } = this.spoil('block_results', JSON.parse(outcome.json), height);
    const results = (told ?? []) as { code: number; log: string }[];
    return answer(
      0,
      blockCodesText({
        height,
        transactions: results.length,
        appHash: Buffer.from(appHash, 'base64').toString('hex').toUpperCase(),
        failures: failuresOf(results),
      }),
    );
  }
}

export class ScriptedNetwork implements NodePort {
  readonly fixture = new Fixture();
  readonly nodes: ScriptedNode[] = [];
  readonly logs: LogLine[] = [];
  readonly fatal: Error[] = [];
  readonly #engines: CometbftEngine[] = [];

  /** Names so many nodes that serve this chain; without one an embedded engine is started, which makes it. */
  async start(count: number, chain?: TellsChain): Promise<void> {
    if (chain === undefined) await this.fixture.start();
    for (let i = 0; i < count; i++) this.nodes.push(new ScriptedNode(`http://node${i}`, chain ?? this.fixture));
  }

  node(i: number): ScriptedNode {
    const node = this.nodes[i];
    if (node === undefined) throw new Error(`there is no node ${i}`);
    return node;
  }

  /** An engine over all nodes, with its index in memory, that verifies the chain from genesis on or from a checkpoint; with a genesis of its own and no checkpoint it is not started. */
  async open(
    changes: Partial<CometbftEngineParts> = {},
    checkpoint = changes.genesis === undefined ? GENESIS_CHECKPOINT : undefined,
  ): Promise<CometbftEngine> {
    const at = (level: string) => (fields: object, message: string) => void this.logs.push({ level, fields, message });
    const engine = new CometbftEngine({
      genesis,
      nodeUrls: this.nodes.map(({ url }) => url),
      port: this,
      search: openSqliteSearchStore(':memory:', { chainId: genesis.chainId, genesisHash: genesis.hash }),
      clock: this.fixture.clock,
      logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
      onFatal: (error) => this.fatal.push(error),
      ...changes,
    });
    this.#engines.push(engine);
    await engine.start();
    if (checkpoint !== undefined) await engine.startFrom(checkpoint);
    await turns();
    return engine;
  }

  /** As a gateway's store has it that followed the chain up to now. */
  async checkpoint(): Promise<Checkpoint> {
    const { height, lastBlockHash, lastBlockTimeMs } = await this.fixture.engine.status();
    return { ...GENESIS_CHECKPOINT, height, hash: lastBlockHash, timeMs: lastBlockTimeMs };
  }

  /** Puts transfers into the mempool of the chain, whatever the nodes answer. */
  async send(...transfers: readonly TransferOptions[]): Promise<void> {
    await this.fixture.engine.broadcast(transfers.map((each) => ({ raw: signedTransfer(each).raw })));
  }

  /** Lets the chain make so many blocks, and tells nobody. */
  async makeBlocks(count: number): Promise<void> {
    const height = async () => (await this.fixture.engine.status()).height;
    for (const end = (await height()) + count; (await height()) < end;) await this.advance(STEP_MS);
  }

  /** Lets time pass in small steps: what the engine does at one moment is done before the next. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await this.fixture.clock.advance(Math.min(STEP_MS, left));
      await turns();
    }
  }

  async dispose(): Promise<void> {
    for (const engine of this.#engines) await engine.close();
    await this.fixture.dispose();
  }

  call(url: string, body: string, { timeoutMs }: CallLimits): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = this.fixture.clock.setTimer(
        () => reject(new NodeFailure('lost', `no answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      this.#find(url)
        .call(body)
        .then(resolve, reject)
        .finally(() => timer.cancel());
    });
  }

  subscribe(url: string, subscriber: Subscriber): Subscription {
    const node = this.#find(url);
    if (node.fate !== 'answers') this.fixture.clock.setTimer(() => subscriber.onEnd('connect ECONNREFUSED'), 0);
    else node.subscribers.add(subscriber);
    return { close: () => void node.subscribers.delete(subscriber) };
  }

  close(): void {}

  #find(url: string): ScriptedNode {
    const node = this.nodes.find((one) => one.url === url);
    if (node === undefined) throw new Error(`there is no node at ${url}`);
    return node;
  }
}
