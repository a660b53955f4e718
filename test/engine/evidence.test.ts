/** Evidence in a block's JSON, compared with what stock CometBFT types make of it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { BlockLie } from '../../server/engine/cometbft/blocks/header-json.ts';
import { evidenceOfJson } from '../../server/engine/cometbft/blocks/evidence-json.ts';
import { merkleRoot, upperHex } from '../../server/engine/encoding/index.ts';

interface Case {
  evidence: { evidence: any[] };
  hash: string;
  misbehavior: { type: string; address: string; height: number }[];
}
const CASES = JSON.parse(readFileSync(new URL('golden/evidence.json', import.meta.url), 'utf8')) as Case[];
const hashOf = (evidence: readonly unknown[]): string =>
  upperHex(merkleRoot(evidence.map((each) => evidenceOfJson(each).bytes)));
const copy = (evidence: any): any => JSON.parse(JSON.stringify(evidence));

describe('evidence as a node answers it', () => {
  test('hashes as types.EvidenceList does, and names whom the application is told', () => {
    expect(CASES.map(({ evidence }) => evidence.evidence.length)).toEqual([0, 1, 1, 2]);
    for (const { evidence, hash, misbehavior } of CASES) {
      expect(hashOf(evidence.evidence)).toBe(hash);
      const named = evidence.evidence.flatMap((each) => evidenceOfJson(each).misbehavior);
      expect(named).toEqual(
        misbehavior.map(({ type, address, height }) => ({
          kind: type.toLowerCase(),
          validatorAddress: address,
          height,
        })),
      );
    }
  });

  test('has another hash, or is refused, whatever value in it is changed', () => {
    const { evidence, hash } = CASES[3] as Case;
    let changed = 0;
    const visit = (at: any): void => {
      for (const key of Object.keys(at)) {
        const value = at[key];
        if (typeof value === 'object' && value !== null) {
          visit(value);
          continue;
        }
        // What types.ValidatorSet leaves out of its bytes, and keys that are absent of a vote that carries no extension.
        if (value === null || key === 'type') continue;
        at[key] =
          typeof value === 'number'
            ? value + 1
            : /^-?\d+$/.test(value)
              ? String(BigInt(value) + 1n)
              : value.replace(/[0-9A-Fa-f]/, (digit: string) => (digit === '1' ? '2' : '1'));
        let outcome: string;
        try {
          outcome = hashOf(list);
        } catch (error) {
          expect(error).toBeInstanceOf(BlockLie);
          outcome = 'refused';
        }
        if (at[key] !== value) {
          expect([key, outcome]).not.toEqual([key, hash]);
          changed += 1;
        }
        at[key] = value;
      }
    };
    const list = copy(evidence.evidence);
    visit(list);
    expect(hashOf(list)).toBe(hash);
    expect(changed).toBeGreaterThan(60);
  });

  test.each([
    {},
    null,
    7,
    { type: 'tendermint/Other', value: {} },
    { type: 'tendermint/DuplicateVoteEvidence' },
    { type: 'tendermint/LightClientAttackEvidence', value: {} },
  ])('%p is refused', (value) => {
    expect(() => evidenceOfJson(value)).toThrow(BlockLie);
  });
});
