import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { amountsIn } from '../../server/cli/amounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { call, environment } from '../e2e/support/server.ts';
import { documentOf, run, runApart, runProcess, serveAnswers, TEST_MS_MAX, withDevelopment } from './support.ts';

const HASH_LINE = /^hash {7}([0-9A-F]{64})$/m;

const dev = withDevelopment();
/** Sends from here reach that service. */
const here = (args: readonly string[]) => run(args, { variables: dev().variables });

/** The service behind a network that loses every answer to a POST, after it was let through or instead of that. */
async function losing(options: { letThrough: boolean }) {
  let posts = 0;
  const service = await serveAnswers((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const post = request.method === 'POST';
      posts += post ? 1 : 0;
      if (post && !options.letThrough) return void response.destroy();
      const { status, body } = await call(dev().server.baseUrl + request.url, {
        method: request.method as string,
        headers: { 'content-type': 'application/json' },
        token: dev().token,
        ...(post ? { body: Buffer.concat(chunks) } : {}),
      });
      if (post) return void response.destroy();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  return { ...service, posts: () => posts };
}

describe('send', () => {
  test(
    'tells hash, signed, accepted, committed, in this order',
    async () => {
      const { code, stdout, stderr } = await here(['send', '--to', 'dev-1', '--amount', '7', '--wait']);
      expect({ code, stderr }).toEqual({ code: EXIT.ok, stderr: '' });
      expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
        'hash',
        'signed',
        'pays',
        'accepted',
        'committed',
        '',
      ]);
      const { body } = await call(`${dev().server.baseUrl}/transactions/${HASH_LINE.exec(stdout)?.[1]}`, {
        token: dev().token,
      });
      expect(body).toMatchObject({ status: 'committed', amount: '7' });
      expect(stdout).toContain(`committed  height ${body.height}, block time ${body.blockTime}`);
    },
    TEST_MS_MAX,
  );

  test(
    'carries a reference and an end, and shows the amount in the currency before anything is sent',
    async () => {
      const startedMs = Date.now();
      const { code, stdout } = await here([
        'send',
        '--from',
        'dev-6',
        '--to',
        'dev-1',
        '--amount',
        '1234',
        '--reference',
        'INV-7: 3 cups',
        '--valid-for',
        '15m',
        '--wait',
      ]);
      expect(code).toBe(EXIT.ok);
      const { currency } = (await call(`${dev().server.baseUrl}/chain`)).body;
      const { body } = await call(`${dev().server.baseUrl}/transactions/${HASH_LINE.exec(stdout)?.[1]}`, {
        token: dev().token,
      });
      expect(body).toMatchObject({ status: 'committed', amount: '1234', reference: 'INV-7: 3 cups' });
      expect(Math.abs(body.validUntil - startedMs / 1000 - 900)).toBeLessThan(60);
      const shown = amountsIn(currency)('1234');
      expect(shown).toMatch(/^[0-9.]+ [A-Z0-9]+$/);
      expect(stdout.split('\n').slice(2, 5)).toEqual([
        `pays       ${shown} to ${body.to}`,
        'reference  INV-7: 3 cups',
        `valid      until ${new Date(body.validUntil * 1000).toISOString()}`,
      ]);
      const got = (await here(['get', body.txHash])).stdout;
      for (const line of [/^reference +INV-7: 3 cups$/m, new RegExp(`^amount +${shown}$`, 'm'), /^valid until +20/m])
        expect(got).toMatch(line);
      const [header, ...listed] = (await here(['list', '--from', 'dev-6', '--reference', 'INV-7: 3 cups'])).stdout
        .trim()
        .split('\n');
      expect(header).toMatch(/^first seen +status +height +amount +from +to +hash +reference$/);
      expect(listed).toEqual([expect.stringMatching(new RegExp(` ${shown} .*INV-7: 3 cups$`))]);
      expect((await here(['list', '--from', 'dev-6', '--reference', 'INV-8'])).stdout.trim().split('\n')).toHaveLength(
        1,
      );
    },
    TEST_MS_MAX,
  );

  test(
    'that is too late is refused, and a wait for one that became too late says why it expired',
    async () => {
      const past = await here([
        'send',
        '--from',
        'dev-6',
        '--to',
        'dev-1',
        '--amount',
        '1',
        '--valid-until',
        '2020-01-01T00:00:00Z',
        '--json',
      ]);
      expect([past.code, documentOf(past).error.code]).toEqual([EXIT.refused, 'validity_passed']);
      const { nextNonce } = (
        await call(`${dev().server.baseUrl}/accounts/${developmentAccounts()[6]?.address}`, { token: dev().token })
      ).body;
      const { code, stderr } = await here([
        'send',
        '--from',
        'dev-6',
        '--to',
        'dev-1',
        '--amount',
        '1',
        '--nonce',
        `${nextNonce + 1}`,
        '--valid-for',
        '3s',
        '--wait',
      ]);
      expect([code, stderr]).toEqual([
        EXIT.refused,
        expect.stringMatching(/expired {4}height .* validity_passed: .*\n.*moved no money and never will/),
      ]);
    },
    TEST_MS_MAX,
  );

  test.each([
    ['12.34DEV', '1234', '12.34 DEV'],
    ['12.34 DEV', '1234', '12.34 DEV'],
    ['1,234.5 DEV', '123450', '1,234.50 DEV'],
    ['12', '12', '0.12 DEV'],
  ])(
    'of %j sends %s minor units and echoes %s: dry, before anything is sent, and as the result',
    async (typed, amount, shown) => {
      const args = ['send', '--from', 'dev-8', '--to', 'dev-1', '--amount', typed];
      const dry = await here([...args, '--dry-run']);
      expect(dry.stdout).toContain(`\npays     ${shown} to ${developmentAccounts()[1]?.address}\n`);
      const sent = await here(args);
      expect(sent.stdout).toContain(`\npays       ${shown} to ${developmentAccounts()[1]?.address}\n`);
      expect(sent.stdout).toMatch(new RegExp(`^amount +${shown}$`, 'm'));
      const { body } = await call(`${dev().server.baseUrl}/transactions/${HASH_LINE.exec(sent.stdout)?.[1]}`, {
        token: dev().token,
      });
      expect(body.amount).toBe(amount);
    },
    TEST_MS_MAX,
  );

  test.each([
    ['12.34', 'only whole minor units have no currency; otherwise it follows, such as 12.34 DEV.'],
    ['12.34EUR', 'the currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV.'],
    ['12.345DEV', 'DEV has at most 2 digits behind the point, such as 12.34 DEV.'],
    ['-12.34DEV', 'an amount has no sign, such as 12.34 DEV.'],
    ['1e3', 'an amount has no exponent, such as 12.34 DEV.'],
    ['1,234 DEV', 'the comma could be a decimal sign; if it groups digits, write 1,234.00 DEV.'],
    ['1.234,50 DEV', 'digits have one point, and commas only between groups of three, such as 12.34 DEV.'],
    ['007', 'digits begin with no needless zero and stand on both sides of a point, such as 12.34 DEV.'],
    ['0', 'an amount is at least 0.01 DEV.'],
    ['ten', 'an amount is digits and then its currency, such as 12.34 DEV, or whole minor units.'],
  ])(
    'refuses the amount %j with one sentence, also dry, and sends nothing',
    async (typed, sentence) => {
      const path = `${dev().server.baseUrl}/accounts/${developmentAccounts()[9]?.address}`;
      for (const more of [[], ['--dry-run']]) {
        const args = ['send', '--from', 'dev-9', '--to', 'dev-1', `--amount=${typed}`, ...more];
        const { code, stdout, stderr } = await here(args);
        expect({ code, stdout, stderr }).toEqual({
          code: EXIT.usage,
          stdout: '',
          stderr: `--amount ${JSON.stringify(typed)}: ${sentence}\n`,
        });
      }
      expect((await call(path, { token: dev().token })).body.nextNonce).toBe(0);
    },
    TEST_MS_MAX,
  );

  test.each([
    [
      'a reference with a quote',
      ['--amount', '1', '--reference', 'a"b'],
      'expected 1 to 140 printable ASCII characters',
    ],
    ['a day without a time', ['--amount', '1', '--valid-until', '2030-01-01'], 'expected a moment'],
    ['a moment without its offset', ['--amount', '1', '--valid-until', '2030-01-01T00:00:00'], 'expected a moment'],
    [
      'two ends',
      ['--amount', '1', '--valid-until', '2030-01-01T00:00:00Z', '--valid-for', '5m'],
      'cannot be used with',
    ],
  ])(
    'refuses %s before anything is sent',
    async (_, args, words) => {
      const { code, stderr } = await here(['send', '--to', 'dev-1', ...args]);
      expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
    },
    TEST_MS_MAX,
  );

  test(
    'with --json: the hash on standard error before, one document after',
    async () => {
      const result = await here(['send', '--to', 'dev-1', '--amount', '8', '--wait', '--json']);
      const document = documentOf(result);
      expect(result.code).toBe(EXIT.ok);
      expect(document).toMatchObject({
        replayed: false,
        transaction: { status: 'committed', amount: '8', to: developmentAccounts()[1]?.address },
      });
      expect(HASH_LINE.exec(result.stderr)?.[1]).toBe(document.txHash);
      expect(result.stderr).toMatch(/^pays {7}0\.08 DEV to txlt1/m);
    },
    TEST_MS_MAX,
  );

  test(
    'the same payment at the same nonce is told to be known already',
    async () => {
      const args = ['send', '--from', 'dev-4', '--to', 'dev-1', '--amount', '1', '--nonce', '3'];
      expect(documentOf(await here([...args, '--json'])).replayed).toBe(false);
      expect((await here(args)).stdout).toContain('known already: it is paid once');
    },
    TEST_MS_MAX,
  );

  test(
    'with --dry-run tells outcome, hash, bytes to sign and account, and sends nothing',
    async () => {
      const args = ['send', '--from', 'dev-7', '--to', 'dev-1', '--amount', '11', '--dry-run'];
      const { code, stdout } = await here(args);
      const [, hash] = /^hash +([0-9A-F]{64})$/m.exec(stdout) ?? [];
      const from = developmentAccounts()[7]?.address;
      expect(code).toBe(EXIT.ok);
      expect(stdout).toMatch(/^dry run +accepted; nothing was sent$/m);
      expect(stdout).toContain(
        `{"amount":"11","chainId":"txledger-dev-1","from":"${from}","nonce":0,"to":"${developmentAccounts()[1]?.address}"}`,
      );
      expect(stdout).toMatch(/^ {2}available +10,000,000,000,000\.00 DEV, with 0\.00 DEV pending$/m);
      expect((await call(`${dev().server.baseUrl}/transactions/${hash}`, { token: dev().token })).status).toBe(404);

      // The same transfer, sent, is the one that was judged; then it is known.
      expect(documentOf(await here([...args.filter((arg) => arg !== '--dry-run'), '--wait', '--json'])).txHash).toBe(
        hash,
      );
      expect(documentOf(await here([...args, '--nonce', '0', '--json']))).toMatchObject({
        outcome: 'replayed',
        txHash: hash,
        nonce: 0,
        transaction: { status: 'committed' },
        account: { nonce: 1 },
      });
    },
    TEST_MS_MAX,
  );

  test(
    'with --dry-run of what would be refused ends as a refused transfer does, and says why',
    async () => {
      const args = ['send', '--from', 'dev-7', '--to', 'dev-1', '--amount', `1${'0'.repeat(16)}`, '--dry-run'];
      const { code, stderr } = await here(args);
      expect({
        code,
        told: /It would be refused \(422 insufficient_funds\): The sender can spend 9,999,999,999,999\.89 DEV after its pending transfers; the transfer needs 100,000,000,000,000\.00 DEV\./.test(
          stderr,
        ),
      }).toEqual({ code: EXIT.refused, told: true });
      expect(documentOf(await here([...args, '--json'])).error).toMatchObject({
        code: 'insufficient_funds',
        exitCode: EXIT.refused,
        outcome: 'refused',
        problem: { status: 422 },
      });
      for (const wrong of [
        [...args, '--wait'],
        ['send', '--dry-run', '--file', 'x.csv'],
      ])
        expect((await here(wrong)).code).toBe(EXIT.usage);
    },
    TEST_MS_MAX,
  );

  test(
    'signs with a key file, which nobody else may be able to read',
    async () => {
      const keyFile = path.join(dev().folder, 'key.hex');
      await writeFile(keyFile, `${developmentAccounts()[3]?.seed}\n`, { mode: 0o600 });
      const args = ['send', '--key-file', keyFile, '--to', 'dev-1', '--amount', '2', '--json'];
      expect(documentOf(await here(args)).transaction.from).toBe(developmentAccounts()[3]?.address);

      await chmod(keyFile, 0o640);
      const loose = await here(args);
      expect(loose.code).toBe(EXIT.usage);
      expect(documentOf(loose).error.message).toMatch(/mode is 0640, expected 0600/);

      await writeFile(keyFile, developmentAccounts()[3]?.seed.slice(1) as string);
      await chmod(keyFile, 0o600);
      const short = await here(args);
      expect(short.code).toBe(EXIT.usage);
      expect(short.stdout + short.stderr).not.toContain(developmentAccounts()[3]?.seed.slice(1, 20));
    },
    TEST_MS_MAX,
  );

  test(
    'a refusal is one document with code, request and documentation, and exit code 3',
    async () => {
      const result = await here([
        'send',
        '--to',
        'dev-1',
        '--amount',
        '340282366920938463463374607431768211455',
        '--json',
      ]);
      expect(result.code).toBe(EXIT.refused);
      expect(documentOf(result).error).toMatchObject({
        code: 'insufficient_funds',
        status: 422,
        exitCode: EXIT.refused,
        docsUrl: expect.stringContaining('#insufficient_funds'),
      });
    },
    TEST_MS_MAX,
  );
});

