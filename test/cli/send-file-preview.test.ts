/** `txledger send --file`: what --dry-run says and a terminal asks, and the nonces that other transfers hold. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { encodeAddress } from '../../client/src/crypto/address.ts';
import { signerFromSeed } from '../../client/src/index.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { call } from '../e2e/support/server.ts';
import { serveThrough, submitElsewhere } from './serve-through.ts';
import { documentOf, run, serveAnswers, TEST_MS_MAX, withDevelopment } from './support.ts';

const dev = withDevelopment();
const here = (args: readonly string[], url?: string) =>
  run([...args, ...(url === undefined ? [] : ['--url', url])], {
    variables: { ...dev().variables, ...(url === undefined ? {} : { TXLEDGER_TOKEN: dev().token }) },
  });
const address = (index: number): string => developmentAccounts()[index]!.address;
/** One that no block has named. */
const newAddress = async (byte: number): Promise<string> =>
  encodeAddress((await signerFromSeed(byte.toString(16).padStart(2, '0').repeat(32))).publicKey, 'txlt');
const account = async (index: number) =>
  (await call(`${dev().server.baseUrl}/accounts/${address(index)}`, { token: dev().token })).body;
let files = 0;
const fileOf = (text: string): string => {
  const file = path.join(dev().folder, `payments-${(files += 1)}.csv`);
  writeFileSync(file, text);
  return file;
};
const resultOf = (file: string): string => file.replace(/\.(\w+)$/, '.result.$1');
const sentNonces = (file: string): number[] => {
  const [names = '', ...rows] = readFileSync(resultOf(file), 'utf8').trim().split('\n');
  return rows.map((row) => Number(row.split(',')[names.split(',').indexOf('nonce')]));
};

/** The command at a terminal where a person enters `answer`. @returns also what was on the screen when the question came. */
async function atTerminal(
  args: readonly string[],
  answer: string,
  url?: string,
): Promise<{ code: number | null; screen: string; question: string }> {
  const [stdin, isTTY] = [Object.getOwnPropertyDescriptor(process, 'stdin')!, process.stderr.isTTY];
  const typed = Object.assign(new PassThrough(), { isTTY: true });
  typed.write(`${answer}\n`);
  Object.defineProperty(process, 'stdin', { configurable: true, value: typed });
  process.stderr.isTTY = true;
  try {
    const { code, stdout, stderr } = await here(args, url);
    return { code, screen: stdout, question: stderr };
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    process.stderr.isTTY = isTTY;
  }
}

