/** What the gateway promises about a batch: the outcomes of single submissions in the order of the batch, and one commit for all. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Principal, Refusal, Submitted } from '../../server/gateway/index.ts';
import { accessIn, createAdministration, createGatewayFront } from '../../server/gateway/index.ts';
import type { VerifySignatures } from '../../server/gateway/verification.ts';
import { BATCH_TRANSFERS_MAX, GROUP_SIZE_MAX } from '../../server/gateway/limits.ts';
import { StoreUnavailableError } from '../../server/store/errors.ts';
import { devAddress, devSeed, signedTransfer } from '../ledger/support.ts';
import type { TransferOptions } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, inputOf } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';
import { signedAgain } from './support/second-signature.ts';

let fixture: Fixture;
const open = async (options: Parameters<typeof Fixture.open>[0] = {}): Promise<void> => {
  fixture = await Fixture.open({ faulty: true, ...options });
};
beforeEach(() => open());
afterEach(() => fixture.dispose());

type Input = ReturnType<typeof inputOf>;
const input = (options: TransferOptions): Input => inputOf(signedTransfer(options));

async function submit(inputs: readonly Input[], who: Principal = ALICE): Promise<(Submitted | Refusal)[]> {
  const answers = await fixture.gateway.submitBatch(inputs, who);
  if (!Array.isArray(answers)) throw new Error(answers.code);
  return answers;
}
const told = (answers: readonly (Submitted | Refusal)[]): string[] =>
  answers.map((answer) => (!answer.ok ? answer.code : answer.replayed ? 'replayed' : 'accepted'));

describe('the transfers of a batch', () => {
  test('are judged in its order, each after those before it', async () => {
    expect(
      told(await submit([input({ nonce: 0 }), input({ nonce: 1 }), input({ nonce: 2 }), input({ from: 1, nonce: 0 })])),
    ).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    await fixture.block();
    expect(await fixture.status(signedTransfer({ nonce: 2 }).hash)).toBe('committed');
  });

  test('have the outcomes that they would have alone, one after another', async () => {
    const balance = BigInt(((await fixture.gateway.account(devAddress(0))) as { balance: string }).balance);
    const good = input({ nonce: 0 });
    const forged = { ...input({ nonce: 1 }), amount: '2' };
    const batch = [
      good,
      good,
      input({ nonce: 0, amount: 2n }),
      { ...good, to: `${good.to.slice(0, -1)}${good.to.endsWith('q') ? 'p' : 'q'}` },
      forged,
      { ...input({ nonce: 1 }), txHash: '0'.repeat(64) },
      { ...input({ nonce: 1 }), amount: 'x' },
      input({ nonce: 1, amount: balance }),
      input({ nonce: 5_000 }),
      input({ nonce: 1, amount: balance - 1n }),
    ];
    const outcomes = await submit(batch);
    expect(told(outcomes)).toEqual([
      'accepted',
      'replayed',
      'nonce_conflict',
      'invalid_address',
      'invalid_signature',
      'tx_hash_mismatch',
      'invalid_request',
      'insufficient_funds',
      'nonce_too_high',
      'accepted',
    ]);
    expect(outcomes[4]).toMatchObject({
      extra: { signBytes: expect.stringContaining('txledger-transfer-v1\n') },
      errors: [{ pointer: '/signature' }],
    });

    await fixture.dispose();
    await open();
    const alone: (Submitted | Refusal)[] = [];
    for (const each of batch) alone.push(await fixture.gateway.submit(each, ALICE));
    expect(outcomes).toEqual(alone);
  });

  test('are stored by one commit, up to the largest batch', async () => {
    expect(BATCH_TRANSFERS_MAX).toBeLessThanOrEqual(GROUP_SIZE_MAX);
    const before = (await fixture.gateway.metrics()).group_commits_total;
    const answers = await submit(Array.from({ length: BATCH_TRANSFERS_MAX }, (_, nonce) => input({ nonce })));
    expect(new Set(told(answers))).toEqual(new Set(['accepted']));
    expect((await fixture.gateway.metrics()).group_commits_total - before).toBe(1);
    expect((await fixture.gateway.metrics()).group_commit_size_max).toBe(BATCH_TRANSFERS_MAX);
  }, 30_000);

  test('sent again, also under other signatures, are replays and pay nothing twice', async () => {
    const batch = [input({ nonce: 0 }), input({ nonce: 1 })];
    await submit(batch);
    await fixture.block();
    const again = await submit([
      ...batch,
      inputOf(signedAgain(signedTransfer({ nonce: 1 }), devSeed(0))),
      input({ nonce: 2 }),
    ]);
    expect(told(again)).toEqual(['replayed', 'replayed', 'replayed', 'accepted']);
    expect(again[0]).toMatchObject({ transaction: { status: 'committed' } });
  });

  test('of an address that is bound to another owner are refused, and are told nothing more', async () => {
    const administration = createAdministration(accessIn(fixture.admin), {
      clock: fixture.clock,
      random: { bytes: (n) => randomBytes(n) },
      actor: 'user:tester@here',
    });
    await administration.bindAddress(devAddress(0), 'bob');
    const forged = { ...input({ nonce: 0 }), amount: '2' };
    expect(told(await submit([input({ nonce: 0 }), forged, input({ from: 1, nonce: 0 })]))).toEqual([
      'not_submitter',
      'not_submitter',
      'accepted',
    ]);
    expect(told(await submit([input({ nonce: 0 }), forged], BOB))).toEqual(['accepted', 'invalid_signature']);
  });

  test("count for the owner's places one by one", async () => {
    await fixture.dispose();
    await open({ limits: { pendingPerOwnerMax: 2 } });
    expect(told(await submit([0, 1, 2, 3].map((nonce) => input({ nonce }))))).toEqual([
      'accepted',
      'accepted',
      'too_many_pending',
      'too_many_pending',
    ]);
  });

  test('are each refused when their group cannot be stored, and none of them is there', async () => {
    fixture.faults.beforeCommit = () => {
      throw new StoreUnavailableError('the disk is full');
    };
    expect(told(await submit([input({ nonce: 0 }), input({ nonce: 1 })]))).toEqual([
      'store_unavailable',
      'store_unavailable',
    ]);
    fixture.faults.beforeCommit = undefined;
    expect(await fixture.gateway.get(signedTransfer({ nonce: 0 }).hash)).toBeUndefined();
    expect(told(await submit([input({ nonce: 0 }), input({ nonce: 1 })]))).toEqual(['accepted', 'accepted']);
  });
});

test('a batch is refused as a whole while the gateway drains, and one under way is answered first', async () => {
  let verify = (): void => undefined;
  const verifySignatures: VerifySignatures = (checks) =>
    new Promise((resolve) => (verify = () => resolve(checks.map(() => true))));
  const gateway = createGatewayFront(fixture.core, {
    chain: fixture.engine.genesis,
    clock: fixture.clock,
    verifySignatures,
  });
  const under = gateway.submitBatch([input({ nonce: 0 })], ALICE);
  const drained = gateway.drain();
  expect(await gateway.submitBatch([input({ nonce: 1 })], ALICE)).toMatchObject({ ok: false, code: 'shutting_down' });
  await settled();
  verify();
  expect(told((await under) as Submitted[])).toEqual(['accepted']);
  await drained;
});
