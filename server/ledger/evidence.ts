/**
 * Evidence of misbehaviour in a block: it costs the validator its power.
 *
 * This is an effect of the block, after its transactions, so that nothing in the same block gives the power back. It is not a change by
 * governance: neither the sequence nor the bound of a third applies to it. It is total: a key that is no longer a validator is skipped, and
 * the last validator keeps its power, because CometBFT panics on an empty set.
 */
import { fromHex } from './bytes.ts';
import { event, type LedgerEvent } from './event.ts';
import type { GovernanceState, ValidatorPower } from './state.ts';
import { validatorAddress } from './validators.ts';

export type MisbehaviorKind = 'duplicate_vote' | 'light_client_attack';

/** Proof of CometBFT against a validator (ABCI's Misbehavior). */
export interface Misbehavior {
  readonly kind: MisbehaviorKind;
  /** CometBFT's address, 40 upper-case hex digits. */
  readonly validatorAddress: string;
  /** At which it happened. */
  readonly height: number;
}

export interface Punished {
  /** The very same object when nothing changed. */
  readonly governance: GovernanceState;
  /** One for each validator that the evidence names. */
  readonly events: readonly LedgerEvent[];
}

/**
 * The validator that would be the last to lose its power: the strongest, so that the outcome does not depend on the order of the evidence.
 */
function strongest(validators: readonly ValidatorPower[]): ValidatorPower | undefined {
  return validators.reduce<ValidatorPower | undefined>(
    (best, each) => (best === undefined || each.power > best.power ? each : best),
    undefined,
  );
}

export function punish(governance: GovernanceState, misbehavior: readonly Misbehavior[]): Punished {
  if (misbehavior.length === 0) return { governance, events: [] };
  const byAddress = new Map(
    governance.validators.map((validator) => [validatorAddress(fromHex(validator.publicKey)), validator]),
  );
  const named = new Map<ValidatorPower, Misbehavior>();
  for (const each of misbehavior) {
    const validator = byAddress.get(each.validatorAddress);
    if (validator !== undefined && !named.has(validator)) named.set(validator, each);
  }
  if (named.size === 0) return { governance, events: [] };
  const spared = named.size === governance.validators.length ? strongest(governance.validators) : undefined;
  const validators = governance.validators.filter((validator) => validator === spared || !named.has(validator));
  const events = [...named].map(([validator, { kind, height, validatorAddress: address }]) =>
    event('evidence', {
      kind,
      height,
      validator: address,
      publicKey: validator.publicKey,
      powerBefore: validator.power,
      power: validator === spared ? validator.power : 0,
    }),
  );
  return {
    governance: validators.length === governance.validators.length ? governance : { ...governance, validators },
    events,
  };
}
