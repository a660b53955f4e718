/** Files in JSON that move or explain money: each has one meaning, or the command does nothing and names the place. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { formatOperatorKey, operatorKeyOf } from '../../server/app/operator-key.ts';
import { readPayments } from '../../server/cli/payments/payment-file.ts';
import { ROWS_MAX } from '../../server/cli/payments/table-file.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { governorAddress, governorSeed, operatorAddress, testGenesis } from '../ledger/support.ts';
import { run, serveAnswers, TEST_MS_MAX } from './support.ts';

const [payer, receiver] = developmentAccounts();
let folder = '';
let seed = '';
/** What the service was asked for: nothing may be, because of a file with a fault. */
let asked: string[] = [];
let service: Awaited<ReturnType<typeof serveAnswers>>;
beforeAll(async () => {
  service = await serveAnswers((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
});
afterAll(async () => {
  await service.close();
  await removeTemporaryFolders();
});
beforeEach(async () => {
  asked = [];
  folder = await temporaryFolder('strict');
  seed = at('seed.hex');
  writeFileSync(seed, payer?.seed ?? '', { mode: 0o600 });
});
const at = (name: string): string => path.join(folder, name);
const txledger = (...args: string[]) =>
  run(args, { variables: { TXLEDGER_TOKEN: 'txl_a_b', TXLEDGER_URL: service.url, DATA_DIR: at('none') } });

interface Case {
  readonly name: string;
  readonly good: () => string | Promise<string>;
  /** One member of it as it is written there; empty for the threshold of a genesis. */
  readonly member: string;
  /** How an error names the place; empty where none may be named, because the file is a secret. */
  readonly place: string;
  /** A byte order mark is taken for white space around a seed. */
  readonly takesMark?: true;
  readonly act: (file: string) => ReturnType<typeof run>;
  readonly exit?: number;
}

const PAYMENTS = JSON.stringify([
  { to: receiver?.address, amount: '4' },
  { to: receiver?.address, amount: '5' },
]);
const key = (): string => formatOperatorKey(operatorKeyOf(governorSeed(0), 'txlt'));
async function proposal(): Promise<string> {
  writeFileSync(at('genesis.json'), testGenesis().bytes);
  const { code, stderr } = await txledger(
    ...['governance', 'propose', '--genesis', at('genesis.json'), '--kind', 'canceller_add'],
    ...['--subject', operatorAddress(1), '--out', at('proposed.json')],
  );
  if (code !== 0) throw new Error(stderr);
  return readFileSync(at('proposed.json'), 'utf8');
}
const governorKey = (): string => {
  writeFileSync(at('governor.json'), key(), { mode: 0o600 });
  return at('governor.json');
};
const genesis = (): string => Buffer.from(testGenesis().bytes).toString('utf8');

const CASES: readonly Case[] = [
  {
    name: 'send --file',
    good: () => PAYMENTS,
    member: '"amount":"5"',
    place: 'item 2, member amount: ',
    act: (file) => txledger('send', '--key-file', seed, '--file', file),
  },
  {
    name: 'send --file, with results of an earlier run',
    good: () => {
      const result = { to: receiver?.address, amount: '4', nonce: 7, txHash: 'A'.repeat(64), outcome: 'unsent' };
      return JSON.stringify([result, { ...result, amount: '5' }].map((row) => ({ ...row, code: '', detail: '' })));
    },
    member: '"amount":"5"',
    place: 'item 2, member amount: ',
    act: (file) => {
      writeFileSync(at('payments.json'), PAYMENTS);
      return txledger('send', '--key-file', seed, '--file', at('payments.json'), '--result', file);
    },
  },
  {
    name: 'explain',
    good: () =>
      JSON.stringify({
        from: payer?.address,
        to: receiver?.address,
        amount: '5',
        nonce: 7,
        signature: 'ab'.repeat(64),
      }),
    member: '"amount":"5"',
    place: '/amount: ',
    exit: EXIT.refused,
    act: (file) => txledger('explain', file, '--chain-id', 'txledger-dev-1'),
  },
  {
    name: 'governance sign',
    good: proposal,
    member: '"power": 0',
    place: 'member power: ',
    act: (file) => txledger('governance', 'sign', file, '--key', governorKey()),
  },
  {
    name: 'governance submit',
    good: proposal,
    member: '"power": 0',
    place: 'member power: ',
    act: (file) => txledger('governance', 'submit', file),
  },
  {
    name: 'governance sign: the key',
    good: key,
    member: `"address": "${governorAddress(0)}"`,
    place: '',
    act: async (file) => {
      writeFileSync(at('proposal.json'), await proposal());
      return txledger('governance', 'sign', at('proposal.json'), '--key', file);
    },
  },
  {
    name: 'send --key-file',
    good: key,
    member: `"address": "${governorAddress(0)}"`,
    place: '',
    takesMark: true,
    act: (file) => txledger('send', '--key-file', file, '--to', 'dev-1', '--amount', '5'),
  },
  {
    name: 'key show',
    good: key,
    member: `"address": "${governorAddress(0)}"`,
    place: '',
    takesMark: true,
    act: (file) => txledger('key', 'show', file),
  },
  ...[
    ['genesis show', (file: string) => txledger('genesis', 'show', file)] as const,
    [
      'governance propose --genesis',
      (file: string) =>
        txledger(
          ...['governance', 'propose', '--genesis', file, '--kind', 'canceller_add'],
          ...['--subject', operatorAddress(1), '--out', at('out.json')],
        ),
    ] as const,
    ['receipt --verify', (file: string) => txledger('receipt', 'A'.repeat(64), '--verify', file)] as const,
  ].map(([name, act]): Case => ({ name, good: genesis, member: '', place: 'threshold', act })),
];

/** What a fault makes of `"name":value`, which stands in the file once. */
const FAULTS: readonly (readonly [string, (name: string, value: string) => string])[] = [
  ['a needless fraction', (name) => `${name}:5.0`],
  ['an exponent', (name) => `${name}:5e0`],
  ['a capital exponent', (name) => `${name}:5E+0`],
  ['-0', (name) => `${name}:-0`],
  ['more digits than a double holds', (name) => `${name}:12345678901234567891`],
  ['more digits behind the point than a double holds', (name) => `${name}:0.12345678901234567891`],
  ['the same member twice, with one value', (name, value) => `${name}:${value},${name}:${value}`],
  ['the same member twice, with two values', (name, value) => `${name}:"9999",${name}:${value}`],
  [
    'the same member twice, once escaped',
    (name, value) => `${name}:${value},"\\u00${name.charCodeAt(1).toString(16)}${name.slice(2)}:${value}`,
  ],
  ['half of a character', (name) => `${name}:"\\ud800"`],
];
/** Of the file as a whole. */
const BYTES: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['a byte order mark', (text) => Buffer.from(`\u{FEFF}${text}`)],
  [
    'bytes that are no UTF-8',
    (text) =>
      Buffer.concat([
        Buffer.from(text.trimEnd().slice(0, -1)),
        Buffer.from([0xff]),
        Buffer.from(text.trimEnd().slice(-1)),
      ]),
  ],
  ['text behind the value', (text) => Buffer.from(`${text} 1`)],
  ['an end too early', (text) => Buffer.from(text.trimEnd().slice(0, -1))],
];

describe.each(CASES.map((each) => [each.name, each] as const))(
  '%s',
  (_, { good, member, place, takesMark, act, exit = EXIT.usage }) => {
    const file = (): string => at('given.json');

    test.each(FAULTS)(
      'takes no file with %s',
      async (_fault, change) => {
        const text = await good();
        const found = member === '' ? (/"threshold": ?"?[0-9]+"?/.exec(text)?.[0] ?? '') : member;
        const [, name = '', value = ''] = /^("[^"]*"): ?(.*)$/.exec(found) ?? [];
        expect(text.split(found)).toHaveLength(2);
        writeFileSync(
          file(),
          text.replace(found, () => change(name, value)),
          { mode: 0o600 },
        );
        asked = [];
        const { code, stdout, stderr } = await act(file());
        expect([code, stdout + stderr]).toEqual([exit, expect.stringContaining(place)]);
        expect(asked).toEqual([]);
        expect([existsSync(at('out.json')), existsSync(at('given.result.json'))]).toEqual([false, false]);
        expect(stdout + stderr).not.toContain(Buffer.from(governorSeed(0)).toString('hex'));
      },
      TEST_MS_MAX,
    );

    test.each(takesMark ? BYTES.slice(1) : BYTES)('takes no file with %s', async (_fault, change) => {
      writeFileSync(file(), change(await good()), { mode: 0o600 });
      asked = [];
      const { code } = await act(file());
      expect([code, asked]).toEqual([exit, []]);
    });
  },
);

describe('a payments file is looked at to its end before anything is sent', () => {
  test.each<[string, object, string]>([
    [
      'an amount above 2^128 - 1',
      { amount: `${2n ** 128n}` },
      'item 3, amount: the amount 340282366920938463463374607431768211456 is more than 2^128 - 1',
    ],
    [
      'a nonce that would be rounded',
      { nonce: '9007199254740993' },
      'item 3, nonce: the nonce "9007199254740993" is no whole number up to 2^53 - 1',
    ],
    [
      'the nonce of another payment',
      { nonce: 8 },
      'item 3, nonce: the nonce 8 is that of item 2, and only one transfer can have it',
    ],
    ['a member of another type', { amount: ['5'] }, 'item 3, amount: it must be text or a whole number'],
    ['true as an amount', { amount: true }, 'item 3, amount: it must be text or a whole number'],
  ])('%s', async (_, change, words) => {
    const file = at('payments.json');
    const payment = { to: receiver?.address, amount: '5' };
    writeFileSync(
      file,
      JSON.stringify([
        { ...payment, nonce: 7 },
        { ...payment, nonce: 8 },
        { ...payment, ...change },
      ]),
    );
    const { code, stderr } = await txledger('send', '--key-file', seed, '--file', file);
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
    expect(asked).toEqual([]);
  });

  test('20,000 payments with every member are read', () => {
    const file = at('payments.json');
    const rows = Array.from({ length: ROWS_MAX }, (_, nonce) => ({
      to: receiver?.address,
      amount: '5',
      reference: `ORDER ${nonce}`,
      validUntil: 4_102_444_800,
      nonce,
    }));
    writeFileSync(file, JSON.stringify(rows));
    expect(readPayments(file)).toMatchObject({ faults: [], payments: { length: ROWS_MAX } });
  });

  test('--nonce that would be rounded', async () => {
    const { code, stderr } = await txledger('send', '--to', 'dev-1', '--amount', '1', '--nonce', '9007199254740993');
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('a whole number up to 2^53 - 1')]);
  });
});

test('no command reads a file with JSON.parse that is not named here', () => {
  const having = globSync('server/cli/**/*.{ts,js}', { cwd: ROOT }).filter((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes('JSON.parse('),
  );
  expect(having.toSorted()).toEqual(
    [
      // The chain id of this machine's genesis, to try signatures with.
      'server/cli/commands/explain.ts',
      // Built with the program.
      'server/cli/help-page.js',
      // A home of a node and its backup: files of CometBFT, and one of our own beside them, of which money is no part.
      'server/cli/validator/backup.ts',
      'server/cli/validator/home.ts',
      // Answers of services and nodes.
      ...['api-request', 'governance/chain-state', 'governance/rpc', 'validator/node'].map(
        (name) => `server/cli/${name}.ts`,
      ),
      // A name that the strict reader has passed.
      'server/cli/strict-file.ts',
    ].toSorted(),
  );
});
