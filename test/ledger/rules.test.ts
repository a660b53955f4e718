import { describe, expect, test } from '@jest/globals';
import {
  finalizeBlock,
  governanceAfter,
  LedgerState,
  prepareBlock,
  processBlock,
  RULES_VERSION_KNOWN,
  rulesVersionAt,
  UnknownRulesError,
} from '../../server/ledger/index.ts';
import { BLOCK, signedTransfer, testGenesis } from './support.ts';

const LIMITS = { bytesMax: 1_000_000, transactionsMax: 1000, allowValidatorChanges: true };
const NEXT = RULES_VERSION_KNOWN + 1;
const rules = [
  { version: 1, height: 1 },
  { version: NEXT, height: 20 },
];
const at = (height: number) => ({ ...BLOCK, height });

describe('a version of the rules', () => {
  test('counts from its height on', () => {
    expect([1, 19, 20, 21].map((height) => rulesVersionAt({ rules }, height))).toEqual([1, 1, NEXT, NEXT]);
  });

  test('that this program does not know is never executed: each way to a block stops with what to do', () => {
    const state = LedgerState.fromGenesis(testGenesis({ rules }));
    const transfer = signedTransfer();
    const ways = [
      (height: number) => finalizeBlock(state, [transfer.raw], at(height)),
      (height: number) => prepareBlock(state, [transfer], at(height), LIMITS),
      (height: number) => processBlock(state, [transfer.raw], at(height), LIMITS),
      (height: number) => governanceAfter(state.chain, state.governance(), [], at(height)),
    ];
    for (const way of ways) {
      expect(() => way(19)).not.toThrow();
      expect(() => way(20)).toThrow(UnknownRulesError);
      expect(() => way(20)).toThrow(
        /^from height 20 on the chain follows version 2 of its rules, and this program knows version 1 at most: install a version/,
      );
    }
  });
});
