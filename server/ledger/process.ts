/**
 * Checks a block of another proposer: ProcessProposal.
 *
 * It runs the same `step` from the same committed state and refuses the block at the first refusal, order fault or limit. A transfer that
 * fails is not a refusal: it is in the block and uses its nonce.
 */
import type { BlockContext } from './block-context.ts';
import type { BlockLimits } from './block-limits.ts';
import { BlockUsage } from './block-usage.ts';
import { type Refusal, type Refused, refuse } from './codes.ts';
import { finalized, type FinalizedBlock, resultOf, type TxResult } from './finalize.ts';
import { Overlay } from './overlay.ts';
import { isAvailable } from './prepare.ts';
import { assertRulesKnown } from './rules.ts';
import type { StateView } from './state.ts';
import { step } from './step.ts';
import { type ReadOptions, readTransaction } from './verify.ts';

export interface ProcessOptions extends BlockLimits, ReadOptions {}

/** `finalized` is the result of finalizeBlock for the same transactions on the same view: the check of a block has executed it already. */
export type ProcessedBlock =
  | { readonly ok: true; readonly finalized: FinalizedBlock }
  | { readonly ok: false; readonly index: number; readonly refusal: Refusal };

/** The place of each kind in a block. */
const RANK = { cancel: 0, governance: 1, transfer: 2 } as const;

/** Decides whether the block may be voted for; `index` is that of the first transaction at fault. */
export function processBlock(
  view: StateView,
  raws: readonly Uint8Array[],
  block: BlockContext,
  options: ProcessOptions,
): ProcessedBlock {
  assertRulesKnown(view.governance(), block.height);
  const overlay = new Overlay(view);
  const usage = new BlockUsage(options);
  const results: TxResult[] = [];
  let rank: number = RANK.cancel;
  for (const [index, raw] of raws.entries()) {
    const at = ({ refusal }: Refused): ProcessedBlock => ({ ok: false, index, refusal });
    const checked = readTransaction(view.chain, raw, options);
    if (!checked.ok) return at(checked);
    const { verified } = checked;
    const { kind } = verified.tx;
    if (RANK[kind] < rank)
      return at(refuse('block_order', `a ${kind} behind another kind: cancels, governance, transfers`));
    rank = RANK[kind];
    const full = usage.fault(kind, raw);
    if (full !== undefined) return at(refuse('block_limit', full));
    if (!isAvailable(verified, options)) {
      return at(refuse('governance_not_available', 'voting power cannot change while one key signs for the chain'));
    }
    const result = step(overlay, verified.tx, block);
    if (!result.ok) return at(result);
    overlay.apply(result.effect);
    usage.add(kind, raw);
    results.push(resultOf(verified.tx, result.effect));
  }
  return { ok: true, finalized: finalized(view, overlay, results, block) };
}
