/**
 * One node with its application: alone, given the bytes of signed transfers by `broadcast_tx_sync` as the bare node is, and with a gateway before
 * it, which takes signed transfers over POST /transactions, with every rule, durable before the answer, broadcast, executed and settled.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { genesisTimeOf } from '../../../server/app/genesis-time.ts';
import { parseValidatorKey } from '../../../server/engine/validator-key.ts';
import type * as Ledger from '../../../server/ledger/index.ts';
import { call, freePort } from '../../e2e/support/server.ts';
import { childrenOf } from '../../support/child-process.ts';
import type { PostgresCluster } from '../../support/postgres.ts';
import { broadcastBody } from './bare.ts';
import { COMETBFT, makeHome, nodeStarted, READY_MS_MAX } from './node-home.ts';
import { type Programs, until } from './programs.ts';
import type { Side } from './side.ts';
import { senders, transfersOf } from './transfers.ts';

const CHAIN_ID = 'txledger-bench-1';
const BALANCE = 10n ** 15n;

export interface OneNodeOptions {
  folder: string;
  programs: Programs;
  /** Whose build is measured: a genesis is made by the build that reads it, because what one may hold has changed between them. */
  checkout: string;
  /** The gateway keeps its rows there instead of in SQLite. */
  cluster?: PostgresCluster;
}

interface NodeWithApplication {
  node: string;
  genesis: string;
  operatorKey: string;
  /** Of the node and the application. */
  pids: { node: number[]; application: number[] };
}

async function nodeWithApplication({ folder, programs, checkout }: OneNodeOptions): Promise<NodeWithApplication> {
  const { buildGenesis } = (await import(
    pathToFileURL(path.join(checkout, 'server', 'ledger', 'index.ts')).href
  )) as typeof Ledger;
  const abci = await freePort();
  const { home, rpc } = await makeHome(path.join(folder, 'ledger'), { abci });
  const node = `http://127.0.0.1:${rpc}`;
  const key = parseValidatorKey(readFileSync(path.join(home, 'config', 'priv_validator_key.json'), 'utf8'));
  if (!key.ok) throw new Error(key.message);
  const operatorKey = path.join(folder, 'operator_key.json');
  const operator = (
    await programs.txledger(['operator-key', 'create', '--out', operatorKey, '--prefix', 'txlt'])
  ).stdout.trim();
  const genesis = path.join(home, 'config', 'genesis.json');
  writeFileSync(
    genesis,
    buildGenesis({
      genesisTime: genesisTimeOf(Date.now()),
      chainId: CHAIN_ID,
      addressPrefix: 'txlt',
      validators: [{ publicKey: Buffer.from(key.key.publicKey).toString('hex'), power: 10, name: 'bench' }],
      accounts: senders.map(({ address }) => ({ address, balance: BALANCE })),
      cancellers: [operator],
      governors: [operator],
      threshold: 1,
      currency: { code: 'TST', scale: 2 },
    }),
  );
  mkdirSync(path.join(folder, 'app'), { mode: 0o700, recursive: true });
  const application = programs.launchServer('app', {
    DATA_DIR: path.join(folder, 'app'),
    ABCI_LISTEN: `tcp://127.0.0.1:${abci}`,
    LOG_LEVEL: 'error',
  });
  const comet = programs.launch(COMETBFT, ['start', '--home', home]);
  await nodeStarted(node);
  return { node, genesis, operatorKey, pids: { node: [comet.pid!], application: [application.pid!] } };
}

/** What CometBFT and the ledger's rules cost without a gateway: nothing is durable before the answer, and nobody keeps a record. */
export async function applicationAlone(options: OneNodeOptions): Promise<Side> {
  const { node, pids } = await nodeWithApplication({ ...options, folder: path.join(options.folder, 'alone') });
  let rounds = 0;
  return {
    name: 'app',
    title: 'one node with the application, no gateway',
    node,
    pids: () => pids,
    bodies: (count) => transfersOf(CHAIN_ID, rounds++, count).map(({ raw }) => broadcastBody(raw)),
    ports: [Number(new URL(node).port)],
    path: '/',
    perRequest: 1,
    accepted: '"code":0',
  };
}

export async function oneNode(options: OneNodeOptions): Promise<Side> {
  const { programs, cluster } = options;
  const name = cluster === undefined ? 'one' : 'one-pg';
  const folder = path.join(options.folder, name);
  const { node, genesis, operatorKey, pids } = await nodeWithApplication({ ...options, folder });
  mkdirSync(path.join(folder, 'gateway'), { mode: 0o700 });
  const port = await freePort();
  const variables = {
    ENGINE: 'cometbft',
    COMETBFT_RPC_URL: node,
    GENESIS_FILE: genesis,
    OPERATOR_KEY_FILE: operatorKey,
    DATA_DIR: path.join(folder, 'gateway'),
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DRAIN_DELAY_S: '0',
    TXLEDGER_RATE_PER_TOKEN_PER_S: '1000000',
    TXLEDGER_RATE_PER_IP_PER_S: '1000000',
    TXLEDGER_PENDING_PER_OWNER_MAX: '1000000',
    TXLEDGER_PENDING_MAX: '5000000',
    ...(cluster === undefined ? {} : { DATABASE_URL: await cluster.database() }),
  };
  const made = await programs.txledger(
    ['token', 'create', '--owner', 'bench', '--scope', 'transactions:read', '--scope', 'transactions:write'],
    variables,
  );
  if (made.code !== 0) throw new Error(made.stderr);
  const gateway = programs.launchServer('serve', variables);
  await until('the gateway', async () => (await call(`http://127.0.0.1:${port}/readyz`)).status === 200, READY_MS_MAX);
  let rounds = 0;
  return {
    name,
    title: `one node, one gateway on ${cluster === undefined ? 'SQLite' : 'PostgreSQL'}`,
    node,
    pids: () => ({
      ...pids,
      gateway: [gateway.pid!],
      ...(cluster && { postgres: [cluster.pid!, ...childrenOf(cluster.pid!)] }),
    }),
    bodies: (count) => transfersOf(CHAIN_ID, rounds++, count).map(({ body }) => body),
    ports: [port],
    path: '/transactions',
    token: made.stdout.trim(),
    perRequest: 1,
    accepted: '"status":"pending"',
  };
}
