/**
 * Predicts the chain's answer to a proposal that enough governors have signed, with the ledger's own rules, so that both agree.
 *
 * @module
 */
import {
  encodeTransaction,
  step,
  type StateView,
  totalPower,
  verifyTransaction,
  withSignatures,
} from '../../ledger/index.ts';
import type { ChainState } from './chain-state.ts';
import { largestMove, powerSteps } from './power-steps.ts';
import { refusalSentence, type UnsignedGovernance } from './words.ts';

/** Placeholder for a missing signature. */
const NO_SIGNATURE = '0'.repeat(128);

/** Describes the steps that reach the power in spite of the bound of a third. */
function stepsSentence(
  { governance: { validators, sequence } }: ChainState,
  { subject, power }: UnsignedGovernance,
): string {
  const total = totalPower(validators);
  const { powers, complete } = powerSteps(validators, subject, power);
  const bound = `One block moves less than a third of all power: ${largestMove(total)} of ${total} now at the most.`;
  if (!complete) return `${bound} With so little power of the others this cannot be reached: raise theirs first.`;
  const steps = powers.map((each, i) => `  --power ${each} --sequence ${sequence + i}`);
  return [`${bound} Propose these steps, and submit each when the one before it is in a block:`, ...steps].join('\n');
}

/** Returns the reason why the chain would refuse it as its next governance transaction; undefined if the chain would accept it. */
export function refusalOf(chain: ChainState, proposed: UnsignedGovernance): string | undefined {
  const { chainId, addressPrefix, height, governance } = chain;
  const signers = governance.governors.slice(0, governance.threshold);
  const signed = withSignatures(
    proposed,
    signers.map((signer) => ({ signature: NO_SIGNATURE, signer })),
  );
  const verdict = verifyTransaction({ chainId, addressPrefix }, encodeTransaction(signed), { signatureVerified: true });
  if (!verdict.ok) return refusalSentence(verdict.refusal.code, verdict.refusal.log);
  const view: StateView = {
    chain: { chainId, addressPrefix },
    account: () => undefined,
    governance: () => governance,
    governanceBefore: () => governance,
  };
  // Governance uses the height of its block but not its time.
  const result = step(view, signed, { height: height + 1, timeNs: 0n });
  if (result.ok) return undefined;
  const { name, code, log } = result.refusal;
  if (name === 'governance_power_bound') return `${log} (code ${code}, ${name}). ${stepsSentence(chain, proposed)}`;
  return refusalSentence(code, log);
}
