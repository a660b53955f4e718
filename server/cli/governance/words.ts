/**
 * Governance in sentences: the effect of a transaction, and the chain's answers.
 *
 * @module
 */
import { CODES, type Governance, type RefusalName, type Unsigned, validatorAddress } from '../../ledger/index.ts';

export type UnsignedGovernance = Unsigned<Governance>;

function powerSentence(publicKey: string, power: number): string {
  const validator = `the validator with the public key ${publicKey} (CometBFT address ${validatorAddress(Buffer.from(publicKey, 'hex'))})`;
  return power === 0
    ? `Removes ${validator}: its power becomes 0.`
    : `Sets the voting power of ${validator} to ${power}.`;
}

/** Describes the change only by the transaction's own members, so that the text is the same everywhere. */
export function explainGovernance({ action, subject, power }: UnsignedGovernance): string {
  switch (action) {
    case 'canceller_add':
      return `Adds ${subject} to the cancellers: its key can then void pending transfers of every account, and can do nothing else.`;
    case 'canceller_remove':
      return `Removes ${subject} from the cancellers: its key can then cancel for no account but its own.`;
    case 'governor_add':
      return `Adds ${subject} to the governors: its key can then sign changes of roles, validators and rules.`;
    case 'governor_remove':
      return `Removes ${subject} from the governors: its signatures no longer count.`;
    case 'threshold':
      return `Sets the threshold to ${power}: from then on ${power} ${power === 1 ? 'governor signs' : 'governors sign'} each change.`;
    case 'validator_power':
      return powerSentence(subject, power);
    case 'rules_version':
      return `Activates version ${subject} of the rules at height ${power}: a node whose program does not know that version stops there.`;
  }
}

/** Resolutions of refusals, beside the chain's own text. */
const REMEDIES: Partial<Record<RefusalName, string>> = {
  signer_not_allowed: 'Only governors sign: let one of them sign instead.',
  invalid_signature: 'A signature does not belong to what is signed: make the proposal again.',
  governance_sequence:
    'Each sequence is used once, in order: make the proposal again for the sequence that the chain expects.',
  governance_without_effect: 'Nothing is left to do.',
  governance_not_available:
    'One process with one key makes the blocks of this chain: its validators can change once it runs as a network of nodes.',
  governance_threshold: 'Let more governors sign.',
  governance_power_bound: 'Go in smaller steps, each in a block of its own; txledger governance propose lists them.',
  check_nonce_taken: 'Another proposal with this sequence waits for a block: wait for it, then propose again.',
};

/** Describes the chain's refusal in a sentence; `log` is the chain's own text. */
export function refusalSentence(code: number, log: string): string {
  const name = (Object.keys(CODES) as RefusalName[]).find((each) => CODES[each] === code);
  const remedy = name === undefined ? undefined : REMEDIES[name];
  return `${log} (code ${code}${name === undefined ? '' : `, ${name}`}).${remedy === undefined ? '' : ` ${remedy}`}`;
}
