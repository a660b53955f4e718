/** What must hold at the end, by the blocks: nothing acknowledged is lost, nothing was executed twice, no answer was a lie, and every validator has the same history and the same money. */
import { DEVELOPMENT_BALANCE, developmentAccounts } from '../../server/app/dev-accounts.ts';
import { decodeTransaction, txHash } from '../../server/ledger/index.ts';
import { call } from '../e2e/support/server.ts';
import { judgeChain } from '../localnet/verify.ts';
import { until } from './databases.ts';
import type { Load, Told } from './load.ts';

/** From this code on a transaction of a block was not executed. */
const NOT_EXECUTED = 10;
const OUTCOME_MS_MAX = 30_000;
const HEIGHT_MS_MAX = 60_000;
const GATEWAYS_AT_ONCE = 16;

async function rpc(node: string, method: string, params: Record<string, string>): Promise<any> {
  const { body } = await call(`${node}/${method}?${new URLSearchParams(params).toString()}`);
  if (body.error) throw new Error(`${node} answered ${method} with ${JSON.stringify(body.error)}`);
  return body.result;
}

interface Chain {
  height: number;
  /** By hash, the blocks that executed it, with the code of each. */
  executed: Map<string, { height: number; code: number }[]>;
  /** The transfers that cancels name, with the block. */
  cancelled: Map<string, number>;
  balances: Map<string, bigint>;
}

async function readChain(node: string): Promise<Chain> {
  const height = Number((await rpc(node, 'status', {})).sync_info.latest_block_height);
  const chain: Chain = {
    height,
    executed: new Map(),
    cancelled: new Map(),
    balances: new Map(developmentAccounts().map(({ address }) => [address, DEVELOPMENT_BALANCE])),
  };
  for (let at = 1; at <= height; at += 1) {
    const { block } = await rpc(node, 'block', { height: String(at) });
    const texts = (block.data.txs ?? []) as string[];
    if (texts.length === 0) continue;
    const { txs_results: results } = await rpc(node, 'block_results', { height: String(at) });
    for (const [index, text] of texts.entries())
      apply(chain, at, Buffer.from(text, 'base64'), results[index].code as number);
  }
  return chain;
}

function apply({ executed, cancelled, balances }: Chain, height: number, raw: Uint8Array, code: number): void {
  const decoded = decodeTransaction(raw);
  if (!decoded.ok || code >= NOT_EXECUTED) return;
  const { tx } = decoded;
  if (tx.kind === 'cancel') cancelled.set(tx.txHash, height);
  if (tx.kind !== 'transfer') return;
  const hash = txHash(raw);
  executed.set(hash, [...(executed.get(hash) ?? []), { height, code }]);
  if (code !== 0) return;
  balances.set(tx.from, (balances.get(tx.from) ?? 0n) - tx.amount);
  balances.set(tx.to, (balances.get(tx.to) ?? 0n) + tx.amount);
}

/** What the blocks say of one transfer. */
function truthOf(told: Told, { executed, cancelled }: Chain): { status: string; height: number } | undefined {
  const [execution] = executed.get(told.hash) ?? [];
  if (execution !== undefined)
    return { status: execution.code === 0 ? 'committed' : 'failed', height: execution.height };
  const height = cancelled.get(told.hash);
  return height === undefined ? undefined : { status: 'cancelled', height };
}

async function judgeTransfer(told: Told, load: Load, gateways: number, chain: Chain): Promise<string[]> {
  const faults: string[] = [];
  const { hash, outcome } = told;
  const truth = truthOf(told, chain);
  const executions = (chain.executed.get(hash) ?? []).length;
  if (executions > 1) faults.push(`${hash} was executed ${executions} times`);
  if (told.cancelled && executions > 0)
    faults.push(`${hash} was reported cancelled, and block ${truth?.height} executed it`);
  if (outcome !== undefined && (outcome.status !== truth?.status || outcome.height !== truth.height)) {
    faults.push(
      `${hash} was told to be ${outcome.status} in block ${outcome.height}, and is ${truth === undefined ? 'in no block' : `${truth.status} in block ${truth.height}`}`,
    );
  }
  if (told.acknowledgedAtMs === undefined) return faults;
  if (truth === undefined)
    return [
      ...faults,
      `${hash} (nonce ${told.transfer.nonce} of ${told.transfer.from}) was acknowledged and no block decided it`,
    ];
  for (let gateway = 0; gateway < gateways && !told.isLostCancel; gateway += 1) {
    const status = await load.outcomeAt(gateway, told, OUTCOME_MS_MAX);
    if (status !== truth.status)
      faults.push(
        `${hash} was acknowledged and is ${truth.status} in block ${truth.height}; gateway ${gateway} says ${status ?? 'nothing'}: ${told.heard.join(', ')}`,
      );
  }
  return faults;
}

async function judgeBalances(node: string, chain: Chain): Promise<string[]> {
  const faults: string[] = [];
  for (const [address, balance] of chain.balances) {
    const { response } = await rpc(node, 'abci_query', { path: JSON.stringify(`/account/${address}`) });
    const found = JSON.parse(Buffer.from(response.value ?? '', 'base64').toString() || '{"balance":"0"}') as {
      balance: string;
    };
    if (BigInt(found.balance) !== balance)
      faults.push(`${address} has ${found.balance} at ${node}, and ${balance} by the blocks`);
  }
  return faults;
}

/** Called when the load has ended and the network is whole again. @returns everything that is wrong, and what was looked at. */
export async function judge(
  load: Load,
  gateways: number,
  nodes: readonly string[],
): Promise<{ faults: string[]; summary: string }> {
  const acknowledged = load.told.filter(({ acknowledgedAtMs }) => acknowledgedAtMs !== undefined);
  // Until every transfer has an outcome the chain is not at its end. One that never has any is found below, by the blocks.
  const endMs = performance.now() + OUTCOME_MS_MAX;
  for (const told of acknowledged)
    if (told.outcome === undefined && !told.isLostCancel) await load.outcomeAt(0, told, endMs - performance.now());
  const [first = ''] = nodes;
  const chain = await readChain(first);
  const faults = [...load.lies];
  for (let from = 0; from < load.told.length; from += GATEWAYS_AT_ONCE) {
    faults.push(
      ...(
        await Promise.all(
          load.told.slice(from, from + GATEWAYS_AT_ONCE).map((told) => judgeTransfer(told, load, gateways, chain)),
        )
      ).flat(),
    );
  }
  for (const node of nodes) {
    await until(
      `${node} is at height ${chain.height}`,
      async () => Number((await rpc(node, 'abci_info', {})).response.last_block_height) >= chain.height,
      HEIGHT_MS_MAX,
    );
    faults.push(...(await judgeBalances(node, chain)));
  }
  const same = await judgeChain(nodes);
  faults.push(...same.faults);
  const count = (status: string): number => load.told.filter((told) => truthOf(told, chain)?.status === status).length;
  const summary = `${acknowledged.length} acknowledged (${count('committed')} committed, ${count('cancelled')} cancelled), ${load.told.filter(({ cancelled }) => cancelled).length} cancels reported, ${same.height} blocks the same on ${nodes.length} validators`;
  return { faults, summary };
}
