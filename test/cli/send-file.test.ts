/** `txledger send --file`: what is kept before anything is sent, what is told, and that no second run pays twice. */
import { readFileSync, writeFileSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { csvLine, parseCsv } from '../../server/cli/payments/csv.ts';
import { call } from '../e2e/support/server.ts';
import { serveThrough, submitElsewhere } from './serve-through.ts';
import { documentOf, run, TEST_MS_MAX, withDevelopment } from './support.ts';

const dev = withDevelopment();
const here = (args: readonly string[], url?: string) =>
  run([...args, ...(url === undefined ? [] : ['--url', url])], {
    variables: { ...dev().variables, ...(url === undefined ? {} : { TXLEDGER_TOKEN: dev().token }) },
  });
const address = (index: number): string => developmentAccounts()[index]!.address;
const account = async (index: number) =>
  (await call(`${dev().server.baseUrl}/accounts/${address(index)}`, { token: dev().token })).body;
let files = 0;
const fileOf = (text: string, extension = 'csv'): string => {
  const file = path.join(dev().folder, `payments-${(files += 1)}.${extension}`);
  writeFileSync(file, text);
  return file;
};
const payments = (count: number, to = 1): string =>
  `to,amount\n${Array.from({ length: count }, (_, index) => `${address(to)},${index + 1}\n`).join('')}`;
const resultOf = (file: string): string => file.replace(/\.(\w+)$/, '.result.$1');
const rowsOf = (file: string) => {
  const { records, faults } = parseCsv(readFileSync(file, 'utf8'));
  expect(faults).toEqual([]);
  const [names, ...rows] = records.map(({ fields }) => fields);
  return rows.map((row) => Object.fromEntries(names!.map((name, at) => [name, row[at]])));
};

describe('send --file', () => {
  test(
    'pays every row with nonces one after another, more than one batch, and writes what became of each',
    async () => {
      const before = await account(0);
      const file = fileOf(payments(1_100));
      const result = await here(['send', '--file', file, '--json', '--timeout', '90s']);
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: EXIT.ok, stderr: '' });
      expect(documentOf(result)).toMatchObject({
        payments: 1_100,
        accepted: 1_100,
        refused: 0,
        unknown: 0,
        unsent: 0,
        result: resultOf(file),
      });
      const rows = rowsOf(resultOf(file));
      expect(rows.map(({ nonce }) => Number(nonce))).toEqual(rows.map((_, index) => before.nextNonce + index));
      expect(rows[7]).toMatchObject({ to: address(1), amount: '8', outcome: 'accepted', code: '', detail: '' });
      const found = await call(`${dev().server.baseUrl}/transactions/${rows[1_099]!.txHash}`, { token: dev().token });
      expect(found.body).toMatchObject({ amount: '1100', nonce: Number(rows[1_099]!.nonce) });
      expect(statSync(resultOf(file)).mode & 0o077).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    'run again sends nothing, or the very same transfers, and pays nothing twice',
    async () => {
      const file = fileOf(payments(5));
      const args = ['send', '--from', 'dev-2', '--file', file, '--json'];
      await here(args);
      const first = readFileSync(resultOf(file), 'utf8');
      const { nextNonce } = await account(2);
      expect(documentOf(await here(args))).toMatchObject({ accepted: 5 });
      // As after a crash before any answer was written down.
      writeFileSync(resultOf(file), first.replaceAll('accepted', 'unsent'));
      expect(documentOf(await here(args))).toMatchObject({ accepted: 0, replayed: 5 });
      expect(readFileSync(resultOf(file), 'utf8')).toBe(first.replaceAll('accepted', 'replayed'));
      expect((await account(2)).nextNonce).toBe(nextNonce);
    },
    TEST_MS_MAX,
  );

  test(
    'keeps nonces and hashes before it sends, so that lost answers and a second run pay once',
    async () => {
      const file = fileOf(payments(3));
      let keptBefore = false;
      const service = await serveThrough(dev(), {
        losesAnswers: true,
        request: (method) => {
          if (method !== 'POST') return;
          keptBefore ||= rowsOf(resultOf(file)).every(
            ({ outcome, txHash }) => outcome === 'unsent' && txHash!.length === 64,
          );
        },
      });
      try {
        const lost = await here(['send', '--from', 'dev-3', '--file', file, '--timeout', '5s', '--json'], service.url);
        expect([lost.code, documentOf(lost).error]).toMatchObject([EXIT.unknown, { code: 'undecided', unknown: 3 }]);
      } finally {
        await service.close();
      }
      expect(keptBefore).toBe(true);
      const before = rowsOf(resultOf(file));
      expect(documentOf(await here(['send', '--from', 'dev-3', '--file', file, '--json']))).toMatchObject({
        replayed: 3,
      });
      expect(rowsOf(resultOf(file)).map(({ txHash }) => txHash)).toEqual(before.map(({ txHash }) => txHash));
      expect((await account(3)).nextNonce).toBe(3);
    },
    TEST_MS_MAX,
  );

  test(
    'stops at a refusal, tells it, and goes on when the reason is gone',
    async () => {
      const { nextNonce } = await account(4);
      // Another program takes the second nonce after it was given to a payment.
      const service = await serveThrough(dev(), {
        request: async (method) => {
          if (method === 'POST') await submitElsewhere(dev(), 4, nextNonce + 1);
        },
      });
      const file = fileOf(payments(3));
      const args = ['send', '--from', 'dev-4', '--file', file];
      const refused = await here(args, service.url).finally(service.close);
      expect(refused.code).toBe(EXIT.refused);
      expect(refused.stderr).toContain('Payment 2 was refused (nonce_conflict): Another payment holds nonce');
      expect(rowsOf(resultOf(file)).map(({ outcome }) => outcome)).toEqual(['accepted', 'refused', 'accepted']);
      expect((await here(args)).code).toBe(EXIT.ok);
      // A new nonce for the second, past those of the others, and the others as they were.
      expect(rowsOf(resultOf(file)).map(({ outcome, nonce }) => [outcome, Number(nonce)])).toEqual([
        ['accepted', nextNonce],
        ['accepted', nextNonce + 3],
        ['accepted', nextNonce + 2],
      ]);
    },
    TEST_MS_MAX,
  );

  test(
    'takes JSON, names of development accounts and nonces of the caller',
    async () => {
      const { nextNonce } = await account(6);
      const file = fileOf(
        JSON.stringify([
          { to: 'dev-1', amount: '5', nonce: nextNonce + 1 },
          { to: address(2), amount: 6, nonce: nextNonce },
        ]),
        'json',
      );
      const outcome = path.join(dev().folder, 'elsewhere.json');
      expect((await here(['send', '--from', 'dev-6', '--file', file, '--result', outcome])).code).toBe(EXIT.ok);
      expect(JSON.parse(readFileSync(outcome, 'utf8'))).toMatchObject([
        { to: address(1), amount: '5', nonce: nextNonce + 1, outcome: 'accepted' },
        { to: address(2), amount: '6', nonce: nextNonce },
      ]);
      expect((await account(6)).nextNonce).toBe(nextNonce + 2);
    },
    TEST_MS_MAX,
  );

  test(
    'carries reference and end of each payment, the end of all where a payment has none, and keeps both',
    async () => {
      const file = fileOf(
        `to,amount,reference,validUntil\ndev-1,5,ORDER-1,\ndev-1,5,"ORDER 2, cups",2100-01-01T00:00:00.9Z\ndev-1,5,,4102444801\n`,
      );
      const args = ['send', '--from', 'dev-5', '--file', file, '--valid-for', '1h', '--json'];
      expect(documentOf(await here(args))).toMatchObject({ accepted: 3 });
      const rows = rowsOf(resultOf(file));
      expect(rows.map(({ reference, validUntil }) => [reference, validUntil])).toEqual([
        ['ORDER-1', expect.stringMatching(/^1[0-9]{9}$/)],
        ['ORDER 2, cups', '4102444800'],
        ['', '4102444801'],
      ]);
      for (const { txHash, reference, validUntil } of rows) {
        const { body } = await call(`${dev().server.baseUrl}/transactions/${txHash}`, { token: dev().token });
        expect([body.reference, body.validUntil]).toEqual([reference || undefined, Number(validUntil)]);
      }
      // A second run counts no new hour: the very same transfers.
      const first = readFileSync(resultOf(file), 'utf8');
      writeFileSync(resultOf(file), first.replaceAll('accepted', 'unsent'));
      expect(documentOf(await here(args))).toMatchObject({ accepted: 0, replayed: 3 });
      expect(readFileSync(resultOf(file), 'utf8')).toBe(first.replaceAll('accepted', 'replayed'));
      writeFileSync(file, readFileSync(file, 'utf8').replace('ORDER-1', 'ORDER-9'));
      expect(documentOf(await here(args)).error.message).toContain(
        'holds the results of other payments: row 1 has the reference "ORDER-1"',
      );
    },
    TEST_MS_MAX,
  );

  test(
    'signs what was too late again only under a new end, at the nonce that no one used',
    async () => {
      const file = fileOf(JSON.stringify([{ to: 'dev-1', amount: '5', reference: 'LATE-1' }]), 'json');
      const args = ['send', '--from', 'dev-9', '--file', file, '--json'];
      const { nextNonce } = await account(9);
      const refused = await here([...args, '--valid-until', '2020-01-01T00:00:00Z']);
      expect([refused.code, documentOf(refused).error.code]).toEqual([EXIT.refused, 'validity_passed']);
      expect(documentOf(await here(args)).error.code).toBe('validity_passed');
      expect(documentOf(await here([...args, '--valid-for', '1h']))).toMatchObject({ accepted: 1 });
      expect(JSON.parse(readFileSync(resultOf(file), 'utf8'))).toMatchObject([
        { reference: 'LATE-1', nonce: nextNonce, outcome: 'accepted', validUntil: expect.any(Number) },
      ]);
    },
    TEST_MS_MAX,
  );

  test.each<[string, string, string, string]>([
    [
      'a reference with a quote',
      'json',
      '[{"to":"dev-1","amount":"1","reference":"a\\"b"}]',
      'item 1, reference: the reference "a\\"b" is not',
    ],
    [
      'an end that is a day',
      'csv',
      'to,amount,validUntil\ndev-1,1,2030-01-01\n',
      'line 2, validUntil: validUntil "2030-01-01" is neither',
    ],
    ['an unknown column', 'csv', 'to,amount,memo\nx,1,y\n', '"memo" is not known here'],
    ['a missing column', 'csv', 'to,sum\nx,1\n', 'line 1, amount: this column is missing'],
    [
      'a line with too few fields',
      'csv',
      'to,amount\nx\n',
      'line 2: it has 1 cells where the first line has 2: amount is missing',
    ],
    ['a quote without an end', 'csv', 'to,amount\n"x,1\n', 'line 2: a quote is opened and not closed'],
    ['no rows', 'csv', 'to,amount\n', 'has no rows'],
    [
      'an amount with a point',
      'csv',
      'to,amount\ndev-1,1.50\n',
      'line 2, amount: the amount "1.50" is no whole number',
    ],
    [
      'an amount of another currency',
      'csv',
      'to,amount\ndev-1,1.50 EUR\n',
      'line 2, amount: the amount "1.50 EUR" cannot be read: the currency of this chain is DEV',
    ],
    ['an amount too fine', 'json', '[{"to":"dev-1","amount":"1.505DEV"}]', 'DEV has at most 2 digits behind the point'],
    [
      'an address with a typing error',
      'csv',
      `to,amount\n${developmentAccounts()[1]!.address.slice(0, -1)}z,1\n`,
      'the checksum does not match',
    ],
    ['JSON that is no array', 'json', '{"to":"dev-1"}', 'must hold an array'],
    [
      'a number with a fraction',
      'json',
      '[{"to":"dev-1","amount":1.5}]',
      'item 1, amount: it must be text or a whole number',
    ],
    ['another extension', 'xlsx', '', 'must end in .csv (or .tsv, .txt) or .json'],
  ])(
    'refuses %s before anything is signed',
    async (_, extension, text, words) => {
      const file = fileOf(text, extension);
      const { code, stderr } = await here(['send', '--file', file]);
      expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
      expect(existsSync(resultOf(file))).toBe(false);
    },
    TEST_MS_MAX,
  );

  test(
    'takes amounts with their currency, keeps minor units, and says what is paid together',
    async () => {
      const file = fileOf('to,amount\ndev-1,12.34DEV\ndev-1,"1,000.5 DEV"\ndev-1,6\n');
      const args = ['send', '--from', 'dev-6', '--file', file];
      expect((await here(args)).stdout).toMatch(/^pays {7}1,012\.90 DEV together$/m);
      const rows = rowsOf(resultOf(file));
      expect(rows.map(({ amount }) => amount)).toEqual(['1234', '100050', '6']);
      const { body } = await call(`${dev().server.baseUrl}/transactions/${rows[1]!.txHash}`, { token: dev().token });
      expect(body.amount).toBe('100050');
      // The same payments, written otherwise, are known.
      writeFileSync(file, 'to,amount\ndev-1,1234\ndev-1,1000.50DEV\ndev-1,0.06DEV\n');
      expect(documentOf(await here([...args, '--json']))).toMatchObject({ payments: 3, accepted: 3 });
      expect(rowsOf(resultOf(file))).toEqual(rows);
    },
    TEST_MS_MAX,
  );

  test(
    'refuses more than the account has, results of other payments or another key, and options of a single transfer',
    async () => {
      const rich = fileOf(`to,amount\ndev-1,${10n ** 20n}\n`);
      expect((await here(['send', '--from', 'dev-7', '--file', rich])).stderr).toContain('Nothing was sent');
      expect(existsSync(resultOf(rich))).toBe(false);
      const file = fileOf(payments(2));
      await here(['send', '--from', 'dev-7', '--file', file]);
      expect((await here(['send', '--from', 'dev-8', '--file', file])).stderr).toContain(
        'was made with another key or for another chain',
      );
      writeFileSync(file, payments(3));
      expect((await here(['send', '--from', 'dev-7', '--file', file])).stderr).toContain(
        'holds the results of other payments',
      );
      writeFileSync(file, payments(2).replace(',2\n', ',2.00DEV\n'));
      expect((await here(['send', '--from', 'dev-7', '--file', file])).stderr).toContain(
        `holds the results of other payments: row 2 pays 2 to ${address(1)}`,
      );
      for (const more of [['--to', 'dev-1'], ['--amount', '1'], ['--nonce', '1'], ['--reference', 'a'], ['--wait']])
        expect((await here(['send', '--file', file, ...more])).code).toBe(EXIT.usage);
      expect((await here(['send', '--to', 'dev-1'])).code).toBe(EXIT.usage);
    },
    TEST_MS_MAX,
  );
});

test('CSV is read as it is written', () => {
  const rows = [
    ['a', 'b,c', 'd"e'],
    ['', 'two\nlines', 'x'],
    ['1', '', ''],
  ];
  const parsed = parseCsv(rows.map(csvLine).join(''));
  expect(parsed.records.map(({ fields }) => fields)).toEqual(rows);
  expect(parseCsv('to,amount\r\nx,1\r\n\r\ny,2')).toEqual({
    faults: [],
    records: [
      { line: 1, fields: ['to', 'amount'], hasEnd: true },
      { line: 2, fields: ['x', '1'], hasEnd: true },
      { line: 4, fields: ['y', '2'], hasEnd: false },
    ],
  });
});