describe('an unknown outcome', () => {
  test.each([{ letThrough: true }, { letThrough: false }])(
    'is its own message with the hash and exit code 4, never "failed": %j',
    async (options) => {
      const service = await losing(options);
      try {
        const args = [
          'send',
          '--from',
          options.letThrough ? 'dev-5' : 'dev-6',
          '--to',
          'dev-1',
          '--amount',
          '3',
          '--timeout',
          '2s',
          '--url',
          service.url,
        ];
        const told = await runApart(args, { variables: { ...dev().variables, TXLEDGER_TOKEN: dev().token } });
        const hash = HASH_LINE.exec(told.stdout)?.[1] as string;
        expect(told.code).toBe(EXIT.unknown);
        expect(told.stderr).toContain(`The transfer ${hash} was sent, and no answer says whether it took effect`);
        expect(told.stderr).toContain(`txledger get ${hash} --wait`);
        expect(told.stdout + told.stderr).not.toMatch(/fail|refused/i);
        expect(service.posts()).toBeGreaterThan(1);

        const looked = await here(['get', hash, '--wait', '--timeout', options.letThrough ? '30s' : '1s', '--json']);
        if (options.letThrough) expect(documentOf(looked)).toMatchObject({ txHash: hash, status: 'committed' });
        else
          expect({ code: looked.code, error: documentOf(looked).error.code }).toEqual({
            code: EXIT.unknown,
            error: 'undecided',
          });
      } finally {
        await service.close();
      }
    },
    TEST_MS_MAX,
  );

  test(
    'with --json it is one document',
    async () => {
      const service = await losing({ letThrough: false });
      try {
        const args = [
          'send',
          '--from',
          'dev-7',
          '--to',
          'dev-1',
          '--amount',
          '3',
          '--timeout',
          '1s',
          '--url',
          service.url,
          '--json',
        ];
        const result = await run(args, { variables: { ...dev().variables, TXLEDGER_TOKEN: dev().token } });
        expect(result.code).toBe(EXIT.unknown);
        expect(documentOf(result).error).toMatchObject({
          code: 'unknown_outcome',
          txHash: HASH_LINE.exec(result.stderr)?.[1],
          exitCode: EXIT.unknown,
        });
      } finally {
        await service.close();
      }
    },
    TEST_MS_MAX,
  );

  test(
    'waiting for a block in vain is undecided, with the pending transfer',
    async () => {
      const result = await here([
        'send',
        '--from',
        'dev-8',
        '--to',
        'dev-1',
        '--amount',
        '3',
        '--nonce',
        '9',
        '--wait',
        '--timeout',
        '1s',
        '--json',
      ]);
      expect(result.code).toBe(EXIT.unknown);
      expect(documentOf(result).error).toMatchObject({ code: 'undecided', transaction: { status: 'pending' } });
    },
    TEST_MS_MAX,
  );

  test(
    'Ctrl-C while it waits says that the transfer was accepted',
    async () => {
      const args = [
        'server/cli/run.js',
        'send',
        '--from',
        'dev-8',
        '--to',
        'dev-1',
        '--amount',
        '4',
        '--nonce',
        '12',
        '--wait',
      ];
      const child = spawn(process.execPath, args, {
        cwd: ROOT,
        env: environment(dev().variables),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const closed = once(child, 'close');
      for await (const chunk of child.stdout) {
        stdout += String(chunk);
        if (stdout.includes('accepted')) child.kill('SIGINT');
      }
      const [code] = await closed;
      expect(code).toBe(EXIT.unknown);
      expect(stderr).toContain(
        `Transfer ${HASH_LINE.exec(stdout)?.[1]} was accepted, but waiting for its block ended: Interrupted by SIGINT.`,
      );
    },
    TEST_MS_MAX,
  );
});

describe('progress', () => {
  /** Runs it with a terminal on all three, and copies what it shows to standard output. */
  const PTY = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
  const args = ['send', '--to', 'dev-1', '--amount', '1', '--wait'];

  test(
    'moves on a terminal, and is gone at the end',
    async () => {
      const { code, stdout } = await runProcess(
        'python3',
        ['-c', PTY, process.execPath, 'server/cli/run.js', ...args],
        { variables: dev().variables },
      );
      expect(code).toBe(EXIT.ok);
      const shown = stdout.replaceAll('\r\u001B[K', '<clear>');
      expect(shown).toMatch(/<clear>waiting for a block, [0-9]+ s<clear>/);
      expect(shown).toContain('<clear>committed  height');
      // What is printed meanwhile is never behind or over it.
      for (const line of shown.split(/\r?\n/)) expect(line).not.toMatch(/, [0-9]+ s(?!<clear>)./);
    },
    TEST_MS_MAX,
  );

  test(
    'is gone before an error is told',
    async () => {
      const late = [
        'send',
        '--from',
        'dev-8',
        '--to',
        'dev-1',
        '--amount',
        '3',
        '--nonce',
        '15',
        '--wait',
        '--timeout',
        '1s',
      ];
      const { code, stdout } = await runProcess(
        'python3',
        ['-c', PTY, process.execPath, 'server/cli/run.js', ...late],
        { variables: dev().variables },
      );
      expect(code).toBe(EXIT.unknown);
      expect(stdout.replaceAll('\r\u001B[K', '<clear>')).toMatch(
        /waiting for a block, [0-9]+ s<clear>Transfer [0-9A-F]{64} was accepted|waiting for a block, [0-9]+ s<clear>No block has decided/,
      );
    },
    TEST_MS_MAX,
  );

  test(
    'there is none with --json, even on a terminal',
    async () => {
      const { stdout } = await runProcess(
        'python3',
        ['-c', PTY, process.execPath, 'server/cli/run.js', ...args, '--json'],
        { variables: dev().variables },
      );
      expect(stdout).not.toContain('\u001B');
    },
    TEST_MS_MAX,
  );
});
