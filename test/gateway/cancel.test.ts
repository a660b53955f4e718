/** Cancelling: who may, what it answers, and that a block alone decides. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accessIn, createAdministration } from '../../server/gateway/index.ts';
import { devAddress, devSeed, operatorSeed, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, principal } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';
import { signedAgain } from './support/second-signature.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

const administration = () =>
  createAdministration(accessIn(fixture.admin), {
    clock: fixture.clock,
    random: { bytes: (n) => new Uint8Array(n).fill(7) },
    actor: 'user:tester@here',
  });

describe('who may cancel', () => {
  test('the owner that submitted it, under any of its tokens', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    const cancelling = fixture.gateway.cancel(txHash, { ...ALICE, tokenId: 'rotated' }, 10_000);
    await fixture.block();
    expect(await cancelling).toMatchObject({
      ok: true,
      decided: true,
      transaction: { status: 'cancelled', height: 1 },
    });
  });

  test('nobody else, unless the token may cancel anything', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    expect(await fixture.gateway.cancel(txHash, BOB, 0)).toMatchObject({ ok: false, code: 'not_submitter', txHash });
    const cancelling = fixture.gateway.cancel(
      txHash,
      principal('bob', ['transactions:write', 'transactions:cancel-any']),
      10_000,
    );
    await fixture.block();
    expect(await cancelling).toMatchObject({ ok: true, decided: true });
  });

  test('the owner that the address is bound to, and then not who submitted it', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    await administration().bindAddress(devAddress(0), 'bob');
    expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({ ok: false, code: 'not_submitter' });
    expect(await fixture.gateway.cancel(txHash, BOB, 0)).toMatchObject({ ok: true, decided: false });
  });

  test('an unknown id is not found, and strangers are told not_submitter before already_settled', async () => {
    expect(await fixture.gateway.cancel('0'.repeat(64), ALICE, 0)).toMatchObject({ ok: false, code: 'not_found' });
    const { txHash } = await fixture.accept({});
    await fixture.block();
    expect(await fixture.gateway.cancel(txHash, BOB, 0)).toMatchObject({ ok: false, code: 'not_submitter' });
    expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({
      ok: false,
      code: 'already_settled',
      extra: { status: 'committed' },
    });
  });

  describe('whoever holds the key of the sender', () => {
    const bySender = (txHash: string, nonce: number): string =>
      signedCancel({ from: 0, nonce, signer: devSeed(0), txHash }).tx.signature;

    test('also when another owner submitted it, and when the address is bound to another', async () => {
      for (const [nonce, owner] of [
        [2, undefined],
        [3, 'carol'],
      ] as const) {
        const { txHash } = await fixture.accept({ nonce });
        if (owner !== undefined) await administration().bindAddress(devAddress(0), owner);
        expect(await fixture.gateway.cancel(txHash, BOB, 0)).toMatchObject({ ok: false, code: 'not_submitter' });
        const cancelling = fixture.gateway.submitCancel(txHash, bySender(txHash, nonce), BOB, 10_000);
        await fixture.block();
        expect(await cancelling).toMatchObject({ ok: true, decided: true, transaction: { status: 'cancelled' } });
        expect(await fixture.gateway.submitCancel(txHash, bySender(txHash, nonce), BOB, 0)).toMatchObject({
          ok: true,
          decided: true,
        });
      }
    });

    test('by the very bytes of the cancel: any other signature is answered with them and does nothing', async () => {
      const { txHash } = await fixture.accept({ nonce: 2 });
      const another = signedCancel({ from: 0, nonce: 2, signer: devSeed(1), txHash }).tx.signature;
      for (const signature of [
        another,
        bySender(txHash, 3),
        bySender('0'.repeat(64), 2),
        signedTransfer({ nonce: 2 }).tx.signature,
      ]) {
        expect(await fixture.gateway.submitCancel(txHash, signature, ALICE, 0)).toMatchObject({
          ok: false,
          code: 'invalid_signature',
          extra: {
            signBytes: `txledger-cancel-v1\n{"chainId":"txledger-test-1","from":"${devAddress(0)}","nonce":2,"signer":"${devAddress(0)}","txHash":"${txHash}"}`,
          },
        });
      }
      expect(await fixture.detail(txHash)).toMatchObject({ status: 'pending', history: [{ event: 'accepted' }] });
    });

    test('sends the signed bytes to the chain, and records the request, which outlives lost bytes and a restart', async () => {
      const { txHash } = await fixture.accept({ nonce: 2 });
      const signed = signedCancel({ from: 0, nonce: 2, signer: devSeed(0), txHash });
      const sent: string[] = [];
      const { rpc } = fixture.engine;
      fixture.engine.rpc = async (method, args) => {
        if (method === 'broadcast_tx_sync') sent.push(Buffer.from(args.tx as Uint8Array).toString());
        return await rpc.call(fixture.engine, method, args);
      };
      fixture.engine.fate = () => 'lose';
      expect(await fixture.gateway.submitCancel(txHash, signed.tx.signature, BOB, 0)).toMatchObject({
        ok: true,
        decided: false,
      });
      await settled();
      expect(sent).toEqual([Buffer.from(signed.raw).toString()]);
      fixture.engine.forget();
      await fixture.restart();
      fixture.engine.fate = () => 'take';
      await fixture.clock.advance(20_000);
      await fixture.block();
      expect(await fixture.status(txHash)).toBe('cancelled');
    });

    test('an unknown transfer is not found, one that settled otherwise is already_settled, and nothing is sent for either', async () => {
      const { txHash } = await fixture.accept({ nonce: 0 });
      await fixture.block();
      const sent: string[] = [];
      fixture.engine.rpc = async (method) => {
        sent.push(method);
        throw new Error('nothing is to be sent');
      };
      expect(await fixture.gateway.submitCancel('0'.repeat(64), bySender('0'.repeat(64), 0), ALICE, 0)).toMatchObject({
        code: 'not_found',
      });
      expect(await fixture.gateway.submitCancel(txHash, bySender(txHash, 0), ALICE, 0)).toMatchObject({
        code: 'already_settled',
        extra: { status: 'committed' },
      });
      expect(sent).toEqual([]);
    });
  });

  test('a transfer that came from the chain has no owner', async () => {
    const outsider = signedTransfer();
    await fixture.block({ outsiders: [outsider.raw] });
    expect(await fixture.gateway.cancel(outsider.hash, ALICE, 0)).toMatchObject({ ok: false, code: 'not_submitter' });
  });
});

describe('the answer', () => {
  test('is undecided while no block has decided, and again ok once one has', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({
      ok: true,
      decided: false,
      transaction: { status: 'pending', reason: { code: 'cancel_requested' } },
    });
    await fixture.block();
    expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({
      ok: true,
      decided: true,
      transaction: { status: 'cancelled' },
    });
    const detail = await fixture.detail(txHash);
    expect(detail?.history.map(({ event }) => event)).toEqual(['accepted', 'cancel_requested', 'cancelled']);
    expect(detail?.history.at(-1)).toMatchObject({
      height: 1,
      txHash: signedCancel({ from: 0, nonce: 2, txHash }).hash,
    });
  });

  test('comes at the end of the wait when no block comes, and names the transfer', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    const cancelling = fixture.gateway.cancel(txHash, ALICE, 5000);
    await settled();
    await fixture.clock.advance(5000);
    expect(await cancelling).toMatchObject({ ok: true, decided: false, transaction: { txHash } });
  });

  test('comes at once when the caller hangs up', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    const hangUp = new AbortController();
    const cancelling = fixture.gateway.cancel(txHash, ALICE, 5000, hangUp.signal);
    await settled();
    hangUp.abort();
    expect(await cancelling).toMatchObject({ ok: true, decided: false });
  });

  test('is already_settled when the transfer came first into a block', async () => {
    const transfer = signedTransfer();
    await fixture.submit(transfer);
    // The engine drops the cancel that is broadcast, and makes a block with the transfer that it took before.
    fixture.engine.fate = () => 'lose';
    const cancelling = fixture.gateway.cancel(transfer.hash, ALICE, 10_000);
    await fixture.block();
    expect(await cancelling).toMatchObject({
      ok: false,
      code: 'already_settled',
      txHash: transfer.hash,
      extra: { status: 'committed' },
    });
    expect(await fixture.status(transfer.hash)).toBe('committed');
  });
});

describe('a cancel decided by a block', () => {
  test('wins over the same transfer in the same block, whatever the signature it comes back under', async () => {
    const transfer = signedTransfer();
    const variant = signedAgain(transfer, devSeed(0));
    await fixture.submit(transfer);
    const cancelling = fixture.gateway.cancel(transfer.hash, ALICE, 10_000);
    await fixture.block({ outsiders: [variant.raw, transfer.raw] });
    expect(await cancelling).toMatchObject({ ok: true, decided: true });
    await fixture.block({ outsiders: [variant.raw, transfer.raw] });
    expect(fixture.engine.committed.flatMap(({ transactions }) => transactions)).toHaveLength(1);
    expect(await fixture.status(transfer.hash)).toBe('cancelled');
  });

  test('lets the transfers behind it go on', async () => {
    const first = await fixture.accept({ nonce: 0 });
    const second = await fixture.accept({ nonce: 1 });
    fixture.engine.forget();
    const cancelling = fixture.gateway.cancel(first.txHash, ALICE, 10_000);
    await fixture.block();
    await cancelling;
    await fixture.clock.advance(10_000);
    await fixture.block();
    expect(await fixture.status(second.txHash)).toBe('committed');
  });

  test('signed by the sender itself and broadcast elsewhere counts: cancelled, though nobody here asked', async () => {
    const { txHash } = await fixture.accept({ nonce: 4 });
    await fixture.block({ outsiders: [signedCancel({ from: 0, nonce: 4, signer: devSeed(0), txHash }).raw] });
    expect(await fixture.gateway.get(txHash)).toMatchObject({
      status: 'cancelled',
      history: [{ event: 'accepted' }, { event: 'cancelled' }],
    });
  });

  test('meant for another transfer fails this one as superseded, and names the cancel', async () => {
    const { txHash } = await fixture.accept({ nonce: 4 });
    const other = signedCancel({ from: 0, nonce: 4, signer: devSeed(0), txHash: 'A'.repeat(64) });
    await fixture.block({ outsiders: [other.raw] });
    expect(await fixture.gateway.get(txHash)).toMatchObject({
      status: 'failed',
      reason: { code: 'nonce_superseded', txHash: other.hash },
      history: [{ event: 'accepted' }, { event: 'failed', txHash: other.hash }],
    });
  });

  test('is irrevocable: it is broadcast again over lost broadcasts and a restart until a block decides', async () => {
    const { txHash } = await fixture.accept({ nonce: 4 });
    const cancelHash = signedCancel({ from: 0, nonce: 4, txHash }).hash;
    fixture.engine.fate = () => 'lose';
    await fixture.gateway.cancel(txHash, ALICE, 0);
    await settled();
    await fixture.clock.advance(20_000);
    expect(fixture.engine.heard.filter((hash) => hash === cancelHash).length).toBeGreaterThan(2);
    await fixture.restart();
    fixture.engine.fate = () => 'take';
    await fixture.clock.advance(20_000);
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('cancelled');
  });

  test("is signed by the operator's key of the day, so that a replaced key strands none", async () => {
    const { txHash } = await fixture.accept({ nonce: 4 });
    await fixture.stop();
    fixture.options.operatorSeed = operatorSeed(9);
    await fixture.start();
    expect(fixture.logged.some(({ level, message }) => level === 'error' && message.includes('operator key'))).toBe(
      true,
    );
    await fixture.gateway.cancel(txHash, ALICE, 0);
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('pending');
    await fixture.stop();
    fixture.options.operatorSeed = operatorSeed(0);
    await fixture.start();
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('cancelled');
  });
});
