/**
 * Governance: roles, threshold, voting power and rules, changed one numbered transaction at a time by enough governors.
 *
 * Every bound on validators keeps CometBFT from panicking on the updates that follow (an empty set, too much power, removal of an unknown
 * validator), because a panic there halts the chain for good; and no block moves a third of the power, so that neither one mistake nor
 * stolen keys stop it.
 */
import type { BlockContext } from './block-context.ts';
import { CODES, refuse, type Refused } from './codes.ts';
import type { StepResult } from './effect.ts';
import { CANCELLERS_MAX, GOVERNORS_MAX, RULES_NOTICE_BLOCKS, VALIDATORS_MAX } from './limits.ts';
import type { GovernanceState, RulesActivation, StateView } from './state.ts';
import type { Governance } from './transaction.ts';
import { isChangeWithinBound, sortValidators } from './validators.ts';

type Changed = GovernanceState | Refused;

function addCanceller(state: GovernanceState, address: string): Changed {
  if (state.cancellers.includes(address))
    return refuse('governance_without_effect', 'the subject is a canceller already');
  if (state.cancellers.length >= CANCELLERS_MAX)
    return refuse('governance_limit', `there are at most ${CANCELLERS_MAX} cancellers`);
  return { ...state, cancellers: [...state.cancellers, address].sort() };
}

function removeCanceller(state: GovernanceState, address: string): Changed {
  if (!state.cancellers.includes(address)) return refuse('governance_without_effect', 'the subject is no canceller');
  if (state.cancellers.length === 1) return refuse('governance_last_one', 'the last canceller cannot be removed');
  return { ...state, cancellers: state.cancellers.filter((canceller) => canceller !== address) };
}

function addGovernor(state: GovernanceState, address: string): Changed {
  if (state.governors.includes(address))
    return refuse('governance_without_effect', 'the subject is a governor already');
  if (state.governors.length >= GOVERNORS_MAX)
    return refuse('governance_limit', `there are at most ${GOVERNORS_MAX} governors`);
  return { ...state, governors: [...state.governors, address].sort() };
}

function removeGovernor(state: GovernanceState, address: string): Changed {
  if (!state.governors.includes(address)) return refuse('governance_without_effect', 'the subject is no governor');
  // The threshold is at least 1, so the last one stays too.
  if (state.governors.length <= state.threshold) {
    return refuse(
      'governance_unreachable',
      `${state.governors.length} governors remain, and ${state.threshold} have to sign: lower the threshold first`,
    );
  }
  return { ...state, governors: state.governors.filter((governor) => governor !== address) };
}

function setThreshold(state: GovernanceState, threshold: number): Changed {
  if (threshold === state.threshold)
    return refuse('governance_without_effect', `the threshold is ${threshold} already`);
  if (threshold > state.governors.length) {
    return refuse('governance_unreachable', `there are ${state.governors.length} governors, fewer than ${threshold}`);
  }
  return { ...state, threshold };
}

function setPower(view: StateView, publicKey: string, power: number): Changed {
  const state = view.governance();
  const current = state.validators.find((validator) => validator.publicKey === publicKey)?.power ?? 0;
  if (current === power) return refuse('governance_without_effect', `the validator's power is ${power} already`);
  const others = state.validators.filter((validator) => validator.publicKey !== publicKey);
  if (power === 0 && others.length === 0) return refuse('governance_last_one', 'the last validator cannot be removed');
  if (power > 0 && others.length >= VALIDATORS_MAX)
    return refuse('governance_limit', `there are at most ${VALIDATORS_MAX} validators`);
  const validators = power === 0 ? others : sortValidators([...others, { publicKey, power }]);
  if (!isChangeWithinBound(view.governanceBefore().validators, validators)) {
    return refuse(
      'governance_power_bound',
      'the changes of this block would come to a third or more of the voting power before it',
    );
  }
  return { ...state, validators };
}

/** The next version, or another height for one that is not in force yet: so an upgrade that is not ready can be postponed. */
function setRules(state: GovernanceState, { version, height }: RulesActivation, block: BlockContext): Changed {
  const last = state.rules.at(-1) as RulesActivation;
  const isMoved = version === last.version && last.height > block.height;
  if (!isMoved && version !== last.version + 1) {
    return refuse(
      'governance_rules_version',
      `version ${version}, the chain has ${last.version} from height ${last.height} on`,
    );
  }
  if (isMoved && height === last.height)
    return refuse('governance_without_effect', `version ${version} counts from height ${height} on already`);
  const earlier = isMoved ? state.rules.slice(0, -1) : state.rules;
  const lowest = Math.max(block.height + RULES_NOTICE_BLOCKS, (earlier.at(-1) as RulesActivation).height + 1);
  if (height < lowest)
    return refuse('governance_rules_height', `height ${height}, the lowest that is possible now is ${lowest}`);
  return { ...state, rules: [...earlier, { version, height }] };
}

function change(view: StateView, tx: Governance, block: BlockContext): Changed {
  const state = view.governance();
  switch (tx.action) {
    case 'canceller_add':
      return addCanceller(state, tx.subject);
    case 'canceller_remove':
      return removeCanceller(state, tx.subject);
    case 'governor_add':
      return addGovernor(state, tx.subject);
    case 'governor_remove':
      return removeGovernor(state, tx.subject);
    case 'threshold':
      return setThreshold(state, tx.power);
    case 'validator_power':
      return setPower(view, tx.subject, tx.power);
    case 'rules_version':
      return setRules(state, { version: Number(tx.subject), height: tx.power }, block);
  }
}

/**
 * Checks that all signers are governors, and that they are enough. More than enough are allowed: each of them is a governor whose signature
 * verifies.
 */
function signersFault({ governors, threshold }: GovernanceState, { signatures }: Governance): Refused | undefined {
  const stranger = signatures.find(({ signer }) => !governors.includes(signer));
  if (stranger)
    return refuse('signer_not_allowed', `governance is signed by governors, and ${stranger.signer} is none`);
  if (signatures.length >= threshold) return undefined;
  return refuse('governance_threshold', `signed by ${signatures.length} governors, the chain asks for ${threshold}`);
}

export function stepGovernance(view: StateView, tx: Governance, block: BlockContext): StepResult {
  const state = view.governance();
  const fault = signersFault(state, tx);
  if (fault) return fault;
  if (tx.sequence !== state.sequence) {
    return refuse('governance_sequence', `sequence ${tx.sequence}, the chain expects ${state.sequence}`);
  }
  const changed = change(view, tx, block);
  if ('ok' in changed) return changed;
  return {
    ok: true,
    effect: { code: CODES.ok, log: '', accounts: [], governance: { ...changed, sequence: state.sequence + 1 } },
  };
}
