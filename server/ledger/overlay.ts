/** Changes on top of a view that is left untouched: a block in the making, a check state, a proposal under examination. */
import type { Account } from './account.ts';
import type { ChainContext } from './chain.ts';
import type { Effect } from './effect.ts';
import type { GovernanceState, StateView } from './state.ts';

export class Overlay implements StateView {
  readonly chain: ChainContext;
  readonly #base: StateView;
  readonly #accounts = new Map<string, Account>();
  #governance: GovernanceState | undefined;

  constructor(base: StateView) {
    this.#base = base;
    this.chain = base.chain;
  }

  account(address: string): Account | undefined {
    return this.#accounts.get(address) ?? this.#base.account(address);
  }

  governance(): GovernanceState {
    return this.#governance ?? this.#base.governance();
  }

  governanceBefore(): GovernanceState {
    return this.#base.governanceBefore();
  }

  apply(effect: Effect): void {
    for (const [address, account] of effect.accounts) this.#accounts.set(address, account);
    if (effect.governance) this.#governance = effect.governance;
  }

  /** Every account written so far, in the order of first write: that order decides the leaves of new accounts. */
  changedAccounts(): ReadonlyMap<string, Account> {
    return this.#accounts;
  }

  /** The governance record if it was written. */
  changedGovernance(): GovernanceState | undefined {
    return this.#governance;
  }
}
