/**
 * What the rules read: a view of accounts and governance at one moment.
 *
 * A view is an interface because the committed state, a block in the making, the check state and a gateway's projection are all read by
 * the same rules.
 */
import type { Account } from './account.ts';
import type { ChainContext } from './chain.ts';

export interface ValidatorPower {
  /** Ed25519 public key, 64 lower-case hex digits. */
  readonly publicKey: string;
  /** Voting power; 0 only in an update, where it removes. */
  readonly power: number;
}

export interface GovernanceState {
  /** Addresses, sorted; never empty. */
  readonly operators: readonly string[];
  /** Sorted by public key; never empty. */
  readonly validators: readonly ValidatorPower[];
  /** The sequence that the next governance transaction must carry. */
  readonly sequence: number;
}

export interface StateView {
  readonly chain: ChainContext;
  account(address: string): Account | undefined;
  governance(): GovernanceState;
}
