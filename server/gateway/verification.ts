/**
 * Verification of many signatures, as a port: where there are spare cores the composition root spreads it over threads; without that the
 * caller's thread does it, in turns.
 */
import type { Clock } from '../engine/ports.ts';
import { verifyStrict } from '../ledger/index.ts';
import type { SignatureCheck } from './admission.ts';
import { BATCHES, turnsOf } from './turns.ts';

/** For each signature, in order, true when it holds by the STRICT rule. */
export type VerifySignatures = (checks: readonly SignatureCheck[]) => Promise<boolean[]>;

export function verifyInTurns(clock: Clock): VerifySignatures {
  return async (checks) => {
    const verdicts: boolean[] = [];
    const turns = turnsOf(clock);
    for (const { publicKey, message, signature } of checks) {
      verdicts.push(verifyStrict(publicKey, message, signature));
      const turn = turns.yield(BATCHES);
      if (turn !== undefined) await turn;
    }
    return verdicts;
  };
}