describe('send --file --dry-run', () => {
  test(
    'says count, total, what is left, new receivers and references met before, and sends nothing',
    async () => {
      const unknown = await newAddress(0x51);
      await here(['send', '--from', 'dev-1', '--to', 'dev-2', '--amount', '7', '--reference', 'INV-1', '--wait']);
      const before = await account(1);
      const file = fileOf(`to,amount,reference\ndev-2,1000,INV-1\n${unknown},234,INV-2\n${unknown},1,INV-2\n`);
      const shown = await here(['send', '--from', 'dev-1', '--file', file, '--dry-run']);
      expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: EXIT.ok, stderr: '' });
      expect(shown.stdout).toMatch(/^dry run: nothing was sent$/m);
      expect(shown.stdout).toMatch(/^payments +3$/m);
      expect(shown.stdout).toMatch(/^total +12\.35 DEV, which is 1235 minor units$/m);
      expect(shown.stdout).toMatch(new RegExp(`^new receivers +1\n +line 3 {2}${unknown}$`, 'm'));
      expect(shown.stdout).toMatch(/line 2 {2}reference INV-1 {2}transfer [0-9A-F]{64}, committed/);
      expect(shown.stdout).toMatch(/line 4 {2}reference INV-2 {2}is that of line 3/);
      const document = documentOf(await here(['send', '--from', 'dev-1', '--file', file, '--dry-run', '--json']));
      expect(document).toMatchObject({
        file,
        from: address(1),
        payments: 3,
        known: 0,
        toSend: 3,
        total: '1235',
        currency: 'DEV',
        available: before.available,
        after: `${BigInt(before.available) - 1235n}`,
        nonces: { first: before.nextNonce, last: before.nextNonce + 2 },
        passedOver: [],
        missing: [],
        newReceivers: [{ line: 3, address: unknown }],
        metReferences: [
          { line: 2, reference: 'INV-1', status: 'committed' },
          { line: 4, reference: 'INV-2', first: { line: 3 } },
        ],
        faults: [],
      });
      expect(existsSync(resultOf(file))).toBe(false);
      expect((await account(1)).nextNonce).toBe(before.nextNonce);
    },
    TEST_MS_MAX,
  );

  test(
    'sends no request that changes anything',
    async () => {
      const posts: string[] = [];
      const service = await serveThrough(dev(), {
        request: (method, where) => void (method === 'GET' || posts.push(where)),
      });
      const file = fileOf('to,amount,reference\ndev-2,1,R-1\n');
      const { code } = await here(['send', '--file', file, '--dry-run'], service.url).finally(service.close);
      expect([code, posts]).toEqual([EXIT.ok, []]);
    },
    TEST_MS_MAX,
  );

  test(
    'names all faults at once, those that only the service can say too, and ends with 2',
    async () => {
      const foreign = encodeAddress((await signerFromSeed('52'.repeat(32))).publicKey, 'txl');
      const file = fileOf(`to,amount,reference\ndev-2,1.5,R\n${foreign},1,R\nx,1,"a""b"\ndev-2,1,R\n`);
      const result = await here(['send', '--file', file, '--dry-run', '--json']);
      expect(result.code).toBe(EXIT.usage);
      expect(documentOf(result).error).toMatchObject({
        code: 'invalid_file',
        exitCode: EXIT.usage,
        faults: [
          { line: 2, member: 'amount', message: expect.stringContaining('no whole number of minor units') },
          { line: 3, member: 'to', message: expect.stringContaining('start with txlt1') },
          { line: 4, member: 'to', message: expect.stringContaining('is no address') },
          { line: 4, member: 'reference', message: expect.stringContaining('printable ASCII') },
        ],
      });
      const { stderr } = await here(['send', '--file', file, '--dry-run']);
      expect(stderr).toMatch(/has 4 faults\. Nothing was sent\.\n {2}line 2, amount: .*\n {2}line 3, to: /);
    },
    TEST_MS_MAX,
  );

  test(
    'names the faults of a file where the service cannot be asked',
    async () => {
      const service = await serveAnswers((_, response) => void response.destroy());
      await service.close();
      const args = ['send', '--dry-run', '--timeout', '1s', '--file'];
      const faulty = await here([...args, fileOf('to,amount\nx,1\n')], service.url);
      expect([faulty.code, faulty.stderr]).toEqual([EXIT.usage, expect.stringContaining('line 2, to')]);
      expect((await here([...args, fileOf('to,amount\ndev-1,1\n')], service.url)).code).toBe(EXIT.unreachable);
    },
    TEST_MS_MAX,
  );

  test(
    'names payments that are too small to open the account of their receiver',
    async () => {
      const service = await serveThrough(dev(), {
        answer: (where, body) => (where === '/chain' ? { ...body, openingMinimum: '50' } : body),
      });
      const unknown = await newAddress(0x53);
      const file = fileOf(`to,amount\n${unknown},49\ndev-2,49\n${unknown},50\n`);
      const { code, stderr } = await here(['send', '--file', file, '--dry-run'], service.url).finally(service.close);
      expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('has a fault. Nothing was sent.')]);
      expect(stderr).toContain(
        'line 2, amount: the receiver has no account yet, and at least 0.50 DEV opens one; this is 0.49 DEV.',
      );
    },
    TEST_MS_MAX,
  );

  test(
    'says what is missing for payments that come to more than the account can spend',
    async () => {
      const { available } = await account(2);
      const file = fileOf(`to,amount\ndev-1,${available}\ndev-1,1\n`);
      const { code, stderr } = await here(['send', '--from', 'dev-2', '--file', file, '--dry-run']);
      expect([code, stderr]).toEqual([EXIT.refused, expect.stringMatching(/^afterwards +-0\.01 DEV$/m)]);
      expect(stderr).toContain('Nothing was sent');
      expect(
        (await here(['send', '--from', 'dev-2', '--file', fileOf(`to,amount\ndev-1,${available}\n`), '--dry-run']))
          .code,
      ).toBe(EXIT.ok);
    },
    TEST_MS_MAX,
  );

  test(
    'counts what an earlier run sent, also where its answers were lost',
    async () => {
      const file = fileOf('to,amount,reference\ndev-1,1,S-1\ndev-1,2,S-2\ndev-1,4,S-3\n');
      const args = ['send', '--from', 'dev-3', '--file', file];
      await here(args);
      const preview = async () => documentOf(await here([...args, '--dry-run', '--json']));
      expect(await preview()).toMatchObject({ payments: 3, known: 3, toSend: 0, total: '0', metReferences: [] });
      // As after a kill before any answer was written down.
      const kept = readFileSync(resultOf(file), 'utf8').replaceAll('accepted', 'unsent');
      writeFileSync(resultOf(file), kept);
      expect(await preview()).toMatchObject({ payments: 3, known: 3, toSend: 0, total: '0', metReferences: [] });
      expect(readFileSync(resultOf(file), 'utf8')).toBe(kept);
    },
    TEST_MS_MAX,
  );

  test('is for what is sent: not with --wait, and --yes is for a file', async () => {
    const file = fileOf('to,amount\ndev-1,1\n');
    expect((await here(['send', '--file', file, '--dry-run', '--wait'])).code).toBe(EXIT.usage);
    expect((await here(['send', '--to', 'dev-1', '--amount', '1', '--yes'])).stderr).toContain('--yes is for --file');
  });
});

