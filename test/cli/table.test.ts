import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { hasColours, styled } from '../../server/cli/style.ts';
import { shown, table, type Column } from '../../server/cli/table.ts';
import { amountsIn } from '../../server/cli/amounts.ts';
import { describeList } from '../../server/cli/transactions.ts';
import type { Transaction } from '../../client/src/index.ts';

/** Tables as a terminal and as a pipe get them. */

const [DEV_0, DEV_1] = developmentAccounts().map(({ address }) => address) as [string, string];
const STRANGER = 'txl1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0jqgfzyvj';
const HASH = `${'0123456789ABCDEF'.repeat(4)}`;

interface Row {
  readonly at: string;
  readonly status: string;
  readonly amount: string;
  readonly from: string;
  readonly hash: string;
  readonly note: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'time', kind: 'time', value: ({ at }) => at },
  { header: 'status', kind: 'status', value: ({ status }) => status },
  { header: 'amount', kind: 'amount', value: ({ amount }) => amount },
  { header: 'from', kind: 'account', value: ({ from }) => from },
  { header: 'hash', kind: 'key', value: ({ hash }) => hash },
  { header: 'note', kind: 'text', dropped: 0, value: ({ note }) => note },
];
const ROWS: readonly Row[] = [
  { at: '2026-11-22T17:30:00.123Z', status: 'committed', amount: '12.34 EUR', from: DEV_0, hash: HASH, note: '' },
  {
    at: '2026-11-22T17:30:01.000Z',
    status: 'failed',
    amount: '1234567.00 EUR',
    from: STRANGER,
    hash: HASH.toLowerCase(),
    note: 'an invoice with a long name',
  },
];

const before = { argv: process.argv, env: process.env, isTTY: process.stdout.isTTY, columns: process.stdout.columns };
function terminal(columns: number | undefined): void {
  Object.assign(process.stdout, { isTTY: columns !== undefined, columns });
}
beforeEach(() => {
  process.env = { TERM: 'xterm' };
  process.argv = ['node', 'txledger', 'list'];
});
afterEach(() => {
  Object.assign(process, { argv: before.argv, env: before.env });
  Object.assign(process.stdout, { isTTY: before.isTTY, columns: before.columns });
});

describe('a pipe', () => {
  test('gets whole values below a header, amounts to the right, and no colour', () => {
    terminal(undefined);
    expect(table(COLUMNS, ROWS)).toEqual([
      `time                      status             amount  from${' '.repeat(61)}hash${' '.repeat(62)}note`,
      `2026-11-22T17:30:00.123Z  committed       12.34 EUR  ${DEV_0}  ${HASH}`,
      `2026-11-22T17:30:01.000Z  failed     1234567.00 EUR  ${STRANGER}  ${HASH.toLowerCase()}  an invoice with a long name`,
    ]);
  });

  test('gets the header of an empty table too', () => {
    terminal(undefined);
    expect(table(COLUMNS, [])).toEqual(['time  status  amount  from  hash  note']);
  });
});

describe('a terminal', () => {
  const plain = (lines: readonly string[]): string[] => lines.map(stripVTControlCharacters);

  test.each([80, 90, 100, 120, 200, 300])('of %d columns gets what fits it', (columns) => {
    terminal(columns);
    const lines = plain(table(COLUMNS, ROWS));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines[1]).toMatch(/ {2}committed +12\.34 EUR {2}dev-0 /);
    expect(lines[2]).toMatch(/ {2}failed +1234567\.00 EUR {2}txl1/);
    if (columns === 300) expect(lines[2]).toContain(`${STRANGER}  ${HASH.toLowerCase()}  an invoice with a long name`);
  });

  test('shortens in the middle, the widest first', () => {
    terminal(80);
    const [, , line = ''] = plain(table(COLUMNS, ROWS));
    expect(line).toMatch(/ {2}txl1[a-z0-9]+…[a-z0-9]+ {2}[0-9a-f]+…[0-9a-f]+/);
    terminal(150);
    const [, , wider = ''] = plain(table(COLUMNS, ROWS));
    expect(wider.length).toBe(150);
  });

  test('that is narrower than any table can be gets the one for 80 columns', () => {
    terminal(20);
    const narrow = table(COLUMNS, ROWS);
    terminal(80);
    expect(narrow).toEqual(table(COLUMNS, ROWS));
  });

  test('gets whole values with --wide', () => {
    terminal(80);
    process.argv = ['node', 'txledger', 'list', '--wide'];
    expect(plain(table(COLUMNS, ROWS))[1]).toContain(`${DEV_0}  ${HASH}`);
  });

  test('is told that there is nothing', () => {
    terminal(80);
    expect(table(COLUMNS, [], { none: 'no transfers' })).toEqual(['no transfers']);
  });

  test('of 80 columns has room for a transfer of development accounts with its reference', () => {
    terminal(80);
    const transfer = {
      txHash: HASH,
      status: 'pending',
      from: DEV_0,
      to: DEV_1,
      amount: '1000000000000',
      nonce: 1,
      reference: 'INV-2026-17',
      firstSeenAt: '2026-11-22T17:30:00.123Z',
    } as Transaction;
    const lines = plain(describeList([transfer], amountsIn({ code: 'DEV', scale: 2 })));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(/pending +10,000,000,000\.00 DEV {2}dev-0 {2}dev-1 {2}01234…BCDEF/);
  });

  test('gets a single value short too', () => {
    terminal(80);
    expect([
      shown('account', DEV_1),
      shown('account', STRANGER),
      shown('key', HASH),
      shown('time', '2026-11-22T17:30:00.123Z'),
    ]).toEqual(['dev-1', 'txl1q…fzyvj', '01234…BCDEF', '2026-11-22 17:30:00']);
    terminal(undefined);
    expect(shown('account', DEV_1)).toBe(DEV_1);
  });
});

describe('colours', () => {
  const GREEN = '\u001B[32mok\u001B[39m';

  test.each([
    ['a terminal', 80, {}, true],
    ['a pipe', undefined, {}, false],
    ['a terminal with NO_COLOR', 80, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR, which is none', 80, { NO_COLOR: '' }, true],
    ['a terminal that knows none', 80, { TERM: 'dumb' }, false],
    ['a pipe with FORCE_COLOR', undefined, { FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', 80, { FORCE_COLOR: '0' }, false],
    ['a pipe with both', undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('on %s', (_, columns, variables, expected) => {
    terminal(columns);
    process.env = { TERM: 'xterm', ...variables };
    expect([hasColours(), styled('green', 'ok')]).toEqual([expected, expected ? GREEN : 'ok']);
  });

  test('are those of the status, and move no column', () => {
    terminal(80);
    const [head, line] = table(COLUMNS, ROWS);
    expect(line).toContain('\u001B[32mcommitted\u001B[39m');
    process.env['NO_COLOR'] = '1';
    expect(table(COLUMNS, ROWS).slice(0, 2)).toEqual(
      [head, line].map((each) => stripVTControlCharacters(each as string).trimEnd()),
    );
  });
});
