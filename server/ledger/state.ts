/**
 * Input of the rules: a view of accounts and governance at one moment.
 *
 * A view is an interface because the committed state, a block in the making, the check state and a gateway's projection are all read by the
 * same rules.
 */
import type { Account } from './account.ts';
import type { ChainContext } from './chain.ts';

export interface ValidatorPower {
  /** Ed25519 public key, 64 lower-case hex digits. */
  readonly publicKey: string;
  /** Voting power; 0 only in an update, where it removes. */
  readonly power: number;
}

/** From `height` on blocks follow this version of the rules. */
export interface RulesActivation {
  readonly version: number;
  readonly height: number;
}

/** Unit of the amounts. */
export interface Currency {
  /** See CURRENCY_CODE_PATTERN. */
  readonly code: string;
  /** Digits after the point, 0 to CURRENCY_SCALE_MAX: how amounts are shown. They are integers of the smallest unit everywhere else. */
  readonly scale: number;
}

/**
 * The chain's decisions about itself, and the constants of its genesis that rules read. Plain JSON values, because stores and snapshots
 * keep the record as text.
 */
export interface GovernanceState {
  /** Addresses, sorted; never empty. Their keys are on gateways and can only void nonces. */
  readonly cancellers: readonly string[];
  /** Addresses, sorted; at least `threshold`. Their keys are kept offline and change roles, validators and rules. */
  readonly governors: readonly string[];
  /** Number of governors that sign a governance transaction, at least 1. */
  readonly threshold: number;
  /** Sorted by public key; never empty. */
  readonly validators: readonly ValidatorPower[];
  /** The sequence that the next governance transaction must carry. */
  readonly sequence: number;
  /** Both ascending; the first is in force from height 1 on. */
  readonly rules: readonly RulesActivation[];
  /** Fixed in genesis. */
  readonly currency: Currency;
  /** Fixed in genesis: the minimum that opens an account, in minor units, as decimal text. */
  readonly openingMinimum: string;
}

export interface StateView {
  readonly chain: ChainContext;
  account(address: string): Account | undefined;
  governance(): GovernanceState;
  /** Governance before the block whose transactions are run on this view: the changes of a block are measured against it. */
  governanceBefore(): GovernanceState;
}
