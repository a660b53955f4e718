/** Never twice: replays, duplicates at once, and races for one nonce. */
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import { signRandomised } from '../ed25519.ts';
import type { Answer } from '../http.ts';
import type { Session } from '../session.ts';
import { signBytes, signedBody } from '../signer.ts';
import { expectProblem } from '../catalogue.ts';

const WHERE = 'docs/PARTNERS.md, Send again: never twice';
const DUPLICATES = 20;
const RACERS = 50;
/** The latest end of a validity, 9999-12-31T23:59:59Z. */
const LATEST_S = 253_402_300_799;

async function expectBalance(session: Session, address: string, balance: string): Promise<void> {
  expectEqual((await session.account(address)).balance, balance, `the balance of the receiver ${address}`);
}

export const IDEMPOTENCY_CHECKS: readonly Check[] = [
  {
    id: 'idempotency.replay',
    promise: 'the same bytes again are 200 with Idempotent-Replayed, and nothing is paid twice',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const body = session.sign(account, { to, amount: '7', nonce: 0 });
      const first = await session.pay(body);
      const again = await session.submit(body);
      expectEqual(again.status, 200, 'the status of a replay');
      expectEqual(again.headers['idempotent-replayed'], 'true', 'Idempotent-Replayed of a replay');
      expectEqual([again.body.txHash, again.body.status], [body.txHash, 'committed'], 'hash and status of a replay');
      expectEqual(first.headers['idempotent-replayed'], undefined, 'Idempotent-Replayed of the first answer');
      await expectBalance(session, to, '7');
      expectEqual((await session.account(account.address)).nonce, 1, 'the nonce of the sender after one transfer');
    },
  },
  {
    id: 'idempotency.reference',
    promise:
      'a reference comes back wherever the transfer is told of, and the same payment under another reference is another payment',
    where: 'docs/PARTNERS.md, One order, one payment',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const order = { to, amount: '7', nonce: 0, reference: "order 1: 3 cups & ~1 jug's lid", validUntil: LATEST_S };
      const body = session.sign(account, order);
      const told = async (what: string, transaction: any): Promise<void> =>
        expectEqual(
          [transaction?.txHash, transaction?.reference, transaction?.validUntil],
          [body.txHash, order.reference, order.validUntil],
          `hash, reference and validUntil ${what}`,
        );
      const paid = await session.pay(body);
      await told('in the answer', paid.body);
      await told('when it is read', (await session.read(body.txHash)).body);
      const query = `from=${account.address}&reference=${encodeURIComponent(order.reference)}`;
      const { body: listed } = await session.call(`/transactions?${query}`);
      expectEqual(listed?.transactions?.length ?? listed, 1, `how many GET /transactions?${query} lists`);
      await told('in the list', listed.transactions[0]);
      for (const other of [
        { ...order, reference: 'order 2' },
        { ...order, validUntil: LATEST_S - 1 },
        { to, amount: '7', nonce: 0 },
      ]) {
        const refused = await session.submit(session.sign(account, other));
        expectProblem(refused, 'nonce_conflict', '/nonce');
        expectEqual(refused.body.txHash, body.txHash, 'the payment that nonce_conflict names');
      }
      await session.pay(session.sign(account, { ...order, nonce: 1, reference: 'order 2' }));
      await expectBalance(session, to, '14');
    },
  },
  {
    id: 'idempotency.key-exact',
    promise: 'keys are compared letter by letter, and each owner has its own',
    where: 'the contract, the parameter Idempotency-Key',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const { token, otherToken = token } = session.tokens;
      const name = account.address.slice(-12);
      let nonce = 0;
      const send = (key: string, as = token): Promise<Answer> =>
        session.submit(session.sign(account, { to, amount: '1', nonce: nonce++ }), {
          'idempotency-key': `"${key}"`,
          authorization: `Bearer ${as}`,
        });
      for (const key of [`Key ${name}`, `key ${name}`, `Key ${name} `, String.raw`Key \"${name}\"`])
        expectEqual((await send(key)).status, 202, `the status of the first transfer with the key ${key}`);
      expectProblem(await send(`key ${name}`), 'idempotency_key_reused', '#/header/idempotency-key');
      nonce -= 1;
      if (otherToken !== token)
        expectEqual((await send(`key ${name}`, otherToken)).status, 202, 'the status with the token of another owner');
    },
  },
  {
    id: 'idempotency.another-signature',
    promise: 'the same transfer under another valid signature is the same transfer',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const transfer = { chainId: session.chainId, from: account.address, to, amount: '7', nonce: 0 };
      const other = signedBody(
        transfer,
        signRandomised(account.seed, account.publicKey, Buffer.from(signBytes(transfer))),
      );
      const first = await session.pay(session.sign(account, transfer));
      const again = await session.submit(other);
      expect(
        again.status === 200,
        `another valid signature of a known transfer is 200, got ${again.status} ${show(again.body)}`,
      );
      expectEqual(again.body.txHash, first.body.txHash, 'the hash of the one transfer');
      await expectBalance(session, to, '7');
    },
  },
  {
    id: 'idempotency.duplicates-at-once',
    promise: `of ${DUPLICATES} same requests at once one is new, and all tell of one transfer`,
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const body = session.sign(account, { to, amount: '7', nonce: 0 });
      const answers = await Promise.all(Array.from({ length: DUPLICATES }, () => session.submit(body)));
      expectEqual(answers.filter(({ status }) => status === 202).length, 1, 'how many were new');
      expectEqual(answers.filter(({ status }) => status === 200).length, DUPLICATES - 1, 'how many were replays');
      expectEqual(
        [...new Set(answers.map((answer) => answer.body.txHash))],
        [body.txHash],
        'the hashes in the answers',
      );
      expectEqual(await session.settled(body.txHash), 'committed', 'what became of it');
      await expectBalance(session, to, '7');
    },
  },
  {
    id: 'idempotency.race-for-a-nonce',
    promise: `of ${RACERS} payments that race for one nonce one is accepted, and the others name it`,
    where: 'docs/PARTNERS.md, Nonces',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const bodies = Array.from({ length: RACERS }, (_, i) =>
        session.sign(account, { to, amount: String(i + 1), nonce: 0 }),
      );
      const answers = await Promise.all(bodies.map((body) => session.submit(body)));
      const winners = answers.filter(({ status }) => status === 202);
      expectEqual(winners.length, 1, 'how many were accepted');
      const [winner] = winners;
      for (const answer of answers.filter((each) => each !== winner)) {
        expectProblem(answer, 'nonce_conflict');
        expectEqual(answer.body.txHash, winner?.body.txHash, 'the payment that nonce_conflict names');
      }
      await session.settled(winner?.body.txHash);
      await expectBalance(session, to, winner?.body.amount);
    },
  },
];
