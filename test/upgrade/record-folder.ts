/**
 * A folder of the embedded engine as a killed server leaves it, with what the server answered before: it settles, cancels, expires and keeps
 * transfers, makes tokens and a binding, and dies with some of it undecided.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/steps.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { type Cancel, encodeTransaction, signTransaction, type Transfer, txHash } from '../../server/ledger/index.ts';
import { environment, freePort } from '../e2e/support/server.ts';
import { writeFixtureKeys } from './fixture-keys.ts';

/** Packed: its writer was killed, so most of it is in the log beside it. */
export const FOLDER_FILES = [
  'genesis.json',
  'log.db',
  'log.db-wal',
  'chain.db',
  'chain.db-wal',
  'search.db',
  'search.db-wal',
];

const accounts = developmentAccounts();
const cli = ['server/cli/txledger.ts'];

let dataDir = '';
let port = 0;
let baseUrl = '';
let server: ChildProcess | undefined;
let token = '';

async function start(variables: Record<string, string>): Promise<void> {
  server = spawn(process.execPath, [...cli, 'start'], {
    cwd: ROOT,
    env: environment({ DATA_DIR: dataDir, PORT: String(port), TXLEDGER_URL: baseUrl, ...variables }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (
    !(await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await sleep(50);
  token = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')).token;
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (server === undefined) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

const run = (...args: string[]): string =>
  execFileSync(process.execPath, [...cli, ...args], {
    cwd: ROOT,
    env: environment({ DATA_DIR: dataDir, TXLEDGER_URL: baseUrl }),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

async function call(
  method: string,
  where: string,
  options: { body?: unknown; headers?: Record<string, string>; as?: string } = {},
): Promise<any> {
  const answer = await fetch(`${baseUrl}${where}`, {
    method,
    headers: {
      authorization: `Bearer ${options.as ?? token}`,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const body = await answer.json();
  if (answer.status >= 400) throw new Error(`${method} ${where}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
}

const signed = (
  from: number,
  nonce: number,
  amount: bigint,
  members: Pick<Transfer, 'reference' | 'validUntil'> = {},
) =>
  signTransaction<Transfer>(
    {
      kind: 'transfer',
      chainId: 'txledger-dev-1',
      from: accounts[from]!.address,
      to: accounts[1]!.address,
      amount,
      nonce,
      ...members,
    },
    Buffer.from(accounts[from]!.seed, 'hex'),
  );

function submit(
  from: number,
  nonce: number,
  amount: bigint,
  options: { wait?: number; headers?: Record<string, string>; as?: string } = {},
): Promise<any> {
  const { kind: _kind, chainId: _chainId, ...transfer } = signed(from, nonce, amount);
  const headers = { prefer: `wait=${options.wait ?? 0}`, ...options.headers };
  return call('POST', '/transactions', {
    body: { ...transfer, amount: String(amount) },
    headers,
    ...(options.as === undefined ? {} : { as: options.as }),
  });
}

const hashOf = (from: number, nonce: number, amount: bigint): string =>
  txHash(encodeTransaction(signed(from, nonce, amount)));

async function until(hash: string, status: string): Promise<void> {
  while ((await call('GET', `/transactions/${hash}`)).status !== status) await sleep(50);
}

/** The year 2100. */
const VALID_UNTIL = 4_102_444_800;

/** Each asks with a command of its own. */
const SUBMISSIONS = 3;

const broadcast = (raw: Uint8Array): Promise<any> =>
  call('POST', '/rpc/broadcast_tx_commit', { body: { tx: Buffer.from(raw).toString('base64') } });

/** @returns what the server answered. `pack` is called when it is dead, before commands change its files. */
export async function recordFolder(folder: string, pack: () => void): Promise<object> {
  dataDir = folder;
  port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  writeFixtureKeys(dataDir);
  // Short time to live: what waits for a nonce expires, which leaves a void nonce.
  await start({ BLOCK_INTERVAL_MS: '50', PENDING_TTL_S: '1' });
  for (let nonce = 0; nonce < 4; nonce++) await submit(0, nonce, BigInt(nonce + 1), { wait: 10 });
  await submit(5, 3, 50n);
  await until(hashOf(5, 3, 50n), 'expired');
  await stop('SIGTERM');

  await start({ BLOCK_INTERVAL_MS: '50' });
  const acme = run(
    'token',
    'create',
    '--owner',
    'acme',
    '--scope',
    'transactions:read',
    '--scope',
    'transactions:write',
  ).trim();
  run(
    'token',
    'revoke',
    run('token', 'create', '--owner', 'globex', '--scope', 'transactions:read').trim().split('_')[1]!,
  );
  run('token', 'rotate', acme.split('_')[1]!, '--overlap', '1h');
  run('token', 'create', '--owner', 'initech', '--scope', 'rpc:broadcast', '--expires-in', '1d');
  run('address', 'bind', accounts[6]!.address, '--owner', 'acme');
  await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      submit(2, i, 1000n + BigInt(i), { wait: 10, ...(i % 2 === 0 ? { as: acme } : {}) }),
    ),
  );
  await submit(6, 0, 7n, { wait: 10, as: acme });
  const keys = await submit(3, 0, 33n, { wait: 10, headers: { 'idempotency-key': '"order-1"' } });
  // Cancelled by the one who submitted it, and taken by a void that was meant for another transfer.
  await submit(4, 5, 44n);
  await call('DELETE', `/transactions/${hashOf(4, 5, 44n)}`, { headers: { prefer: 'wait=10' } });
  await submit(8, 1, 88n);
  const cancel = signTransaction<Cancel>(
    {
      kind: 'cancel',
      chainId: 'txledger-dev-1',
      from: accounts[8]!.address,
      nonce: 1,
      signer: accounts[8]!.address,
      txHash: 'AB'.repeat(32),
    },
    Buffer.from(accounts[8]!.seed, 'hex'),
  );
  await broadcast(encodeTransaction(cancel));
  await until(hashOf(8, 1, 88n), 'failed');
  await broadcast(encodeTransaction(signed(9, 0, 99n, { reference: 'order-99', validUntil: VALID_UNTIL })));
  // Waits for the nonce before it.
  await submit(7, 2, 72n, { headers: { 'idempotency-key': '"parked"' } });
  await stop('SIGTERM');

  // No block for a while: accepted and asked for, undecided when it dies.
  await start({ BLOCK_INTERVAL_MS: '10000' });
  await submit(0, 4, 5n, { wait: 15 });
  await submit(0, 5, 6n);
  await submit(4, 0, 40n, { as: acme });
  await call('DELETE', `/transactions/${hashOf(4, 0, 40n)}`, { headers: { prefer: 'wait=0' }, as: acme });

  const { transactions } = await call('GET', '/transactions?limit=1000');
  const details = await Promise.all(
    transactions.map(({ txHash: hash }: { txHash: string }) => call('GET', `/transactions/${hash}`)),
  );
  const { height } = await call('GET', '/chain');
  const rpc = async (method: string): Promise<any> => (await call('GET', `/rpc/${method}`)).result;
  const blocks = [];
  for (let at = 1; at <= height; at++) {
    const [{ block_id, block }, results, { signed_header }] = await Promise.all([
      rpc(`block?height=${at}`),
      rpc(`block_results?height=${at}`),
      rpc(`commit?height=${at}`),
    ]);
    blocks.push({
      height: at,
      hash: block_id.hash,
      appHashBefore: block.header.app_hash,
      resultsHashBefore: block.header.last_results_hash,
      codes: (results.txs_results ?? []).map((result: any) => result.code),
      signature: signed_header.commit.signatures[0].signature,
    });
  }
  const { response } = await rpc('abci_info');
  const states = await Promise.all(accounts.map(({ address }) => call('GET', `/accounts/${address}`)));
  await stop('SIGKILL');
  pack();
  return {
    keyed: keys.txHash,
    transactions,
    details,
    accounts: states,
    height,
    blocks,
    appHash: Buffer.from(response.last_block_app_hash, 'base64').toString('hex').toUpperCase(),
    tokens: JSON.parse(run('token', 'list', '--json', '--all')).tokens,
    bindings: JSON.parse(run('address', 'list', '--json')).bindings,
    audit: JSON.parse(run('audit', 'list', '--limit', '1000', '--json')).entries,
    submissions: transactions
      .slice(0, SUBMISSIONS)
      .map(({ txHash: hash }: { txHash: string }) => JSON.parse(run('audit', 'submission', hash, '--json'))),
  };
}
