import { describe, expect, test } from '@jest/globals';
import { finalizeBlock, LedgerState, type Misbehavior, validatorAddress } from '../../server/ledger/index.ts';
import { BLOCK, operatorAddress, signedGovernance, testGenesis, validatorKey } from './support.ts';

const addressOf = (i: number) => validatorAddress(Buffer.from(validatorKey(i), 'hex'));
const proved = (i: number, kind: Misbehavior['kind'] = 'duplicate_vote'): Misbehavior => ({
  kind,
  validatorAddress: addressOf(i),
  height: 3,
});
const genesisOf = (...powers: number[]) =>
  LedgerState.fromGenesis(
    testGenesis({ validators: powers.map((power, i) => ({ publicKey: validatorKey(i), power, name: '' })) }),
  );
const run = (state: LedgerState, misbehavior: readonly Misbehavior[], raws: readonly Uint8Array[] = []) =>
  finalizeBlock(state, raws, { ...BLOCK, misbehavior });
const attributes = (event: { attributes: readonly { key: string; value: string }[] }) =>
  Object.fromEntries(event.attributes.map(({ key, value }) => [key, value]));

describe('evidence in a block', () => {
  test.each(['duplicate_vote', 'light_client_attack'] as const)(
    '%s takes all power, with an event, and CometBFT is told',
    (kind) => {
      const state = genesisOf(10, 20, 30);
      const done = run(state, [proved(1, kind)]);
      expect(done.validatorUpdates).toEqual([{ publicKey: validatorKey(1), power: 0 }]);
      expect(done.events.map(({ type }) => type)).toEqual(['evidence']);
      expect(attributes(done.events[0]!)).toEqual({
        kind,
        height: '3',
        validator: addressOf(1),
        publicKey: validatorKey(1),
        powerBefore: '20',
        power: '0',
      });
      state.commit(done);
      expect(state.governance().validators.map(({ publicKey }) => publicKey)).not.toContain(validatorKey(1));
      expect(state.governance().sequence).toBe(0);
    },
  );

  test('changes the app hash, as every change of the state does', () => {
    const [a, b] = [genesisOf(10, 20, 30), genesisOf(10, 20, 30)];
    a.commit(run(a, [proved(1)]));
    b.commit(run(b, []));
    expect(Buffer.from(a.appHash).equals(b.appHash)).toBe(false);
  });

  test('is not held to the bound of a third', () => {
    expect(run(genesisOf(10, 90), [proved(1)]).validatorUpdates).toEqual([{ publicKey: validatorKey(1), power: 0 }]);
  });

  test('leaves the last validator its power, and of all of them the strongest, in whatever order they are named', () => {
    expect(run(genesisOf(10), [proved(0)])).toMatchObject({ validatorUpdates: [], governance: undefined });
    expect(attributes(run(genesisOf(10), [proved(0)]).events[0]!)).toMatchObject({ powerBefore: '10', power: '10' });
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ].map(
      (order) =>
        run(
          genesisOf(10, 30, 20),
          order.map((i) => proved(i)),
        ).governance?.validators,
    );
    expect(new Set(orders.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify([{ publicKey: validatorKey(1), power: 30 }])]),
    );
  });

  test('against one that is no validator, or twice against one, is total', () => {
    expect(run(genesisOf(10, 20), [proved(7)])).toMatchObject({
      validatorUpdates: [],
      governance: undefined,
      events: [],
    });
    const twice = run(genesisOf(10, 20, 30), [proved(1), proved(1, 'light_client_attack')]);
    expect(twice.validatorUpdates).toEqual([{ publicKey: validatorKey(1), power: 0 }]);
    expect(twice.events).toHaveLength(1);
  });

  test('has the last word in its block: a transaction of the same block does not give the power back', () => {
    const raise = signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 21 });
    const done = run(genesisOf(10, 20, 30), [proved(1)], [raise.raw]);
    expect(done.results.map(({ code }) => code)).toEqual([0]);
    expect(done.validatorUpdates).toEqual([{ publicKey: validatorKey(1), power: 0 }]);
  });

  test("does not undo what the block's transactions changed", () => {
    const done = run(genesisOf(10, 20, 30), [proved(1)], [signedGovernance({ subject: operatorAddress(4) }).raw]);
    expect(done.governance).toMatchObject({ sequence: 1, cancellers: [operatorAddress(0), operatorAddress(4)].sort() });
    expect(done.governance?.validators).toHaveLength(2);
  });
});
