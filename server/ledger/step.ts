/**
 * The one function that says what a transaction does: CheckTx, PrepareProposal, ProcessProposal and FinalizeBlock all call it, so that none
 * of them can come to another answer. It judges state only; bytes and signatures are verified before.
 */
import type { BlockContext } from './block-context.ts';
import type { StepResult } from './effect.ts';
import type { StateView } from './state.ts';
import { stepCancel } from './step-cancel.ts';
import { stepGovernance } from './step-governance.ts';
import { stepTransfer } from './step-transfer.ts';
import type { Transaction } from './transaction.ts';

/** What `tx` does in this block to the state behind `view`, or why it does nothing. Pure: the view is read, never written. */
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
