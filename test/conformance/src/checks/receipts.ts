/** Receipts, verified offline by steps that are written from the contract. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { Broken, expect, expectEqual } from '../expect.ts';
import type { Answer } from '../http.ts';
import { verifyReceipt, type Proven } from '../receipt.ts';
import type { Session } from '../session.ts';

const WHERE = 'the contract, getReceipt and the schema Receipt';
const WAIT = { prefer: 'wait=30' };

const receiptOf = (session: Session, txHash: string, prefer = WAIT.prefer): Promise<Answer> =>
  session.ask('getReceipt', `/transactions/${txHash}/receipt`, { headers: { prefer } });

async function proven(session: Session, receipt: unknown): Promise<Proven> {
  const { genesis } = (await session.call('/rpc/genesis')).body.result;
  return verifyReceipt(receipt, genesis);
}

/** The kit's own verifier would otherwise be believed unseen. */
async function expectRefused(session: Session, receipt: any): Promise<void> {
  const tampered = structuredClone(receipt);
  tampered.nextBlock.header.app_hash = 'A'.repeat(64);
  const isRefused = await proven(session, tampered).then(
    () => false,
    (error: unknown) => error instanceof Broken,
  );
  if (!isRefused) throw new Error('the kit takes a receipt that was tampered with');
}

export const RECEIPT_CHECKS: readonly Check[] = [
  {
    id: 'receipt.committed',
    promise:
      'the receipt of a committed transfer proves it to anyone who trusts the genesis file, and names the block that the chain has',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const signed = session.sign(await session.funded(), {
        to: session.receiver(),
        amount: '7',
        nonce: 0,
        reference: 'INV-7',
      });
      const { body: paid } = await session.pay(signed);
      const { status, body } = await receiptOf(session, signed.txHash);
      expectEqual(
        [status, body.txHash, body.height],
        [200, signed.txHash, paid.height],
        'status, txHash and height of a receipt',
      );
      const { kind, members, code } = await proven(session, body);
      const { signature: _, txHash: _hash, ...sent } = signed;
      expectEqual(
        { kind, code, ...members },
        { kind: 'transfer', code: 0, chainId: session.chainId, ...sent },
        'what the receipt proves',
      );
      const { signed_header } = (await session.call(`/rpc/commit?height=${body.height}`)).body.result;
      expectEqual(
        body.block.commit.block_id.hash,
        signed_header.commit.block_id.hash,
        'the block of the receipt and that of the chain',
      );
      await expectRefused(session, body);
    },
  },
  {
    id: 'receipt.cancelled',
    promise: 'the receipt of a cancelled transfer is that of the cancel which voided its nonce',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const waiting = session.sign(account, { to: session.receiver(), amount: '7', nonce: 1 });
      await session.submit(waiting);
      await session.cancel(waiting.txHash, WAIT);
      const { status, body } = await receiptOf(session, waiting.txHash);
      expectEqual(status, 200, 'the status of the receipt of a cancelled transfer');
      expect(body.txHash !== waiting.txHash, 'txHash of the receipt is that of the cancel, not of the transfer');
      const { kind, members, code } = await proven(session, body);
      expectEqual(
        [kind, code, members['txHash'], members['from'], members['nonce']],
        ['cancel', 0, waiting.txHash, account.address, 1],
        'what the receipt proves',
      );
    },
  },
  {
    id: 'receipt.not-ready',
    promise: 'while a transfer is pending its receipt is 409 receipt_not_ready, and the same request succeeds later',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const waiting = session.sign(account, { to, amount: '1', nonce: 1 });
      await session.submit(waiting);
      // Answered at once: by the time of the payment that it waits for there is nothing to be answered any more.
      const [early] = await Promise.all([
        receiptOf(session, waiting.txHash, 'wait=0'),
        session.pay(session.sign(account, { to, amount: '1', nonce: 0 })),
      ]);
      expectProblem(early, 'receipt_not_ready');
      const { body } = await receiptOf(session, waiting.txHash);
      expectEqual((await proven(session, body)).members['nonce'], 1, 'the nonce that the receipt proves');
    },
  },
];
