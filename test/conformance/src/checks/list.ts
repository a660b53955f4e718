/** Pages of the list. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import type { Session } from '../session.ts';

const WHERE = 'docs/PARTNERS.md, List';
const PAGES_MAX = 200;
const BEFORE = 11;
const LIMIT = 3;

interface Row {
  readonly txHash: string;
}

async function page(session: Session, query: string): Promise<{ transactions: Row[]; nextCursor?: string }> {
  const { status, body } = await session.call(`/transactions?${query}`);
  expect(
    status === 200 && Array.isArray(body?.transactions),
    `GET /transactions?${query} answered ${status} ${show(body)}`,
  );
  return body;
}

/** Follows the cursors to the end. @param between is done after each page. */
async function follow(session: Session, query: string, between?: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { transactions, nextCursor } = await page(session, `${query}${cursor}`);
    found.push(...transactions.map(({ txHash }) => txHash));
    if (nextCursor === undefined) return found;
    await between?.();
    cursor = `&cursor=${nextCursor}`;
  }
  throw new Error(`GET /transactions?${query} has a nextCursor after ${PAGES_MAX} pages`);
}

export const LIST_CHECKS: readonly Check[] = [
  {
    id: 'list.pages-under-writes',
    promise: 'pages joined are the whole list, none twice and none missed, while others send',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      let nonce = 0;
      const send = async (): Promise<string> => {
        const body = session.sign(account, { to, amount: '1', nonce: nonce++ });
        const { status } = await session.submit(body);
        expectEqual(status, 202, 'the answer to a transfer');
        return body.txHash;
      };
      const sent: string[] = [];
      for (let i = 0; i < BEFORE; i += 1) sent.push(await send());
      const joined = await follow(session, `to=${to}&limit=${LIMIT}`, send);
      expectEqual(joined.length, new Set(joined).size, 'how many of the rows are different ones');
      expectEqual(joined, sent.reverse(), 'the pages joined, newest first, of what was sent before the first');
      const again = await follow(session, `account=${to}&limit=${LIMIT}`);
      expectEqual(again.length, nonce, 'how many rows a list has that is begun again');
    },
  },
  {
    id: 'list.last-page',
    promise: 'the last page has no nextCursor, also when it is full or empty',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const empty = await page(session, `to=${to}`);
      expectEqual(
        [empty.transactions.length, empty.nextCursor],
        [0, undefined],
        'rows and nextCursor of an empty list',
      );
      for (const nonce of [0, 1]) await session.submit(session.sign(account, { to, amount: '1', nonce }));
      for (const limit of [2, 10]) {
        const { transactions, nextCursor } = await page(session, `to=${to}&limit=${limit}`);
        expectEqual(
          [transactions.length, nextCursor],
          [2, undefined],
          `rows and nextCursor of the only page, limit ${limit}`,
        );
      }
      const first = await page(session, `to=${to}&limit=1`);
      expectEqual(
        [first.transactions.length, typeof first.nextCursor],
        [1, 'string'],
        'rows and nextCursor of the first of two pages',
      );
    },
  },
  {
    id: 'list.filters',
    promise: 'filters by status, from, to, account and nonce are joined by "and"',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const paid = await session.pay(session.sign(account, { to, amount: '1', nonce: 0 }));
      const waiting = session.sign(account, { to, amount: '1', nonce: 2 });
      await session.submit(waiting);
      const hashes = async (query: string): Promise<string[]> =>
        (await page(session, query)).transactions.map(({ txHash }) => txHash);
      expectEqual(
        await hashes(`from=${account.address}&status=committed`),
        [paid.body.txHash],
        'from and status=committed',
      );
      expectEqual(await hashes(`to=${to}&status=pending`), [waiting.txHash], 'to and status=pending');
      expectEqual(
        await hashes(`account=${to}&from=${account.address}`),
        [waiting.txHash, paid.body.txHash],
        'account and from',
      );
      expectEqual(await hashes(`from=${to}`), [], 'from an address that has sent nothing');
      const another = session.receiver();
      for (const [query, expected] of [
        [`account=${account.address}&to=${to}`, [waiting.txHash, paid.body.txHash]],
        [`account=${another}&to=${to}`, []],
        [`account=${another}&from=${account.address}`, []],
        [`account=${another}&from=${account.address}&to=${to}`, []],
        [`from=${account.address}&to=${to}&nonce=2`, [waiting.txHash]],
        [`from=${account.address}&to=${another}&nonce=2`, []],
        [`from=${account.address}&nonce=2&status=committed`, []],
      ] as const)
        expectEqual(await hashes(query), expected, query);
    },
  },
  {
    id: 'list.strict-parameters',
    promise: 'parameters that are unknown, repeated or of the wrong form are 400 and named',
    where: 'the description of the contract',
    run: async (session) => {
      const wrong = [
        'limit=1001',
        'limit=1e2',
        'limit=0x10',
        'limit=',
        'limit=-1',
        'status=lost',
        'from=x',
        'cursor=AAAA',
      ];
      for (const query of wrong)
        expectProblem(
          await session.call(`/transactions?${query}`),
          'invalid_request',
          `#/query/${query.split('=')[0]}`,
        );
      for (const query of ['page=2', 'limit=5&limit=5'])
        expectProblem(await session.call(`/transactions?${query}`), 'invalid_request');
    },
  },
];