describe('send --file asks before it signs', () => {
  test(
    'at a terminal, with the totals; a no, or no answer, signs and sends nothing',
    async () => {
      const { nextNonce } = await account(4);
      const file = fileOf('to,amount\ndev-1,100\ndev-2,134\n');
      for (const answer of ['n', '', 'perhaps']) {
        const { code, screen, question } = await atTerminal(['send', '--from', 'dev-4', '--file', file], answer);
        expect([code, screen]).toEqual([
          EXIT.refused,
          expect.stringMatching(/^total +2\.34 DEV, which is 234 minor units$/m),
        ]);
        expect(question).toContain('Sign and send 2 payments? [y/N]');
        expect(question).toContain('Nothing was sent.');
      }
      expect(existsSync(resultOf(file))).toBe(false);
      expect((await account(4)).nextNonce).toBe(nextNonce);
    },
    TEST_MS_MAX,
  );

  test(
    'and a yes sends; a file that is all sent is not asked about',
    async () => {
      const file = fileOf('to,amount\ndev-1,100\n');
      const args = ['send', '--from', 'dev-4', '--file', file];
      const sent = await atTerminal(args, 'yes');
      expect([sent.code, sent.screen]).toEqual([EXIT.ok, expect.stringMatching(/^accepted +1$/m)]);
      const again = await atTerminal(args, 'n');
      expect([again.code, again.question]).toEqual([EXIT.ok, expect.not.stringContaining('Sign and send')]);
    },
    TEST_MS_MAX,
  );

  test(
    'with --json standard output is one document all the same',
    async () => {
      const file = fileOf('to,amount\ndev-1,100\n');
      const { code, screen, question } = await atTerminal(['send', '--from', 'dev-4', '--file', file, '--json'], 'y');
      expect([code, JSON.parse(screen)]).toMatchObject([EXIT.ok, { accepted: 1 }]);
      expect(question).toMatch(/^total +1\.00 DEV/m);
    },
    TEST_MS_MAX,
  );

  test(
    'and gives nonces after the answer: one that was taken while a person read is passed over',
    async () => {
      const { nextNonce } = await account(5);
      // The last that the preview looks up.
      const service = await serveThrough(dev(), {
        request: async (_, where) => {
          if (where.includes('reference=READ')) await submitElsewhere(dev(), 5, nextNonce);
        },
      });
      const file = fileOf('to,amount,reference\ndev-1,1,READ\n');
      const sent = await atTerminal(['send', '--from', 'dev-5', '--file', file], 'y', service.url).finally(
        service.close,
      );
      expect(sent.code).toBe(EXIT.ok);
      expect(sentNonces(file)).toEqual([nextNonce + 1]);
    },
    TEST_MS_MAX,
  );

  test(
    'not with --yes, and not where no one can be asked: scripts go on',
    async () => {
      const yes = await atTerminal(['send', '--from', 'dev-4', '--yes', '--file', fileOf('to,amount\ndev-1,1\n')], 'n');
      expect([yes.code, yes.question]).toEqual([EXIT.ok, expect.not.stringContaining('Sign and send')]);
      expect((await here(['send', '--from', 'dev-4', '--file', fileOf('to,amount\ndev-1,1\n')])).code).toBe(EXIT.ok);
    },
    TEST_MS_MAX,
  );
});

