/** The steps that `txledger governance propose` suggests, judged by the ledger's own bound. */
import { describe, expect, test } from '@jest/globals';
import { largestMove, powerSteps } from '../../server/cli/governance/power-steps.ts';
import {
  isChangeWithinBound,
  totalPower,
  type ValidatorPower,
  VALIDATOR_POWER_MAX,
} from '../../server/ledger/index.ts';
import { validatorKey } from '../ledger/support.ts';

const KEYS = Array.from({ length: 6 }, (_, i) => validatorKey(i));

/** The set after one validator's power was changed. */
function withPower(validators: readonly ValidatorPower[], publicKey: string, power: number): ValidatorPower[] {
  const others = validators.filter((validator) => validator.publicKey !== publicKey);
  return power === 0 ? others : [...others, { publicKey, power }];
}

/** Small and large powers alike. */
const randomPower = (): number => Math.max(1, Math.floor(Math.random() * 10 ** Math.floor(1 + Math.random() * 15)));

describe('the steps of a validator power', () => {
  test('are each allowed by the ledger, reach the target, and one unit more in any of them would be refused', () => {
    let severalSteps = 0;
    for (let run = 0; run < 2000; run++) {
      let validators: ValidatorPower[] = KEYS.slice(0, 1 + (run % 5)).map((publicKey) => ({
        publicKey,
        power: randomPower(),
      }));
      const publicKey = KEYS[Math.floor(Math.random() * KEYS.length)] as string;
      const target =
        Math.random() < 0.3 && validators.some((each) => each.publicKey !== publicKey)
          ? 0
          : Math.min(randomPower(), VALIDATOR_POWER_MAX);
      const { powers, complete } = powerSteps(validators, publicKey, target);
      if (powers.length > 1) severalSteps += 1;
      for (const [i, power] of powers.entries()) {
        const next = withPower(validators, publicKey, power);
        expect(isChangeWithinBound(validators, next)).toBe(true);
        const now = validators.find((each) => each.publicKey === publicKey)?.power ?? 0;
        const further = power > now ? power + 1 : power - 1;
        const isLast = i === powers.length - 1 && complete;
        // All but the last go as far as is allowed.
        if (!isLast && further >= 0)
          expect(isChangeWithinBound(validators, withPower(validators, publicKey, further))).toBe(false);
        validators = next;
      }
      const reached = validators.find((each) => each.publicKey === publicKey)?.power ?? 0;
      if (complete) expect(reached).toBe(target);
      else expect(largestMove(totalPower(validators))).toBe(0n);
    }
    expect(severalSteps).toBeGreaterThan(500);
  });

  test('are none where the power is so already', () => {
    expect(powerSteps([{ publicKey: KEYS[0] as string, power: 10 }], KEYS[0] as string, 10)).toEqual({
      powers: [],
      complete: true,
    });
  });

  test('end where so little power is left that nothing may move', () => {
    const validators = [
      { publicKey: KEYS[0] as string, power: 10 },
      { publicKey: KEYS[1] as string, power: 1 },
    ];
    expect(powerSteps(validators, KEYS[0] as string, 0)).toEqual({ powers: [7, 5, 4, 3, 2], complete: false });
  });
});
