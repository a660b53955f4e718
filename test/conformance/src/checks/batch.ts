/** Batches: an outcome for each transfer, in order; one that is refused refuses no other; a batch sent again pays nothing twice. */
import { CATALOGUE, type Code } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Session } from '../session.ts';

const WHERE = 'docs/PARTNERS.md, Many at once';
const PATH = '/transactions/batch';

async function batch(session: Session, transactions: readonly object[], more: object = {}): Promise<Answer> {
  const answer = await session.call(PATH, { body: { transactions, ...more } });
  (await session.contract()).expectAnswer('submitTransactionBatch', answer);
  return answer;
}

/** Each as its hash and outcome, or as the code of its problem. */
function told({ status, body }: Answer, count: number): string[] {
  expect(
    status === 200 && Array.isArray(body?.results),
    `a batch is answered 200 with results, got ${status} ${show(body)}`,
  );
  expectEqual(body.results.length, count, 'how many outcomes there are');
  return body.results.map((each: any) =>
    each.outcome === 'refused' ? `refused ${each.problem?.code}` : `${each.outcome} ${each.transaction?.txHash}`,
  );
}

export const BATCH_CHECKS: readonly Check[] = [
  {
    id: 'batch.in-order',
    promise: 'the transfers of one account are judged in the order of the batch, told of in that order, and executed',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const bodies = [0, 1, 2].map((nonce) => session.sign(account, { to, amount: `${nonce + 1}`, nonce }));
      expectEqual(
        told(await batch(session, bodies), 3),
        bodies.map(({ txHash }) => `accepted ${txHash}`),
        'the outcomes of nonces 0, 1 and 2',
      );
      for (const { txHash } of bodies)
        expectEqual(await session.settled(txHash), 'committed', 'the status of a transfer of the batch');
      expectEqual((await session.account(to)).balance, '6', 'the balance of the receiver');
    },
  },
  {
    id: 'batch.own-outcomes',
    promise: 'a transfer that is refused says why, with pointers into the batch, and refuses no other',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const good = session.sign(account, { to, amount: '1', nonce: 0 });
      const other = session.sign(account, { to, amount: '2', nonce: 0 });
      const { txHash: _of, ...unhashed } = session.sign(account, { to, amount: '1', nonce: 1 });
      const last = session.sign(account, { to, amount: '3', nonce: 1 });
      const answer = await batch(session, [
        good,
        other,
        { ...unhashed, amount: '5' },
        { ...unhashed, nonce: -1 },
        last,
      ]);
      const refusals: [Code, string][] = [
        ['nonce_conflict', '/transactions/1/nonce'],
        ['invalid_signature', '/transactions/2/signature'],
        ['invalid_request', '/transactions/3/nonce'],
      ];
      expectEqual(
        told(answer, 5),
        [`accepted ${good.txHash}`, ...refusals.map(([code]) => `refused ${code}`), `accepted ${last.txHash}`],
        'the outcomes',
      );
      for (const [index, [code, pointer]] of refusals.entries()) {
        const { problem } = answer.body.results[index + 1];
        expectEqual(
          [problem.status, problem.retriable, problem.requestId],
          [CATALOGUE[code].status, CATALOGUE[code].retriable, answer.headers['x-request-id']],
          `status, retriable and requestId of ${code}`,
        );
        expectEqual(
          problem.errors?.map((error: { pointer: string }) => error.pointer),
          [pointer],
          `the pointers of ${code}`,
        );
      }
      expectEqual(await session.settled(last.txHash), 'committed', 'the status of the last transfer');
    },
  },
  {
    id: 'batch.again',
    promise: 'a batch sent again is answered with what is known already, and nothing is paid twice',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const bodies = [0, 1].map((nonce) => session.sign(account, { to, amount: '4', nonce }));
      const [first = bodies[0]] = bodies;
      // The same transfer twice in one batch is one too.
      expectEqual(
        told(await batch(session, [...bodies, first as object]), 3).map((each) => each.split(' ')[0]),
        ['accepted', 'accepted', 'replayed'],
        'the outcomes of a batch with a transfer twice',
      );
      expectEqual(
        told(await batch(session, bodies), 2),
        bodies.map(({ txHash }) => `replayed ${txHash}`),
        'the outcomes of the batch sent again',
      );
      for (const { txHash } of bodies)
        expectEqual(await session.settled(txHash), 'committed', 'the status of a transfer of the batch');
      expectEqual((await session.account(to)).balance, '8', 'the balance of the receiver');
    },
  },
  {
    id: 'batch.envelope',
    promise: 'a fault of the envelope refuses the whole batch, and none of it is taken in',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const body = session.sign(account, { to, amount: '1', nonce: 0 });
      for (const answer of [
        await batch(session, []),
        await batch(session, [body], { atomic: true }),
        await batch(
          session,
          Array.from({ length: 1001 }, () => body),
        ),
      ]) {
        expectEqual([answer.status, answer.body?.code], [400, 'invalid_request'], 'status and code');
      }
      expectEqual((await session.read(body.txHash)).status, 404, 'the status of a transfer of a refused batch');
    },
  },
];
