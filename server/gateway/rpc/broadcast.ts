/**
 * broadcast_tx_*: raw bytes that a client sends to the chain through this service.
 *
 * A transfer from an address that is bound to another owner is refused before the mempool gets its bytes: everything after that is the
 * chain's decision, and the chain has no owners. Then the mempool checks, and its answer is the caller's. A transfer that it takes is
 * recorded like one that was submitted over REST, before the caller gets the answer: it is listed, broadcast again until a block decides,
 * and settles. A transfer that the store refuses (a full pool, a nonce that another payment holds here) is in the mempool all the same; the
 * chain decides, and the follower records the decision. Cancels and governance have no rows: they are the chain's. A cancel needs the
 * signature of the sender or of an operator, so it needs no binding.
 */
import type { Engine, RpcArguments, RpcMethod, RpcOutcome } from '../../engine/port.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import type { Transaction, Transfer } from '../../ledger/index.ts';
import { CODESPACE, decodeTransaction, txHash } from '../../ledger/index.ts';
import type { Caller, Submission } from '../core-api.ts';
import type { FollowerHeights } from '../follower-heights.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { BROADCAST_COMMIT_MS_MAX } from '../limits.ts';
import { NOT_SUBMITTER_DETAIL, refuse } from '../refusals.ts';
import type { Refusal, Submitted } from '../types.ts';

export type BroadcastMethod = Extract<RpcMethod, `broadcast_tx_${string}`>;

export function isBroadcastMethod(method: RpcMethod): method is BroadcastMethod {
  return method === 'broadcast_tx_async' || method === 'broadcast_tx_commit' || method === 'broadcast_tx_sync';
}

export interface BroadcastParts {
  engine: Pick<Engine, 'rpc' | 'waitForHeight'>;
  lifecycle: Lifecycle;
  clock: Clock;
  logger: Logger;
  heights: FollowerHeights;
  submit(submissions: readonly Submission[]): Promise<(Submitted | Refusal)[]>;
  /** True when the address is bound to no owner or to this one; a refusal when that cannot be determined. */
  mayActFor(address: string, owner: string | undefined): Promise<boolean | Refusal>;
  /** Called with each transaction other than a transfer that the mempool took. */
  onTaken(tx: Transaction, hash: string, caller: Caller | undefined): Promise<void>;
}

interface Checked {
  code: number;
  log: string;
  codespace: string;
}

const TAKEN: Checked = { code: 0, log: '', codespace: '' };

/** A method of the chain's RPC: a broadcast goes through this service, any other to the engine. Never rejects while the engine is open. */
export async function callRpc(
  parts: BroadcastParts,
  method: RpcMethod,
  args: RpcArguments,
  caller: Caller | undefined,
): Promise<RpcOutcome | Refusal> {
  if (!isBroadcastMethod(method)) return await parts.engine.rpc(method, args);
  const stopped = parts.lifecycle.refusal();
  if (stopped !== undefined)
    return { ok: false, status: 503, error: { code: -32603, message: 'Internal error', data: stopped.detail } };
  return await broadcastRaw(parts, method, args.tx instanceof Uint8Array ? args.tx : new Uint8Array(0), caller);
}

/**
 * The sender's own cancel goes to the chain like any broadcast, so that it needs no canceller's key. The mempool's answer, or a loss of the
 * bytes, has no effect: the request is recorded, and the dispatcher sends a cancel again until a block decides (protocol.md, rule 18).
 */
export function broadcastSignedCancel(parts: BroadcastParts, raw: Uint8Array, caller: Caller): void {
  callRpc(parts, 'broadcast_tx_sync', { tx: raw }, caller).catch((error: unknown) =>
    parts.logger.warn({ err: error }, "a sender's own cancel was not broadcast; the recorded request will be"),
  );
}

