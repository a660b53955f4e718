/**
 * Makes a block from the waiting transactions: PrepareProposal.
 *
 * The order matters more than it seems. A cancel must come before the transfer that it cancels, or a proposal holds a transfer that honest
 * validators refuse; and the transfers of each account are ordered by nonce, or they are not executable at their place. Everything is run
 * through `step` from the committed state, never from the check state, and a transaction that `step` refuses is left out: it may become
 * executable later.
 */
import type { BlockContext } from './block-context.ts';
import type { BlockLimits } from './block-limits.ts';
import { BlockUsage } from './block-usage.ts';
import { CODES } from './codes.ts';
import { finalized, type FinalizedBlock, resultOf, type TxResult } from './finalize.ts';
import { Overlay } from './overlay.ts';
import { assertRulesKnown } from './rules.ts';
import type { StateView } from './state.ts';
import { step } from './step.ts';
import type { Transaction, Transfer } from './transaction.ts';
import type { VerifiedTransaction } from './verify.ts';

/** True when an engine with these limits may run this transaction. */
export function isAvailable(
  candidate: VerifiedTransaction,
  limits: Pick<BlockLimits, 'allowValidatorChanges'>,
): boolean {
  return (
    limits.allowValidatorChanges || candidate.tx.kind !== 'governance' || candidate.tx.action !== 'validator_power'
  );
}

/** Equal keys stay in order of arrival (Array.prototype.sort is stable): the first of several for one slot wins. */
function byKey(
  candidates: VerifiedTransaction[],
  key: (candidate: VerifiedTransaction) => number,
): VerifiedTransaction[] {
  return candidates.sort((a, b) => key(a) - key(b));
}

function nonceOf(candidate: VerifiedTransaction): number {
  return candidate.tx.kind === 'governance' ? candidate.tx.sequence : candidate.tx.nonce;
}

/**
 * Transfers by turns: every place in the order of arrival belongs to an account, which sends its lowest nonce there. So an account's
 * transfers are in order, none can push itself before others, and money that arrived first can be spent by what arrived after it. Lazy,
 * because a block is full long before a mempool of 50,000 is sorted.
 */
function* byTurns(transfers: readonly VerifiedTransaction[]): Iterable<VerifiedTransaction> {
  const senderOf = ({ tx }: VerifiedTransaction): string => (tx as Transfer).from;
  const queues = new Map<string, VerifiedTransaction[]>();
  for (const transfer of transfers) {
    const queue = queues.get(senderOf(transfer));
    if (queue) queue.push(transfer);
    else queues.set(senderOf(transfer), [transfer]);
  }
  const turns = new Map<string, number>();
  for (const each of transfers) {
    const sender = senderOf(each);
    const queue = queues.get(sender) ?? [];
    const turn = turns.get(sender) ?? 0;
    if (turn === 0) byKey(queue, nonceOf);
    turns.set(sender, turn + 1);
    const transfer = queue[turn];
    if (transfer) yield transfer;
  }
}

/**
 * Number of passes in which transfers that would fail are tried again after others of the block have paid their senders, or opened their
 * receivers' accounts.
 */
const SHORT_PASSES_MAX = 2;

/**
 * The transactions of the next block, in block order: cancels as they arrived, governance by sequence, transfers by turns; last, where
 * the limits allow it, transfers that would fail even then. These would fail for good, while a credit for them may wait for a later block.
 * `candidates` are in order of arrival or of turns. The answer always passes processBlock with the same view and limits.
 */
export function prepareBlock(
  view: StateView,
  candidates: readonly VerifiedTransaction[],
  block: BlockContext,
  limits: BlockLimits,
): VerifiedTransaction[] {
  return prepareAndFinalize(view, candidates, block, limits).transactions;
}

export interface PreparedBlock {
  /** In block order. */
  readonly transactions: VerifiedTransaction[];
  /** Result of finalizeBlock for them on the same view. */
  readonly finalized: FinalizedBlock;
}

/** The same with its outcome: choosing has executed the block already, in its own order. For engines that alone decide the block. */
export function prepareAndFinalize(
  view: StateView,
  candidates: readonly VerifiedTransaction[],
  context: BlockContext,
  limits: BlockLimits,
): PreparedBlock {
  assertRulesKnown(view.governance(), context.height);
  const overlay = new Overlay(view);
  const usage = new BlockUsage(limits);
  const block: VerifiedTransaction[] = [];
  const results: TxResult[] = [];
  /** Returns the number of transfers that were left out because they would fail. */
  const take = (queue: Iterable<VerifiedTransaction>, which: 'all' | 'succeeding' = 'all'): number => {
    let short = 0;
    for (const candidate of queue) {
      // The first that does not fit ends its kind: skipping it for a smaller one would let small ones overtake forever.
      if (usage.fault(candidate.tx.kind, candidate.raw) !== undefined) break;
      const result = step(overlay, candidate.tx, context);
      if (!result.ok) continue;
      if (which === 'succeeding' && result.effect.code !== CODES.ok) {
        short += 1;
        continue;
      }
      overlay.apply(result.effect);
      usage.add(candidate.tx.kind, candidate.raw);
      block.push(candidate);
      results.push(resultOf(candidate.tx, result.effect));
    }
    return short;
  };
  const waiting = { cancel: [], governance: [], transfer: [] } as Record<Transaction['kind'], VerifiedTransaction[]>;
  for (const candidate of candidates) if (isAvailable(candidate, limits)) waiting[candidate.tx.kind].push(candidate);
  take(waiting.cancel);
  take(byKey(waiting.governance, nonceOf));
  let short = take(byTurns(waiting.transfer), 'succeeding');
  for (let pass = 1; short > 0; pass++) {
    const taken = new Set(block);
    const left = waiting.transfer.filter((candidate) => !taken.has(candidate));
    short = take(byTurns(left), pass <= SHORT_PASSES_MAX ? 'succeeding' : 'all');
  }
  return { transactions: block, finalized: finalized(view, overlay, results, context) };
}
