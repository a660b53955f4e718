/** `txledger webhook`, in this process, against the HTTP layer: what each command sends, and what it makes of an answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { apiRequest } from '../../server/cli/api-request.ts';
import { CommandError } from '../../server/cli/failure.ts';
import { createProgram } from '../../server/cli/program.ts';
import { TestServer } from '../http/support/server.ts';
import { RECEIVER, SENDER, TOKENS } from '../http/support/stub-gateway.ts';
import { SECRET, WEBHOOK_ID } from '../http/support/webhook-answers.ts';

const server = new TestServer();
const PRINCIPAL = TOKENS['txl_full_secret'];
const before = { ...process.env };
beforeAll(async () => {
  await server.start();
  Object.assign(process.env, {
    TXLEDGER_URL: `http://127.0.0.1:${server.port}`,
    TXLEDGER_TOKEN: 'txl_full_secret',
    DATA_DIR: '/nonexistent',
  });
});
afterAll(async () => {
  process.env = before;
  await server.stop();
});
beforeEach(() => server.gateway.reset());

/** What the command printed: standard output, and standard error for the person. */
async function webhook(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const [out, error] = [jest.spyOn(console, 'log').mockReturnValue(), jest.spyOn(console, 'error').mockReturnValue()];
  const argv = process.argv;
  process.argv = ['node', 'txledger', 'webhook', ...args];
  try {
    await (await createProgram('webhook')).parseAsync(process.argv);
    const text = ({ mock }: typeof out): string => mock.calls.map((line) => `${String(line[0])}\n`).join('');
    return { stdout: text(out), stderr: text(error as typeof out) };
  } finally {
    process.argv = argv;
    out.mockRestore();
    error.mockRestore();
  }
}
const called = () => server.gateway.calls.at(-1);

test('create sends what was named and shows the secret, with --json as one document', async () => {
  const { stdout, stderr } = await webhook(
    'create',
    'https://shop.example/',
    '--type',
    'transaction.committed',
    '--type',
    'transaction.failed',
    '--account',
    SENDER,
    '--account',
    RECEIVER,
    '--submitted-only',
    '--description',
    'x',
  );
  expect(called()).toEqual({
    method: 'createWebhook',
    args: [
      PRINCIPAL,
      {
        url: 'https://shop.example/',
        description: 'x',
        types: ['transaction.committed', 'transaction.failed'],
        accounts: [SENDER, RECEIVER],
        submittedOnly: true,
      },
    ],
  });
  expect(stdout).toContain(`secret  ${SECRET}\n`);
  expect(stderr).toContain('shown this once');
  const json = await webhook('create', 'https://shop.example/', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ id: WEBHOOK_ID, secret: SECRET });
  expect(json.stderr).toBe('');
});

test('list and show say how far it has come and what failed last', async () => {
  expect((await webhook('list')).stdout).toMatch(
    new RegExp(
      `^id +status +url +events +position\n${WEBHOOK_ID}  disabled \\(failing\\)  https://shop.example/hooks/txledger  transaction.committed; submitted by this owner +1209-3\n$`,
    ),
  );
  const { stdout } = await webhook('show', WEBHOOK_ID);
  expect(stdout).toMatch(/^position +1209-3$/m);
  expect(stdout).toMatch(
    /^last failure +2026-11-22T09:30:01.250Z  timeout  The receiver did not answer within 15 seconds\.$/m,
  );
  expect(stdout).not.toContain('whsec_');
});

test.each([
  [['--new-url', 'https://b.example/', '--description', ''], { url: 'https://b.example/', description: '' }],
  [['--any-type', '--any-account', '--any-owner'], { types: [], accounts: [], submittedOnly: false }],
  [['--disable'], { status: 'disabled' }],
  [['--enable', '--from-now'], { status: 'enabled', resumeFrom: 'now' }],
])('update %j sends %j', async (args, patch) => {
  await webhook('update', WEBHOOK_ID, ...args);
  expect(called()).toEqual({ method: 'updateWebhook', args: [PRINCIPAL, WEBHOOK_ID, patch] });
});

test('rotate-secret says until when the one before signs', async () => {
  const { stdout, stderr } = await webhook('rotate-secret', WEBHOOK_ID, '--overlap', '2d');
  expect(called()?.args[2]).toBe(172_800);
  expect([stdout, stderr].join('')).toMatch(/secret {2}whsec_[^]+signs too until 2026-11-22T09:30:01\.250Z/);
  await webhook('rotate-secret', WEBHOOK_ID, '--overlap', '0s');
  expect(called()?.args[2]).toBe(0);
});

test('delete, test, deliveries and replay do what they are called', async () => {
  expect((await webhook('delete', WEBHOOK_ID)).stdout).toContain('is deleted');
  expect(called()?.method).toBe('deleteWebhook');
  expect((await webhook('test', WEBHOOK_ID)).stdout).toContain('test_7h2k9d4f1m6q8s0v3x5z2b4n6p');
  const { stdout } = await webhook('deliveries', WEBHOOK_ID, '--limit', '5', '--cursor', 'AAAA');
  expect(called()?.args).toEqual(['dev', WEBHOOK_ID, { limit: 5, cursor: 'AAAA' }]);
  expect(stdout).toMatch(
    /^time +event +type +kind +attempt +outcome +code +took +error\n.*1209-3 {2}transaction\.committed {2}event +1 {2}failed +503 +41 ms {2}The receiver answered 503\.\nThere are more: --cursor AAAAAAAAAco\n$/,
  );
  expect((await webhook('replay', WEBHOOK_ID, '--after', '1100', '--until', '1200-4')).stdout).toBe(
    'Events behind 1100 up to 1200-4 will be sent again.\n',
  );
});

describe('a request that fails', () => {
  const options = { timeout: 5000 };
  const failure = async (work: Promise<unknown>): Promise<CommandError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CommandError);
    return error as CommandError;
  };

  test('is told by its code, its fields and its page, with the exit code of a refusal', async () => {
    server.gateway.onWebhook = () => ({
      ok: false,
      code: 'webhook_url_refused',
      detail: 'No.',
      errors: [{ pointer: '/url', message: 'It is private.' }],
    });
    const error = await failure(
      apiRequest({ method: 'POST', path: '/webhooks', body: { url: 'https://10.0.0.1/' } }, options),
    );
    expect(error).toMatchObject({
      exit: 'refused',
      facts: { code: 'webhook_url_refused', status: 422, retriable: false },
    });
    expect(error.message).toMatch(
      /^Refused \(422 webhook_url_refused\): No\.\n {2}\/url: It is private\.\nhttp.*\/docs\/errors#webhook_url_refused, request /,
    );
  });

  test('without an answer, or with one of another program, is not taken for a refusal', async () => {
    const gone = await failure(
      apiRequest({ method: 'GET', path: '/webhooks' }, { ...options, url: 'http://127.0.0.1:1' }),
    );
    expect(gone).toMatchObject({ exit: 'unreachable', facts: { code: 'unreachable', retriable: true } });
    const other = await failure(apiRequest({ method: 'GET', path: '/docs' }, options));
    expect(other).toMatchObject({ exit: 'unreachable' });
  });
});
