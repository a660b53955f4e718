/** What the store keeps of the chain's validators, so that a gateway that starts believes no node; and results that someone forged. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommittedBlock } from '../../server/engine/port.ts';
import { genesisGovernance, validatorAddress } from '../../server/ledger/index.ts';
import { devAddress, signedGovernance, signedTransfer, validatorKey } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';
import { onFollower } from './support/fixture-store.ts';
import { settled } from './support/manual-clock.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

const FIRST = () => genesisGovernance(fixture.engine.genesis).validators;
const power = (i: number, amount: number, sequence: number) =>
  signedGovernance({ action: 'validator_power', subject: validatorKey(i), power: amount, sequence }).raw;

const MAKES_BLOCKS = 'it makes the blocks itself';

onFollower.describe('a gateway that starts verifies', MAKES_BLOCKS, () => {
  test('from genesis on a new store', () => {
    expect(fixture.engine.checkpoints).toEqual([
      {
        height: 0,
        hash: '',
        timeMs: Date.parse(fixture.engine.genesis.genesisTime),
        governance: genesisGovernance(fixture.engine.genesis),
        validatorSets: [{ height: 1, validators: FIRST() }],
      },
    ]);
  });

  test('from where the store stands, with every set that signed since genesis and the one that only begins to', async () => {
    await fixture.block({ outsiders: [power(1, 3, 0)] });
    await fixture.block();
    await fixture.block({ outsiders: [power(1, 2, 1), signedTransfer({ nonce: 0 }).raw] });
    const last = fixture.engine.committed.at(-1) as CommittedBlock;
    await fixture.restart();
    const withPower = (amount: number) =>
      [...FIRST(), { publicKey: validatorKey(1), power: amount }].sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
    expect(last.height).toBe(3);
    expect(fixture.engine.checkpoints.at(-1)).toEqual({
      height: 3,
      hash: last.hash,
      timeMs: last.timeMs,
      governance: expect.objectContaining({ validators: withPower(2), sequence: 2 }),
      validatorSets: [
        { height: 1, validators: FIRST() },
        { height: 3, validators: withPower(3) },
        { height: 5, validators: withPower(2) },
      ],
    });
  });

  test('a change of cancellers, or one that is taken back in the same block, is no new set', async () => {
    await fixture.block({ outsiders: [signedGovernance({}).raw, power(1, 3, 1), power(1, 0, 2)] });
    expect(await fixture.store.read((tx) => tx.validatorSets())).toEqual([{ height: 1, validators: FIRST() }]);
  });
});

onFollower.describe('evidence in a block', MAKES_BLOCKS, () => {
  const proved = {
    kind: 'duplicate_vote' as const,
    validatorAddress: validatorAddress(Buffer.from(validatorKey(1), 'hex')),
    height: 1,
  };

  test('costs its validator the power here too, also in a block without transactions', async () => {
    await fixture.block({ outsiders: [power(1, 3, 0)] });
    await fixture.block();
    await fixture.block({ misbehavior: [proved] });
    expect((await fixture.store.read((tx) => tx.follower()))?.height).toBe(3);
    expect((await fixture.store.now.governance())?.validators).toEqual(FIRST());
    expect(await fixture.store.now.governance()).toEqual(fixture.engine.ledger.governance());
    expect((await fixture.store.read((tx) => tx.validatorSets())).at(-1)).toEqual({ height: 5, validators: FIRST() });
  });
});

onFollower.describe('a store that a version without verification followed', MAKES_BLOCKS, () => {
  test('is verified from genesis again, and has all sets with the next block', async () => {
    await fixture.block({ outsiders: [power(1, 3, 0)] });
    await fixture.block();
    await fixture.stop();
    await fixture.database.forgetVerification();
    await fixture.start();
    expect(fixture.engine.checkpoints.at(-1)).toMatchObject({ height: 0, hash: '' });
    expect(await fixture.store.read((tx) => tx.follower())).toMatchObject({ height: 2, verifiedHeight: 0 });
    await fixture.block();
    expect(await fixture.store.read((tx) => tx.follower())).toMatchObject({ height: 3, verifiedHeight: 3 });
    expect(await fixture.store.read((tx) => tx.validatorSets())).toEqual(await fixture.engine.validatorSets(2));
    await fixture.block();
    expect(await fixture.store.read((tx) => tx.follower())).toMatchObject({ height: 4, verifiedHeight: 4 });
    await fixture.restart();
    expect(fixture.engine.checkpoints.at(-1)).toMatchObject({ height: 4 });
  });

  test('for some blocks only, between two of this one, is worth no more', async () => {
    await fixture.block();
    await fixture.block();
    await fixture.stop();
    await fixture.database.forgetVerification(1);
    await fixture.start();
    expect(fixture.engine.checkpoints.at(-1)).toMatchObject({ height: 0 });
    await fixture.block();
    expect(await fixture.store.read((tx) => tx.follower())).toMatchObject({ height: 3, verifiedHeight: 3 });
  });

  test('and believed a block that the chain does not have, stops: the store contradicts the chain', async () => {
    await fixture.block();
    await fixture.block();
    await fixture.stop();
    await fixture.database.forgetVerification();
    await fixture.database.forgeHead();
    await fixture.start();
    await fixture.block();
    expect(await fixture.gateway.readiness()).toMatchObject({
      ready: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ ok: false, detail: expect.stringContaining('the store contradicts the chain') }),
      ]),
    });
  });
});

onFollower.describe('results that the ledger contradicts', MAKES_BLOCKS, () => {
  test('settle nothing while they may be forged: they are asked for again', async () => {
    const { txHash } = await fixture.accept({ nonce: 0, to: 5 });
    let isForged = true;
    const rejected: number[] = [];
    const { blocks } = fixture.engine;
    fixture.engine.onRejected = (height) => {
      rejected.push(height);
      return true;
    };
    fixture.engine.blocks = async (from, limit) =>
      (await blocks(from, limit)).map((block) => (isForged ? { ...block, codes: block.codes.map(() => 1) } : block));
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('pending');
    expect(rejected[0]).toBe(1);
    isForged = false;
    await fixture.clock.advance(1_000);
    await settled();
    expect(await fixture.status(txHash)).toBe('committed');
    expect(await fixture.gateway.account(devAddress(5))).toMatchObject({ balance: String(10n ** 15n + 1n) });
    expect(await fixture.gateway.readiness()).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'engine', ok: true })]),
    });
  });

  test('stop the gateway once a later block commits to them', async () => {
    const { txHash } = await fixture.accept({ nonce: 0 });
    const { blocks } = fixture.engine;
    fixture.engine.blocks = async (from, limit) =>
      (await blocks(from, limit)).map((block) => ({ ...block, codes: block.codes.map(() => 1) }));
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('pending');
    expect(await fixture.gateway.readiness()).toMatchObject({ ready: false });
  });
});
