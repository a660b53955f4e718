/**
 * Governance: operators and voting power, changed one numbered transaction at a time.
 *
 * Every bound here keeps CometBFT from panicking on the validator updates that follow (an empty set, too much power, removal of a stranger),
 * because a panic there halts the chain for good.
 */
import { CODES, refuse, type Refused } from './codes.ts';
import type { StepResult } from './effect.ts';
import { OPERATORS_MAX, VALIDATORS_MAX } from './limits.ts';
import type { GovernanceState, StateView, ValidatorPower } from './state.ts';
import type { Governance } from './transaction.ts';

function addOperator(state: GovernanceState, address: string): GovernanceState | Refused {
  if (state.operators.includes(address)) return refuse('governance_without_effect', 'the subject is an operator already');
  if (state.operators.length >= OPERATORS_MAX) return refuse('governance_limit', `there are at most ${OPERATORS_MAX} operators`);
  return { ...state, operators: [...state.operators, address].sort() };
}

function removeOperator(state: GovernanceState, address: string): GovernanceState | Refused {
  if (!state.operators.includes(address)) return refuse('governance_without_effect', 'the subject is no operator');
  if (state.operators.length === 1) return refuse('governance_last_one', 'the last operator cannot be removed');
  return { ...state, operators: state.operators.filter((operator) => operator !== address) };
}

function setPower(state: GovernanceState, publicKey: string, power: number): GovernanceState | Refused {
  const current = state.validators.find((validator) => validator.publicKey === publicKey)?.power ?? 0;
  if (current === power) return refuse('governance_without_effect', `the validator's power is ${power} already`);
  const others = state.validators.filter((validator) => validator.publicKey !== publicKey);
  if (power === 0) {
    if (others.length === 0) return refuse('governance_last_one', 'the last validator cannot be removed');
    return { ...state, validators: others };
  }
  if (others.length >= VALIDATORS_MAX) return refuse('governance_limit', `there are at most ${VALIDATORS_MAX} validators`);
  return { ...state, validators: sortValidators([...others, { publicKey, power }]) };
}

function change(state: GovernanceState, tx: Governance): GovernanceState | Refused {
  switch (tx.action) {
    case 'operator_add':
      return addOperator(state, tx.subject);
    case 'operator_remove':
      return removeOperator(state, tx.subject);
    case 'validator_power':
      return setPower(state, tx.subject, tx.power);
  }
}

/** Sorted by public key, the order in which the state keeps them. */
export function sortValidators(validators: readonly ValidatorPower[]): ValidatorPower[] {
  return [...validators].sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}

export function stepGovernance(view: StateView, tx: Governance): StepResult {
  const state = view.governance();
  if (!state.operators.includes(tx.signer)) return refuse('signer_not_allowed', 'governance is signed by an operator');
  if (tx.sequence !== state.sequence) {
    return refuse('governance_sequence', `sequence ${tx.sequence}, the chain expects ${state.sequence}`);
  }
  const changed = change(state, tx);
  if ('ok' in changed) return changed;
  return {
    ok: true,
    effect: {
      code: CODES.ok,
      log: '',
      accounts: [],
      governance: { ...changed, sequence: state.sequence + 1 },
      ...(tx.action === 'validator_power' ? { validatorUpdates: [{ publicKey: tx.subject, power: tx.power }] } : {}),
    },
  };
}