describe('send --file and nonces of other transfers', () => {
  const hold = async (from: string, nonce: number, more: readonly string[] = []) =>
    documentOf(
      await here(['send', '--from', from, '--to', 'dev-1', '--amount', '9', '--nonce', `${nonce}`, '--json', ...more]),
    ).txHash as string;

  test(
    'passes over those that waiting transfers hold, within gaps and behind them, and says so',
    async () => {
      const { nextNonce } = await account(6);
      for (const ahead of [1, 3, 4]) await hold('dev-6', nextNonce + ahead);
      const file = fileOf(`to,amount\n${'dev-1,1\n'.repeat(4)}`);
      const args = ['send', '--from', 'dev-6', '--file', file];
      expect(documentOf(await here([...args, '--dry-run', '--json']))).toMatchObject({
        passedOver: [nextNonce + 1, nextNonce + 3, nextNonce + 4],
        nonces: { first: nextNonce, last: nextNonce + 6 },
      });
      expect(documentOf(await here([...args, '--json']))).toMatchObject({ accepted: 4, refused: 0 });
      expect(sentNonces(file)).toEqual([0, 2, 5, 6].map((ahead) => nextNonce + ahead));
    },
    TEST_MS_MAX,
  );

  test(
    'passes over a nonce that a cancel made void, where nothing waits behind it',
    async () => {
      const { nextNonce } = await account(7);
      const hash = await hold('dev-7', nextNonce + 1);
      expect((await here(['cancel', hash])).code).toBe(EXIT.ok);
      const file = fileOf(`to,amount\n${'dev-1,1\n'.repeat(3)}`);
      expect(documentOf(await here(['send', '--from', 'dev-7', '--file', file, '--json']))).toMatchObject({
        accepted: 3,
      });
      expect(sentNonces(file)).toEqual([0, 2, 3].map((ahead) => nextNonce + ahead));
    },
    TEST_MS_MAX,
  );

  test(
    'refuses one that the file gives by the name of its holder, and sends nothing',
    async () => {
      const { nextNonce } = await account(8);
      const hash = await hold('dev-8', nextNonce + 2);
      const file = fileOf(`to,amount,nonce\ndev-1,1,\ndev-1,2,${nextNonce + 2}\n`);
      const result = await here(['send', '--from', 'dev-8', '--file', file]);
      expect([result.code, result.stderr]).toEqual([
        EXIT.usage,
        expect.stringContaining(
          `line 3, nonce: transfer ${hash} has the nonce ${nextNonce + 2}; it is pending. Leave the nonce out`,
        ),
      ]);
      expect(existsSync(resultOf(file))).toBe(false);
      expect((await account(8)).nextNonce).toBe(nextNonce);
      await here(['cancel', hash]);
      const cancelled = await here(['send', '--from', 'dev-8', '--file', file]);
      expect([cancelled.code, cancelled.stderr]).toEqual([EXIT.usage, expect.stringContaining('it is cancelled.')]);
    },
    TEST_MS_MAX,
  );

  test(
    'knows its own payments by the nonces that the file gives, also without its result file',
    async () => {
      const { nextNonce } = await account(9);
      const file = fileOf(`to,amount,reference,nonce\ndev-1,1,N-1,${nextNonce}\ndev-1,2,N-2,${nextNonce + 1}\n`);
      const elsewhere = (name: string): string[] => [
        ...['send', '--from', 'dev-9', '--file', file, '--json'],
        ...['--result', path.join(dev().folder, name)],
      ];
      expect(documentOf(await here(elsewhere('one.csv')))).toMatchObject({ accepted: 2 });
      expect(documentOf(await here([...elsewhere('two.csv'), '--dry-run']))).toMatchObject({ known: 2, total: '0' });
      expect(documentOf(await here(elsewhere('two.csv')))).toMatchObject({ replayed: 2, accepted: 0 });
      const other = fileOf(`to,amount,nonce\ndev-1,5,${nextNonce}\n`);
      expect((await here(['send', '--from', 'dev-9', '--file', other])).stderr).toContain(
        `has the nonce ${nextNonce}; it is `,
      );
    },
    TEST_MS_MAX,
  );

  test(
    'says which nonces are missing where the file leaves a gap',
    async () => {
      const { nextNonce } = await account(3);
      const file = fileOf(`to,amount,nonce\ndev-1,1,${nextNonce + 2}\n`);
      expect(
        documentOf(await here(['send', '--from', 'dev-3', '--file', file, '--dry-run', '--json'])).missing,
      ).toEqual([nextNonce, nextNonce + 1]);
    },
    TEST_MS_MAX,
  );

  test(
    'spends only what waiting transfers leave, and signs nothing of a file that comes to more',
    async () => {
      const { available, nextNonce } = await account(2);
      const most = `${BigInt(available) - 10n}`;
      await here(['send', '--from', 'dev-2', '--to', 'dev-1', '--amount', most, '--nonce', `${nextNonce + 1}`]);
      const file = fileOf('to,amount\ndev-1,5\ndev-1,6\n');
      const { code, stderr } = await here(['send', '--from', 'dev-2', '--file', file]);
      expect([code, stderr]).toEqual([EXIT.refused, expect.stringContaining('can spend 0.10 DEV. Nothing was sent.')]);
      expect(existsSync(resultOf(file))).toBe(false);
    },
    TEST_MS_MAX,
  );

  test(
    'keeps nonce and hash of a payment that was refused for another reason, so that it is paid once',
    async () => {
      const problem = {
        type: 'about:blank',
        title: 'Refused',
        status: 422,
        detail: 'There is not enough money.',
        code: 'insufficient_funds',
        retriable: false,
      };
      // The service takes them, and something on the way says otherwise.
      const service = await serveThrough(dev(), {
        answer: (where, body) =>
          where === '/transactions/batch'
            ? { results: (body['results'] as unknown[]).map(() => ({ outcome: 'refused', problem })) }
            : body,
      });
      const { nextNonce } = await account(8);
      const file = fileOf('to,amount\ndev-1,1\ndev-1,2\n');
      const args = ['send', '--from', 'dev-8', '--file', file];
      expect((await here(args, service.url).finally(service.close)).code).toBe(EXIT.refused);
      const kept = readFileSync(resultOf(file), 'utf8');
      await hold('dev-8', nextNonce + 5);
      expect(documentOf(await here([...args, '--json']))).toMatchObject({ replayed: 2, accepted: 0 });
      const keys = (text: string): string[] => text.match(/[0-9]+,[0-9A-F]{64}/g) ?? [];
      expect(keys(readFileSync(resultOf(file), 'utf8'))).toEqual(keys(kept));
    },
    TEST_MS_MAX,
  );
});
