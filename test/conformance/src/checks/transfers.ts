/** What becomes of a transfer: acknowledgement, wait, arithmetic, nonces, cancels. */
import { expectProblem, type Code } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import { ACCOUNT_FUNDS } from '../session.ts';
import { withLargeS } from '../ed25519.ts';
import type { Answer } from '../http.ts';
import { cancelSignBytes, hashOf, signTransfer } from '../signer.ts';

const WAIT = { prefer: 'wait=30' };
const RACES = 8;
/** Transfers in which a block may be faster than the question about what is pending. */
const PENDING_TURNS = 20;

export const TRANSFER_CHECKS: readonly Check[] = [
  {
    id: 'transfer.acknowledged',
    promise: '202 carries the transfer, the hash that the partner computed, and where to ask',
    where: 'docs/PARTNERS.md, Send',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const { txHash, ...body } = session.sign(account, { to, amount: '5', nonce: 1 });
      const answer = await session.submit(body);
      expectEqual(answer.status, 202, 'the status of the acknowledgement');
      expectEqual(answer.body.txHash, txHash, 'txHash: SHA-256 of the raw bytes in upper-case hex');
      expectEqual(
        [answer.body.from, answer.body.to, answer.body.amount],
        [body.from, body.to, '5'],
        'from, to and amount as they were sent',
      );
      expectEqual(
        [answer.body.status, answer.body.reason?.code],
        ['pending', 'waiting_for_nonce'],
        'status and reason',
      );
      const location = new URL(answer.headers.location ?? '', answer.url).href;
      expectEqual(location, `${session.baseUrl}/transactions/${txHash}`, 'Location, which leads to where to ask');
      expect(!('signature' in answer.body), 'the signature is not in an answer');
      const lower = await session.read(txHash.toLowerCase());
      expectEqual(
        [lower.status, lower.body?.txHash],
        [200, txHash],
        'a hash in lower case is taken, and answered in upper case',
      );
    },
  },
  {
    id: 'transfer.wait-committed',
    promise: '201 means committed, in a block, after the wait that Preference-Applied tells',
    where: 'docs/PARTNERS.md, Wait',
    accounts: 1,
    run: async (session) => {
      const answer = await session.submit(
        session.sign(await session.funded(), { to: session.receiver(), amount: '5', nonce: 0 }),
        WAIT,
      );
      expectEqual([answer.status, answer.body?.status], [201, 'committed'], 'status code and status after a wait');
      expectEqual(answer.headers['preference-applied'], 'wait=30', 'Preference-Applied');
      expect(
        Number.isSafeInteger(answer.body.height) && answer.body.height > 0,
        `a committed transfer has a height, got ${show(answer.body)}`,
      );
      const { body } = await session.read(answer.body.txHash);
      expectEqual([body.status, body.height], ['committed', answer.body.height], 'status and height when it is read');
      expect(Array.isArray(body.history) && body.history.length > 0, 'a transfer that is read has its history');
    },
  },
  {
    id: 'transfer.wait-not-committed',
    promise: 'whatever else became of a transfer during the wait, it is not 201',
    where: 'docs/PARTNERS.md, Wait',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const undecided = await session.submit(session.sign(account, { to, amount: '1', nonce: 2 }), {
        prefer: 'wait=1',
      });
      expectEqual(
        [undecided.status, undecided.body?.status],
        [202, 'pending'],
        'status code and status after a wait in which nothing was decided',
      );
      const waiting = session.sign(account, { to, amount: '1', nonce: 1 });
      const answer = session.submit(waiting, WAIT);
      while ((await session.read(waiting.txHash)).status !== 200);
      await session.cancel(waiting.txHash, WAIT);
      const { status, body } = await answer;
      expectEqual(
        [status, body?.status],
        [202, 'cancelled'],
        'status code and status after a wait in which it was cancelled',
      );
    },
  },
  {
    id: 'transfer.no-wait',
    promise: 'Prefer: wait=0 answers at once',
    where: 'docs/PARTNERS.md, Wait',
    accounts: 1,
    run: async (session) => {
      const answer = await session.submit(
        session.sign(await session.funded(), { to: session.receiver(), amount: '5', nonce: 0 }),
        { prefer: 'wait=0' },
      );
      expectEqual([answer.status, answer.body?.status], [202, 'pending'], 'status code and status without a wait');
      expectEqual(await session.settled(answer.body.txHash), 'committed', 'what became of it');
    },
  },
  {
    id: 'transfer.arithmetic',
    promise: 'the money leaves one account and arrives in the other, and the nonce is counted',
    where: 'docs/PARTNERS.md, Nonces',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      expectEqual(
        await pick(session.account(to)),
        { balance: '0', nonce: 0, nextNonce: 0 },
        'an address that no one has paid',
      );
      await session.pay(session.sign(account, { to, amount: '400', nonce: 0 }));
      expectEqual(
        await pick(session.account(account.address)),
        { balance: String(ACCOUNT_FUNDS - 400), nonce: 1, nextNonce: 1 },
        'the sender after one transfer',
      );
      expectEqual(await pick(session.account(to)), { balance: '400', nonce: 0, nextNonce: 0 }, 'the receiver');
      await session.submit(session.sign(account, { to, amount: '1', nonce: 2 }));
      expectEqual((await session.account(account.address)).nextNonce, 1, 'nextNonce: the gap comes first');
      await session.pay(session.sign(account, { to, amount: '1', nonce: 1 }));
    },
  },
  {
    id: 'transfer.pending-counts',
    promise: 'nextNonce knows what is pending, and money that is promised cannot be promised again',
    where: 'docs/PARTNERS.md, Nonces',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const submit = (nonce: number, amount: number) =>
        session.submit(session.sign(account, { to, amount: String(amount), nonce }));
      await submit(1, ACCOUNT_FUNDS - PENDING_TURNS);
      expectProblem(await submit(0, PENDING_TURNS + 1), 'insufficient_funds', '/amount');
      await submit(0, 1);
      for (let sent = 2; sent < PENDING_TURNS; sent++) {
        const { nonce, nextNonce } = await session.account(account.address);
        expectEqual(nextNonce, sent, `nextNonce after the nonces 0 to ${sent - 1} were sent`);
        // Where a block has executed all of it before the account was read, the answer shows nothing of what is pending.
        if (nonce < sent) break;
        await submit(sent, 1);
      }
    },
  },
  {
    id: 'transfer.next-nonce-named',
    promise: 'a problem about a nonce carries nextNonce, which is that of getAccount',
    where: 'the contract, TransactionRefusal',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const send = (nonce: number, amount = '1') => session.submit(session.sign(account, { to, amount, nonce }));
      await session.pay(session.sign(account, { to, amount: '1', nonce: 0 }));
      // Two wait behind nonce 1, and the nonce of a third is void.
      for (const nonce of [2, 3, 5]) await send(nonce);
      await session.cancel(session.sign(account, { to, amount: '1', nonce: 5 }).txHash, WAIT);
      const told = async (code: Code, nonce: number): Promise<void> => {
        const problem = await send(nonce, '2');
        expectProblem(problem, code, '/nonce');
        const { nextNonce } = await session.account(account.address);
        expectEqual(problem.body.nextNonce, nextNonce, `nextNonce of ${code} and of the account`);
      };
      await told('nonce_conflict', 2);
      await told('nonce_cancelled', 5);
      await told('nonce_too_high', 2000);
      await send(1);
      for (const nonce of [1, 2, 3]) {
        const { txHash } = session.sign(account, { to, amount: '1', nonce });
        expectEqual(await session.settled(txHash), 'committed', `the status of the transfer with nonce ${nonce}`);
      }
      // All that is pending stands behind what the chain expects next.
      await send(6);
      await told('nonce_conflict', 6);
      await send(4);
      await told('nonce_conflict', 3);
    },
  },
  {
    id: 'transfer.strict-signature',
    promise: 'a signature whose S is past the order of the group is refused',
    where: 'spec/vectors/README.md, STRICT Ed25519',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const { txHash: _, ...body } = session.sign(account, { to: session.receiver(), amount: '1', nonce: 0 });
      expectProblem(
        await session.submit({ ...body, signature: withLargeS(body.signature) }),
        'invalid_signature',
        '/signature',
      );
    },
  },
  {
    id: 'cancel.is-final',
    promise: '200 cancelled means that no block ever executes a transfer with this nonce',
    where: 'docs/PARTNERS.md, Cancel',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const waiting = session.sign(account, { to, amount: '9', nonce: 1 });
      await session.submit(waiting);
      const answer = await session.cancel(waiting.txHash, WAIT);
      expectEqual(
        [answer.status, answer.body?.status, answer.body?.txHash],
        [200, 'cancelled', waiting.txHash],
        'status code, status and hash of the cancel',
      );
      const replay = await session.submit(waiting);
      expectEqual(
        [replay.status, replay.body?.status],
        [200, 'cancelled'],
        'the bytes of a cancelled transfer sent again',
      );
      expectProblem(
        await session.submit(session.sign(account, { to, amount: '8', nonce: 1 })),
        'nonce_cancelled',
        '/nonce',
      );
      await session.pay(session.sign(account, { to, amount: '1', nonce: 0 }));
      await session.pay(session.sign(account, { to, amount: '1', nonce: 2 }));
      expectEqual((await session.account(to)).balance, '2', 'what the receiver has: the two others');
      expectEqual((await session.read(waiting.txHash)).body.status, 'cancelled', 'the status at the end');
      const again = await session.cancel(waiting.txHash);
      expectEqual([again.status, again.body?.status], [200, 'cancelled'], 'cancelling again');
    },
  },
  {
    id: 'cancel.no-wait',
    promise: 'a cancel that is not decided is 202, and is decided later',
    where: 'docs/PARTNERS.md, Cancel',
    accounts: 1,
    run: async (session) => {
      const waiting = session.sign(await session.funded(), { to: session.receiver(), amount: '9', nonce: 1 });
      await session.submit(waiting);
      const { status, body } = await session.cancel(waiting.txHash, { prefer: 'wait=0' });
      expectEqual(
        [status, body?.status, body?.reason?.code],
        [202, 'pending', 'cancel_requested'],
        'status code, status and reason without a wait',
      );
      expectEqual(await session.settled(waiting.txHash), 'cancelled', 'what became of it');
    },
  },
  {
    id: 'cancel.races-the-block',
    promise: 'a cancel that races a block is told which came first, and that is what happened',
    where: 'docs/PARTNERS.md, Cancel',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      let paid = 0;
      for (let nonce = 0; nonce < RACES; nonce += 1) {
        const body = session.sign(account, { to, amount: '1', nonce });
        await session.submit(body);
        const answer = await session.cancel(body.txHash, WAIT);
        expect(
          answer.status === 200 || answer.status === 409,
          `a cancel was answered ${answer.status} ${show(answer.body)}`,
        );
        if (answer.status === 409) expectProblem(answer, 'already_settled');
        const expected = answer.status === 200 ? 'cancelled' : 'committed';
        expectEqual(
          await session.settled(body.txHash),
          expected,
          `the status after a cancel that was answered ${answer.status}`,
        );
        paid += expected === 'committed' ? 1 : 0;
      }
      expectEqual((await session.account(to)).balance, String(paid), 'what the receiver has');
    },
  },
  {
    id: 'cancel.signed',
    promise: "the sender's signature cancels, no matter whose the token is, and is answered as DELETE is",
    where: "docs/PARTNERS.md, Cancel by the sender's key",
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const { token, otherToken = token } = session.tokens;
      const byDelete = session.sign(account, { to, amount: '9', nonce: 1 });
      const bySignature = session.sign(account, { to, amount: '9', nonce: 2 });
      for (const body of [byDelete, bySignature]) await session.submit(body);
      // Undecided, decided, and asked for again.
      for (const prefer of ['wait=0', 'wait=30', '']) {
        const deleted = await session.cancel(byDelete.txHash, { prefer });
        const signed = await session.submitCancel(account, bySignature, {
          prefer,
          authorization: `Bearer ${otherToken}`,
        });
        expectEqual(signed.body?.txHash, bySignature.txHash, 'the hash of the transfer that was cancelled');
        expectEqual(formOf(signed), formOf(deleted), `a signed cancel, and DELETE, with Prefer: ${prefer}`);
      }
      expectEqual((await session.read(bySignature.txHash)).body.status, 'cancelled', 'what became of it');
      await session.pay(session.sign(account, { to, amount: '1', nonce: 0 }));
      expectEqual((await session.account(account.address)).nextNonce, 3, 'nextNonce: both nonces are void');
    },
  },
  {
    id: 'cancel.signed-by-another',
    promise:
      "a cancel that the sender did not sign is refused with the bytes to sign, and a sender's that comes too late",
    where: "docs/PARTNERS.md, Cancel by the sender's key",
    accounts: 2,
    run: async (session) => {
      const [account, another, to] = [await session.funded(), await session.funded(), session.receiver()];
      const waiting = session.sign(account, { to, amount: '9', nonce: 1 });
      await session.submit(waiting);
      const refused = await session.submitCancel(another, waiting, WAIT);
      expectProblem(refused, 'invalid_signature', '/signature');
      expectEqual(
        refused.body.signBytes,
        cancelSignBytes({ chainId: session.chainId, from: account.address, nonce: 1 }, waiting.txHash),
        'signBytes: what the sender has to sign',
      );
      const paid = session.sign(account, { to, amount: '1', nonce: 0 });
      await session.pay(paid);
      expectEqual(
        await session.settled(waiting.txHash),
        'committed',
        'what became of a transfer whose cancel was refused',
      );
      expectProblem(await session.submitCancel(account, paid), 'already_settled');
    },
  },
  {
    id: 'transfer.wrong-chain',
    promise: 'a signature for one chain is worth nothing on another',
    where: 'docs/PARTNERS.md, Sign',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const transfer = {
        chainId: 'another-chain-1',
        from: account.address,
        to: session.receiver(),
        amount: '1',
        nonce: 0,
      };
      const signed = signTransfer(account.seed, transfer);
      const answer = await session.submit(signed);
      expectProblem(answer, 'invalid_signature', '/signature');
      expect(
        answer.body.signBytes?.includes(`"chainId":"${session.chainId}"`),
        'signBytes has the chain id of this chain',
      );
      expectEqual(
        (await session.read(hashOf(transfer, signed.signature))).status,
        404,
        'a refused transfer leaves no trace',
      );
    },
  },
];

/** What two answers have in common that tell the same of two transfers of one sender. */
function formOf({ status, headers, body }: Answer): object {
  return {
    status,
    headers: ['content-type', 'preference-applied', 'cache-control'].map((name) => headers[name]),
    members: Object.keys(body ?? {}).sort(),
    told: body?.status,
    reason: body?.reason?.code,
  };
}

async function pick(account: Promise<{ balance: string; nonce: number; nextNonce: number }>): Promise<object> {
  const { balance, nonce, nextNonce } = await account;
  return { balance, nonce, nextNonce };
}
