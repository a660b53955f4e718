/**
 * Judges a block that someone else proposes: ProcessProposal.
 *
 * It runs the same `step` from the same committed state and refuses the block at the first refusal, order fault or limit. Lack of funds is no
 * refusal: such a transfer is in the block, fails and uses its nonce.
 */
import type { BlockLimits } from './block-limits.ts';
import { BlockUsage } from './block-usage.ts';
import { type Refusal, type Refused, refuse } from './codes.ts';
import { Overlay } from './overlay.ts';
import { isAvailable } from './prepare.ts';
import type { StateView } from './state.ts';
import { step } from './step.ts';
import { verifyTransaction } from './verify.ts';

export interface ProcessOptions extends BlockLimits {
  /** Whether this very process has verified the signature of these bytes before. */
  readonly signatureVerified?: (raw: Uint8Array) => boolean;
}

export type ProcessedBlock = { readonly ok: true } | { readonly ok: false; readonly index: number; readonly refusal: Refusal };

/** The place of each kind in a block. */
const RANK = { cancel: 0, governance: 1, transfer: 2 } as const;

/** Whether the block may be voted for; `index` is that of the first transaction at fault. */
export function processBlock(view: StateView, raws: readonly Uint8Array[], options: ProcessOptions): ProcessedBlock {
  const overlay = new Overlay(view);
  const usage = new BlockUsage(options);
  let rank: number = RANK.cancel;
  for (const [index, raw] of raws.entries()) {
    const at = ({ refusal }: Refused): ProcessedBlock => ({ ok: false, index, refusal });
    const checked = verifyTransaction(view.chain, raw, { signatureVerified: options.signatureVerified?.(raw) === true });
    if (!checked.ok) return at(checked);
    const { verified } = checked;
    const { kind } = verified.tx;
    if (RANK[kind] < rank) return at(refuse('block_order', `a ${kind} behind another kind: cancels, governance, transfers`));
    rank = RANK[kind];
    const full = usage.fault(kind, raw);
    if (full !== undefined) return at(refuse('block_limit', full));
    if (!isAvailable(verified, options)) {
      return at(refuse('governance_not_available', 'voting power cannot change while one key signs for the chain'));
    }
    const result = step(overlay, verified.tx);
    if (!result.ok) return at(result);
    overlay.apply(result.effect);
    usage.add(kind, raw);
  }
  return { ok: true };
}