/** A refusal when the caller may not submit for the sender. */
async function broadcastRaw(
  parts: BroadcastParts,
  method: BroadcastMethod,
  raw: Uint8Array,
  caller: Caller | undefined,
): Promise<RpcOutcome | Refusal> {
  const hash = txHash(raw);
  const decoded = decodeTransaction(raw);
  const tx = decoded.ok ? decoded.tx : undefined;
  if (tx?.kind === 'transfer') {
    const may = await parts.mayActFor(tx.from, caller?.owner);
    if (may === false) return refuse('not_submitter', NOT_SUBMITTER_DETAIL, { txHash: hash });
    if (may !== true)
      return { ok: false, status: 503, error: { code: -32603, message: 'Internal error', data: may.detail } };
  }
  const from = parts.heights.height;
  const checked = await parts.engine.rpc('broadcast_tx_sync', { tx: raw });
  if (!checked.ok) return method === 'broadcast_tx_commit' ? ofCommit(checked) : checked;
  const { code, log } = JSON.parse(checked.json) as { code: number; log: string };
  if (code === 0 && tx !== undefined)
    await (tx.kind === 'transfer' ? record(parts, tx, hash, caller) : parts.onTaken(tx, hash, caller));
  if (method === 'broadcast_tx_sync') return checked;
  // CometBFT does not wait for the check here, so the answer does not contain its result.
  if (method === 'broadcast_tx_async')
    return { ok: true, json: JSON.stringify({ code: 0, data: '', log: '', codespace: '', hash }) };
  if (code === 0) return await decided(parts, hash, from);
  return { ok: true, json: commitJson(resultJson({ code, log, codespace: CODESPACE }), resultJson(TAKEN), hash, '0') };
}

/** The messages of rpc/core/mempool.go, v0.38. */
function ofCommit(outcome: Extract<RpcOutcome, { ok: false }>): RpcOutcome {
  return { ...outcome, error: { ...outcome.error, data: `error on broadcastTxCommit: ${outcome.error.data}` } };
}

async function record(
  parts: BroadcastParts,
  { from, to, amount, nonce, reference, validUntil, signature }: Transfer,
  hash: string,
  caller: Caller | undefined,
): Promise<void> {
  const [answer] = await parts.submit([
    {
      from,
      to,
      amount,
      nonce,
      reference,
      validUntil,
      signature,
      txHash: hash,
      owner: caller?.owner,
      tokenId: caller?.tokenId,
      pendingMax: caller?.limits?.pendingMax,
    },
  ]);
  if (answer?.ok === false)
    parts.logger.info(
      { txHash: hash, code: answer.code },
      'a broadcast transfer is in the mempool and not in the store',
    );
}

/** Waits for the block, and for the follower, so that a caller who got a commit sees it in the list. */
async function decided({ engine, clock, heights }: BroadcastParts, hash: string, from: number): Promise<RpcOutcome> {
  const deadlineMs = clock.monotonicMs() + BROADCAST_COMMIT_MS_MAX;
  const bytes = Buffer.from(hash, 'hex');
  for (let height = from; ;) {
    const found = await engine.rpc('tx', { hash: bytes, prove: false });
    const leftMs = deadlineMs - clock.monotonicMs();
    if (found.ok) {
      const tx = JSON.parse(found.json) as { height: string; tx_result: object };
      await heights.wait(Number(tx.height), Math.max(leftMs, 0));
      return { ok: true, json: commitJson(resultJson(TAKEN), JSON.stringify(tx.tx_result), hash, tx.height) };
    }
    if (leftMs <= 0) {
      // CometBFT leaves the hash out; without it the caller could not look up the outcome of the transaction.
      const data = `timed out waiting for tx to be included in a block: ${hash}`;
      return { ok: false, status: 503, error: { code: -32603, message: 'Internal error', data } };
    }
    height = await engine.waitForHeight(height + 1, leftMs);
  }
}

function commitJson(checkTx: string, txResult: string, hash: string, height: string): string {
  return `{"check_tx":${checkTx},"tx_result":${txResult},"hash":"${hash}","height":"${height}"}`;
}

function resultJson({ code, log, codespace }: Checked): string {
  return JSON.stringify({ code, data: null, log, info: '', gas_wanted: '0', gas_used: '0', events: [], codespace });
}
