/**
 * What must hold when the dust has settled, asked of the service and of every validator for itself: nothing that was
 * acknowledged is lost, nothing executed twice, nothing that was reported cancelled was paid, every gateway answers
 * the same, no money was made or lost, and all validators have one history with one app hash at every height.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeTransaction } from '../../server/ledger/index.ts';
import { call } from '../e2e/support/server.ts';
import type { Payment } from './load.ts';

interface Listed {
  txHash: string;
  from: string;
  amount: string;
  status: string;
}

const PAGE = 1000;
const POLL_MS = 200;
const HEIGHTS_PER_CALL = 20;

/** Every transaction that one gateway lists to this receiver, joined from pages. */
export async function listAll(gateway: string, token: string, to: string): Promise<Map<string, Listed>> {
  const all = new Map<string, Listed>();
  let cursor = '';
  do {
    const { status, body } = await call(`${gateway}/transactions?limit=${PAGE}&to=${to}${cursor}`, { token });
    if (status !== 200) throw new Error(`${gateway} answered a list with ${status} ${JSON.stringify(body)}`);
    for (const one of body.transactions as Listed[]) all.set(one.txHash, one);
    cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return all;
}

/** Waits until no transfer to this receiver is pending. @returns how many still are when the time is over. */
export async function untilSettled(gateway: string, token: string, to: string, msMax: number): Promise<number> {
  const endMs = performance.now() + msMax;
  for (;;) {
    const answer = await call(`${gateway}/transactions?limit=${PAGE}&to=${to}&status=pending`, { token }).catch(
      () => undefined,
    );
    const pending = answer?.status === 200 ? (answer.body.transactions as unknown[]).length : Number.NaN;
    if (pending === 0 || performance.now() > endMs) return pending;
    await sleep(POLL_MS);
  }
}

export interface Accounts {
  token: string;
  gateways: readonly string[];
  to: string;
  /** What the receiver held before. */
  before: bigint;
}

/** @returns everything that is wrong. */
export async function judgePayments(
  payments: readonly Payment[],
  { token, gateways, to, before }: Accounts,
): Promise<string[]> {
  const faults: string[] = [];
  const lists = await Promise.all(gateways.map((gateway) => listAll(gateway, token, to)));
  const [list] = lists as [Map<string, Listed>];
  for (const [i, other] of lists.entries()) {
    if (JSON.stringify([...other]) !== JSON.stringify([...list]))
      faults.push(`gateway ${i} lists other transactions than gateway 0`);
  }
  let paid = before;
  for (const payment of payments) {
    const found = list.get(payment.txHash);
    if (payment.acknowledged && found === undefined) faults.push(`${payment.txHash} was acknowledged and is not known`);
    if (found === undefined) continue;
    if (found.status === 'pending') faults.push(`${payment.txHash} is still pending`);
    if (payment.reportedCancelled && found.status !== 'cancelled')
      faults.push(`${payment.txHash} was reported cancelled and is ${found.status}`);
    if (found.status !== 'committed' && found.status !== 'cancelled')
      faults.push(`${payment.txHash} is ${found.status}`);
    if (found.status === 'committed') paid += BigInt(payment.amount);
  }
  const balances = await Promise.all(
    gateways.map(async (gateway) => (await call(`${gateway}/accounts/${to}`, { token })).body.balance as string),
  );
  for (const [i, balance] of balances.entries()) {
    if (BigInt(balance) !== paid)
      faults.push(`the receiver holds ${balance} at gateway ${i}, the payments that committed make ${paid}`);
  }
  return faults;
}

async function rpc(node: string, method: string, params: object): Promise<any> {
  const { body } = await call(node, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json' },
  });
  if (body.error) throw new Error(`${node} answered ${method} with ${JSON.stringify(body.error)}`);
  return body.result;
}

export interface ChainReport {
  faults: string[];
  height: number;
  transactions: number;
}

/**
 * Reads the chain from every node: the same block and the same app hash at every height, and every (sender, nonce)
 * used once. `nodes` are the base URLs of the nodes' own RPC.
 */
export async function judgeChain(nodes: readonly string[]): Promise<ChainReport> {
  const faults: string[] = [];
  const heights = await Promise.all(
    nodes.map(async (node) => Number((await rpc(node, 'status', {})).sync_info.latest_block_height)),
  );
  const height = Math.min(...heights);
  const used = new Map<string, string>();
  let transactions = 0;
  for (let from = 1; from <= height; from += HEIGHTS_PER_CALL) {
    const range = Array.from({ length: Math.min(HEIGHTS_PER_CALL, height - from + 1) }, (_, i) => from + i);
    const read = await Promise.all(range.map((at) => Promise.all(nodes.map((node) => readHeight(node, at)))));
    for (const [i, seen] of read.entries()) {
      const [first] = seen;
      if (first === undefined) continue;
      for (const [j, other] of seen.entries()) {
        if (other.hash !== first.hash)
          faults.push(`block ${range[i]} is ${other.hash} at node ${j} and ${first.hash} at node 0`);
        if (other.appHash !== first.appHash)
          faults.push(
            `after block ${range[i]} the app hash is ${other.appHash} at node ${j} and ${first.appHash} at node 0`,
          );
      }
      transactions += first.used.length;
      for (const [slot, hash] of first.used) {
        const before = used.get(slot);
        if (before !== undefined)
          faults.push(`${slot} was used by ${before} and again by ${hash} in block ${range[i]}`);
        used.set(slot, hash);
      }
    }
  }
  return { faults, height, transactions };
}

/** What one node has at one height; `used` names every nonce that the block used up, and by what. */
async function readHeight(
  node: string,
  height: number,
): Promise<{ hash: string; appHash: string; used: [string, string][] }> {
  const [block, results] = await Promise.all([
    rpc(node, 'block', { height: String(height) }),
    rpc(node, 'block_results', { height: String(height) }),
  ]);
  const used: [string, string][] = [];
  for (const [i, text] of ((block.block.data.txs ?? []) as string[]).entries()) {
    const decoded = decodeTransaction(Buffer.from(text, 'base64'));
    // From code 10 on nothing was executed.
    if (!decoded.ok || results.txs_results[i].code >= 10 || decoded.tx.kind === 'governance') continue;
    used.push([`${decoded.tx.from}/${decoded.tx.nonce}`, `${height}/${i}`]);
  }
  return { hash: block.block_id.hash, appHash: results.app_hash, used };
}
