/** Statements of accounts against balances, pages against each other, CSV against JSON. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual } from '../expect.ts';
import type { Session } from '../session.ts';
import type { Account } from '../signer.ts';

const WHERE = 'the contract, listEntries';
const CSV_HEAD = 'height,index,blockTime,txHash,direction,counterparty,amount,balanceAfter,reference';
const FORMULA = '=1+1';
/** What a spreadsheet would take for a formula, the mark itself, and what CSV has to quote. */
const REFERENCES = [FORMULA, '+1', '-1', '@A1', "'=1", 'a, b', "it's"];

const page = async (session: Session, address: string, query: string): Promise<any> =>
  (await session.ask('listEntries', `/accounts/${address}/entries?${query}`)).body;

async function pages(
  session: Session,
  address: string,
  query: string,
  between?: (page: number) => Promise<unknown>,
): Promise<any[]> {
  const entries: any[] = [];
  for (let [cursor, number] = ['', 1] as [string | undefined, number]; cursor !== undefined; number++) {
    const { entries: some, nextCursor } = await page(
      session,
      address,
      `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    entries.push(...some);
    cursor = nextCursor;
    if (cursor !== undefined) await between?.(number);
  }
  return entries;
}

/** A payment with a reference that a spreadsheet would take for a formula, one without any, and one to oneself. */
async function payThree(session: Session, account: Account): Promise<void> {
  const to = session.receiver();
  await session.pay(session.sign(account, { to, amount: '10', nonce: 0, reference: FORMULA }));
  await session.pay(session.sign(account, { to, amount: '20', nonce: 1 }));
  await session.pay(session.sign(account, { to: account.address, amount: '5', nonce: 2 }));
}

/** Of a line of CSV (RFC 4180). */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );

const keyOf = ({ txHash, direction }: any): string => `${txHash} ${direction}`;

export const STATEMENT_CHECKS: readonly Check[] = [
  {
    id: 'statement.adds-up',
    promise:
      'at every height the entries add up to the balance, a transfer to oneself is two of them, and a transfer that was shown as committed is there',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      await payThree(session, account);
      const entries = await pages(session, account.address, 'order=asc');
      expectEqual(
        entries.map(({ direction, amount }) => [direction, amount]),
        [
          ['in', '1000'],
          ['out', '10'],
          ['out', '20'],
          ['out', '5'],
          ['in', '5'],
        ],
        'direction and amount of the entries',
      );
      const times = entries.map(({ blockTime }) => blockTime);
      expectEqual(times, times.toSorted(), 'the block times along a statement');
      let balance = 0n;
      for (const { direction, amount, balanceAfter, height, txHash } of entries) {
        balance += direction === 'in' ? BigInt(amount) : -BigInt(amount);
        expectEqual(balanceAfter, String(balance), `balanceAfter of the ${direction} entry of ${txHash}`);
        const last = entries.findLast((each) => each.height === height);
        const { body } = await session.ask('getAccount', `/accounts/${account.address}?height=${height}`);
        expectEqual(
          [body.balance, body.height, body.blockTime, body.available, body.pendingOut, body.gaps, body.nonce],
          [last.balanceAfter, height, last.blockTime, body.balance, '0', [], body.nextNonce],
          `the account at height ${height}`,
        );
      }
      expectEqual((await session.account(account.address)).balance, String(balance), 'the balance of the account');
      expectEqual(
        (await session.ask('getAccount', `/accounts/${account.address}?height=0`)).body.balance,
        '0',
        'the balance that genesis gave',
      );
      expectEqual(await pages(session, account.address, ''), entries.toReversed(), 'the statement, newest first');
      const { blockTime } = entries[1];
      expectEqual(
        (await pages(session, account.address, `order=asc&from=${encodeURIComponent(blockTime)}`)).map(keyOf),
        entries.filter((each) => each.blockTime >= blockTime).map(keyOf),
        'the entries from a time on',
      );
      const justAfter = new Date(Date.parse(blockTime) + 1).toISOString();
      expectEqual(
        (await pages(session, account.address, `order=asc&from=${encodeURIComponent(justAfter)}`)).map(keyOf),
        entries.filter((each) => each.blockTime > blockTime).map(keyOf),
        'the entries from a millisecond later on',
      );
      expectEqual(
        (await pages(session, account.address, `order=asc&to=${encodeURIComponent(blockTime)}`)).map(keyOf),
        entries.filter((each) => each.blockTime < blockTime).map(keyOf),
        'the entries before a time',
      );
    },
  },
  {
    id: 'statement.pages',
    promise:
      'the pages joined are the whole statement: no entry twice, none missed, also while blocks are being added; a cursor is of one statement and order',
    where: 'the contract, EntryPage',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      await payThree(session, account);
      const before = await pages(session, account.address, 'order=asc');
      let nonce = 3;
      const pay = (): Promise<unknown> =>
        session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce: nonce++ }));
      const down = await pages(session, account.address, 'limit=2', (number) =>
        number < 3 ? pay() : Promise.resolve(),
      );
      expectEqual(
        down.map(keyOf),
        before.toReversed().map(keyOf),
        'the pages newest first, while two transfers were added',
      );
      const up = await pages(session, account.address, 'order=asc&limit=2', (number) =>
        number < 3 ? pay() : Promise.resolve(),
      );
      const after = await pages(session, account.address, 'order=asc');
      expectEqual(
        up.map(keyOf),
        after.slice(0, up.length).map(keyOf),
        'the pages oldest first, while two transfers were added',
      );
      expect(up.length >= before.length + 2, 'the pages oldest first have what was added before the last of them');
      const { entries, nextCursor } = await page(session, account.address, 'limit=1&order=asc');
      expect(entries.length === 1, 'a page has at most limit entries');
      for (const other of [
        '',
        'order=desc',
        'order=asc&from=2026-01-01T00:00:00Z',
        'order=asc&to=2100-01-01T00:00:00Z',
      ])
        expectProblem(
          await session.ask('listEntries', `/accounts/${account.address}/entries?${other}&cursor=${nextCursor}`),
          'invalid_request',
          '#/query/cursor',
        );
    },
  },
  {
    id: 'statement.csv',
    promise:
      'CSV is the whole range as one document, with the members and units of the JSON form, and no cell of it is a formula',
    where: 'the contract, StatementCsv',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const to = session.receiver();
      const references = [...REFERENCES, undefined].map((reference, nonce) =>
        session.sign(account, { to, amount: '10', nonce, ...(reference !== undefined && { reference }) }),
      );
      await session.ask('submitTransactionBatch', '/transactions/batch', { body: { transactions: references } });
      for (const { txHash } of references) expectEqual(await session.settled(txHash), 'committed', 'what became of it');
      const entries = await pages(session, account.address, 'order=asc');
      const path = `/accounts/${account.address}/entries?order=asc`;
      const { status, headers, text } = await session.ask('listEntries', `${path}&limit=1`, {
        headers: { accept: 'text/csv' },
      });
      expectEqual(
        [status, headers['content-type']?.split(';')[0]],
        [200, 'text/csv'],
        'status and media type of a statement as CSV',
      );
      const lines = text.split('\r\n');
      expectEqual([lines[0], lines.at(-1)], [CSV_HEAD, ''], 'the first line, and what follows the last');
      const rows = lines.slice(1, -1).map(cellsOf);
      expectEqual(
        rows,
        entries.map((each) =>
          CSV_HEAD.split(',').map((name) => {
            const value = String(each[name] ?? '');
            return name === 'reference' && /^[=+\-@']/.test(value) ? `'${value}` : value;
          }),
        ),
        'the rows, and the entries of the JSON form',
      );
      const refused = await session.ask('listEntries', `${path}&cursor=abc`, { headers: { accept: 'text/csv' } });
      expectProblem(refused, 'invalid_request', '#/query/cursor');
    },
  },
];
