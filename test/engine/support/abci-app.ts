/** The ABCI application on real files behind a real socket, in this process, and a client that is connected to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import type { Response } from 'cosmjs-types/tendermint/abci/types';
import {
  Application,
  answerRequest,
  type AppStore,
  type VerifySignatures,
} from '../../../server/engine/cometbft/app/index.ts';
import { AbciServer } from '../../../server/engine/cometbft/app/socket-abci-server.ts';
import { openSqliteAppStore } from '../../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import type { GenesisDocument } from '../../../server/ledger/index.ts';
import { AbciClient, initChainOf, type RequestParts } from './abci-client.ts';
import type { LogLine } from './fixture.ts';
import { realClock } from './real-clock.ts';

export interface AppOptions {
  snapshotIntervalBlocks?: number;
  chainId?: string;
  verifySignatures?: VerifySignatures;
  /** Stands between the application and its store. */
  wrap?: (store: AppStore) => AppStore;
}

export class AppFixture {
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'txledger-abci-'));
  readonly logs: LogLine[] = [];
  readonly defects: unknown[] = [];
  readonly #clients: AbciClient[] = [];
  #client: AbciClient | undefined;
  #stop: (() => Promise<void>) | undefined;

  get socketPath(): string {
    return path.join(this.dataDir, 'abci.sock');
  }

  get client(): AbciClient {
    if (!this.#client) throw new Error('the application is not started');
    return this.#client;
  }

  async start({
    snapshotIntervalBlocks = 0,
    chainId,
    wrap = (store) => store,
    verifySignatures,
  }: AppOptions = {}): Promise<AbciClient> {
    const at = (level: string) => (fields: object, message: string) => void this.logs.push({ level, fields, message });
    const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    const store = openSqliteAppStore(path.join(this.dataDir, 'app.db'));
    const snapshots = openSqliteSnapshotStore(path.join(this.dataDir, 'snapshots.db'));
    const app = new Application({
      store: wrap(store),
      snapshots,
      snapshotIntervalBlocks,
      chainId,
      later: setImmediate,
      logger,
      verifySignatures,
    });
    const server = new AbciServer({
      answer: (request) => answerRequest(app, request),
      ahead: (requests) => app.verifyAhead(requests),
      onDefect: (error) => this.defects.push(error),
      later: setImmediate,
      clock: realClock,
      logger,
    });
    await server.listen({ path: this.socketPath });
    this.#stop = async () => {
      for (const client of this.#clients.splice(0)) client.close();
      await server.close();
      app.close();
      store.close();
      snapshots.close();
    };
    this.#client = await this.connect();
    return this.#client;
  }

  async connect(): Promise<AbciClient> {
    const client = await AbciClient.connect({ path: this.socketPath });
    this.#clients.push(client);
    return client;
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    this.#stop = undefined;
    this.#client = undefined;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  ask(request: RequestParts): Promise<Response> {
    return this.client.ask(request);
  }

  async initChain(genesis: GenesisDocument): Promise<Response> {
    return this.ask({ initChain: initChainOf(genesis) });
  }

  async check(raw: Uint8Array, type = 0) {
    const { checkTx } = await this.ask({ checkTx: { tx: raw, type } });
    if (!checkTx) throw new Error('CheckTx was not answered');
    return checkTx;
  }

  /** Executes and commits a block; what FinalizeBlock answered. */
  async block(height: number, txs: Uint8Array[], time?: Timestamp) {
    const [finalized, committed] = await this.client.all([
      { finalizeBlock: { txs, height: BigInt(height), ...(time && { time }) } },
      { commit: {} },
    ]);
    if (!finalized?.finalizeBlock || !committed?.commit) {
      throw new Error(finalized?.exception?.error ?? committed?.exception?.error ?? 'the block was not answered');
    }
    return finalized.finalizeBlock;
  }

  async info() {
    const { info } = await this.ask({ info: {} });
    if (!info) throw new Error('Info was not answered');
    return { height: Number(info.lastBlockHeight), appHash: hex(info.lastBlockAppHash), info };
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}
