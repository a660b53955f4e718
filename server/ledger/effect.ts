/**
 * Effect of one transaction. `step` describes it and changes nothing itself, so that the same rules serve a check, a proposal and a block.
 * Its events are not part of it: they follow from the transaction and the code (event.ts), and only a block that is executed needs them.
 */
import type { Account } from './account.ts';
import type { Refused } from './codes.ts';
import type { GovernanceState } from './state.ts';

export interface Effect {
  /** 0, or why the transfer failed and only used its nonce. */
  readonly code: 0 | 1 | 2;
  /** Empty for code 0. */
  readonly log: string;
  /**
   * The accounts as they are afterwards, in the order in which they are written: a new account takes its leaf of the tree in that order.
   */
  readonly accounts: readonly (readonly [address: string, account: Account])[];
  /** The whole record afterwards, when it changed. */
  readonly governance?: GovernanceState;
}

export type StepResult = { readonly ok: true; readonly effect: Effect } | Refused;
