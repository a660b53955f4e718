/**
 * Decides the effect of a transaction. CheckTx, PrepareProposal, ProcessProposal and FinalizeBlock all call this one function, so that none
 * of them can come to another answer. It checks state only; bytes and signatures are verified before.
 */
import type { BlockContext } from './block-context.ts';
import type { StepResult } from './effect.ts';
import type { StateView } from './state.ts';
import { stepCancel } from './step-cancel.ts';
import { stepGovernance } from './step-governance.ts';
import { stepTransfer } from './step-transfer.ts';
import type { Transaction } from './transaction.ts';

/** The effect of `tx` in this block on the state behind `view`, or the reason why it has none. Pure: the view is read, never written. */
export function step(view: StateView, tx: Transaction, block: BlockContext): StepResult {
  switch (tx.kind) {
    case 'transfer':
      return stepTransfer(view, tx, block);
    case 'cancel':
      return stepCancel(view, tx);
    case 'governance':
      return stepGovernance(view, tx, block);
  }
}
