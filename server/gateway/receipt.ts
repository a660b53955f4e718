/**
 * The receipt of a transfer: waits until a block has decided it and the block after that one exists, and has the engine prove the
 * transaction that decided it.
 */
import type { Engine } from '../engine/port.ts';
import type { Clock } from '../engine/ports.ts';
import type { GatewayCoreApi, GatewayReads } from './core-api.ts';
import type { FollowerHeights } from './follower-heights.ts';
import { RETRY_AFTER_S } from './limits.ts';
import { refuse } from './refusals.ts';
import type { ReceiptAnswer, Refusal, TransactionDetail } from './types.ts';

/** A gateway whose database another one brings up to date may see a block there before its own engine has verified it. */
const ENGINE_BEHIND_MS_MAX = 2_000;

/** The transaction that decided a transfer, and its block; undefined while it is pending. */
export function decidedBy({
  txHash,
  status,
  height,
  history,
}: TransactionDetail): { txHash: string; height: number } | undefined {
  if (status === 'pending' || height === undefined) return undefined;
  const last = history.findLast(({ event }) => event === status);
  return { txHash: last?.txHash ?? txHash, height };
}

/** Called before the ledger service: finds the transaction that the receipt has to prove. */
export async function findReceipt(
  { core, reads, clock }: { core: Pick<GatewayCoreApi, 'receipt'>; reads: GatewayReads; clock: Clock },
  txHash: string,
  owner: string,
  waitMs: number,
  settled: (waitMs: number) => Promise<unknown>,
): Promise<ReceiptAnswer | Refusal> {
  const untilMs = clock.monotonicMs() + waitMs;
  await settled(waitMs);
  const found = await reads.get(txHash);
  if (found === undefined)
    return refuse('not_found', `No transaction with the hash ${txHash} has been seen here. Check the hash.`, {
      txHash,
    });
  if ('ok' in found) return found;
  const decided = decidedBy(found);
  if (decided === undefined)
    return refuse(
      'receipt_not_ready',
      'The transfer is pending, and a receipt proves what a block decided. Ask again when it is settled.',
      { txHash },
    );
  const leftMs = Math.max(0, untilMs - clock.monotonicMs());
  const answer = await core.receipt(decided.height, decided.txHash, leftMs, owner);
  if (answer.ok) return { ...answer, ledgerHeight: Math.max(answer.ledgerHeight, found.ledgerHeight) };
  // The hash of the request, whichever transaction decided.
  return { ...answer, txHash };
}

/** In the ledger service: waits for the next block, because its header commits to the results. */
export async function readReceipt(
  {
    engine,
    heights,
    clock,
  }: { engine: Pick<Engine, 'receipt' | 'waitForHeight'>; heights: FollowerHeights; clock: Clock },
  height: number,
  txHash: string,
  waitMs: number,
): Promise<ReceiptAnswer | Refusal> {
  const untilMs = clock.monotonicMs() + waitMs;
  // These waits end with the service; the engine's would outlast it.
  await heights.wait(height + 1, waitMs);
  let outcome = await engine.receipt(height, txHash);
  if (outcome.kind === 'no_next_block' && heights.height > height) {
    await engine.waitForHeight(height + 1, Math.min(ENGINE_BEHIND_MS_MAX, untilMs - clock.monotonicMs()));
    outcome = await engine.receipt(height, txHash);
  }
  switch (outcome.kind) {
    case 'receipt':
      return { ok: true, receipt: outcome.receipt, ledgerHeight: height + 1 };
    case 'no_next_block':
      return refuse(
        'receipt_not_ready',
        `Block ${height} decided the transfer, and block ${height + 1}, which commits to its result, does not exist yet. Ask again in a moment.`,
      );
    case 'unavailable':
      return refuse(
        'engine_unavailable',
        'No node that can be reached has the blocks of this receipt. Wait as long as Retry-After says, then ask again.',
        { retryAfterS: RETRY_AFTER_S },
      );
  }
}
