/** The main job of the product, as the README tells it. */
import { expect } from '@jest/globals';
import { verifyReceipt } from '../../../client/src/index.ts';
import type { Chain } from './development.ts';
import type { PythonSigner } from './signer.ts';

/** Signs, sends and follows one transfer and cancels another, as the README tells. */
export async function mainJob(chain: Chain, python: PythonSigner): Promise<void> {
  const { dev } = chain;
  const [sender, receiver] = [chain.account(0), chain.account(1)];
  const before = await chain.balances();
  const nonce = await chain.nextNonce(sender.address);
  const transfer = { chainId: dev.chainId, from: sender.address, to: receiver.address, amount: '250' };

  const body = await python.sign(sender.seed, { ...transfer, nonce });
  const { txHash: computed, ...unhashed } = body;
  const sent = await chain.submit(unhashed, { prefer: 'wait=10' });
  expect(sent.status).toBe(201);
  expect(sent.body).toMatchObject({
    txHash: computed,
    status: 'committed',
    from: sender.address,
    to: receiver.address,
    amount: '250',
  });
  expect(sent.headers.get('location')).toBe(`./transactions/${computed}`);

  const [latest] = await chain.list();
  expect(latest).toMatchObject({ txHash: computed, status: 'committed' });
  expect(latest).not.toHaveProperty('signature');
  expect(latest).not.toHaveProperty('nonce');
  const after = await chain.balances();
  expect([BigInt(after[0] ?? '') - BigInt(before[0] ?? ''), BigInt(after[1] ?? '') - BigInt(before[1] ?? '')]).toEqual([
    -250n,
    250n,
  ]);

  const { genesis } = (await chain.get('/rpc/genesis')).body.result;
  const receipt = await chain.get(`/transactions/${computed}/receipt`);
  expect(receipt.status).toBe(200);
  expect(await verifyReceipt(receipt.body, { genesis })).toMatchObject({
    paid: true,
    from: sender.address,
    to: receiver.address,
    amount: '250',
    nonce,
    txHash: computed,
  });

  const ahead = await python.sign(sender.seed, { ...transfer, nonce: nonce + 1 + 5 });
  const waiting = await chain.submit(ahead);
  expect(waiting.status).toBe(202);
  expect(waiting.body).toMatchObject({
    txHash: ahead.txHash,
    status: 'pending',
    reason: { code: 'waiting_for_nonce' },
  });
  const cancelled = await chain.cancel(ahead.txHash);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toMatchObject({ txHash: ahead.txHash, status: 'cancelled' });
  expect((await chain.cancel(ahead.txHash)).status).toBe(200);
  expect((await chain.get(`/transactions/${ahead.txHash}`)).body.status).toBe('cancelled');
  const voided = await verifyReceipt((await chain.get(`/transactions/${ahead.txHash}/receipt`)).body, { genesis });
  expect(voided).toMatchObject({
    kind: 'cancel',
    code: 0,
    from: sender.address,
    nonce: nonce + 6,
    cancels: ahead.txHash,
  });
}
