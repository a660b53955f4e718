/** docs/PARTNERS.md against the contract and the bounds of the service: what a partner reads is what the service does. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { PENDING_MAX_DEFAULT, PENDING_PER_OWNER_MAX_DEFAULT } from '../../server/gateway/limits.ts';
import {
  BODY_BYTES_MAX,
  CANCEL_WAIT_S_DEFAULT,
  HEADER_BYTES_MAX,
  REQUEST_MS_MAX,
  WAIT_S_MAX,
} from '../../server/http/limits.ts';
import { readConfig } from '../../server/app/config.ts';
import { NONCE_WINDOW } from '../../server/ledger/index.ts';
import { codes, documentText, table } from './support/tables.ts';

const PAGE = 'docs/PARTNERS.md';
const { schemas } = JSON.parse(documentText('generated/openapi.json')).components;
const vectors = JSON.parse(documentText('spec/vectors/signing-vectors.json'));
const run = promisify(execFile);

describe('the errors', () => {
  test('are those of the contract, each with its status, cause and resolution: none without an entry, no entry without a code', () => {
    const catalogue: Record<string, { status: number; retriable: boolean; cause: string; resolution: string }> =
      schemas.ProblemCode['x-problems'];
    const expected = Object.entries(catalogue).map(([code, { status, retriable, cause, resolution }]) => [
      `\`${code}\``,
      String(status),
      retriable ? 'yes' : 'no',
      cause,
      resolution,
    ]);
    expect(table(PAGE, '| Code | Status | Again | Cause | What to do |')).toEqual(expected);
  });
});

describe('the statuses and their reasons', () => {
  test('are those of the contract', () => {
    expect(table(PAGE, '| Status | Means |').flatMap(([status]) => codes(status))).toEqual(
      schemas.TransactionStatus['x-extensible-enum'],
    );
  });

  test('name the status that each reason goes with', () => {
    const rows = table(PAGE, '| `reason.code` | With | Means | Do |').map(([code, status]) => [
      codes(code)[0],
      codes(status)[0],
    ]);
    const pending: string[] = schemas.PendingReasonCode['x-extensible-enum'];
    const failed: string[] = schemas.FailureReasonCode['x-extensible-enum'];
    expect(rows).toEqual([...pending.map((code) => [code, 'pending']), ...failed.map((code) => [code, 'failed'])]);
  });
});

describe('the limits', () => {
  const rows = new Map(
    table(PAGE, '| What | Limit | Beyond it |').map(([what = '', limit = '', beyond = '']) => [
      what,
      { limit, beyond },
    ]),
  );
  const number = (value: number): string => value.toLocaleString('en-US');
  const config = readConfig(
    { GENESIS_FILE: 'g', VALIDATOR_KEY_FILE: 'v', OPERATOR_KEY_FILE: 'o' },
    { mode: 'production', cwd: '/' },
  );
  if (!config.ok || config.config.rateLimits === undefined)
    throw new Error('the defaults of production are no configuration');
  const { perTokenPerS, perIpPerS } = config.config.rateLimits;

  test.each([
    ['Body', `${BODY_BYTES_MAX / 1024} KiB,`],
    ['Headers', `${HEADER_BYTES_MAX / 1024} KiB`],
    ['Time to send a request', `${REQUEST_MS_MAX / 1000} s`],
    ['Nonces ahead', number(NONCE_WINDOW - 1)],
    ['`Prefer: wait`', `${WAIT_S_MAX} s`],
    ['Page', `${number(schemas.PageLimit.maximum)} transfers`],
    ['Requests', `${number(perTokenPerS)} a second and token, ${number(perIpPerS)} a second and address`],
    [
      'Pending transfers',
      `${number(PENDING_PER_OWNER_MAX_DEFAULT)} an owner, ${number(PENDING_MAX_DEFAULT)} altogether`,
    ],
  ])('tell the bound of %s', (what, limit) => {
    expect(rows.get(what)?.limit.slice(0, limit.length)).toBe(limit);
  });

  test('name only codes that there are', () => {
    const named = [...rows.values()].flatMap(({ beyond }) => codes(beyond));
    expect(named.filter((code) => !schemas.ProblemCode['x-extensible-enum'].includes(code))).toEqual([]);
  });

  test('of the text are those of the service too', () => {
    const text = documentText(PAGE);
    expect(text).toContain(`The answer waits up to ${CANCEL_WAIT_S_DEFAULT} s`);
    expect(text).toContain(
      `\`limit\` at most ${number(schemas.PageLimit.maximum)} (${schemas.PageLimit.default} unless you say so)`,
    );
  });
});

describe('the examples', () => {
  test.each([
    'python3 docs/examples/sign.py',
    'bash docs/examples/sign.sh',
    `${process.execPath} docs/examples/sign.mjs`,
  ])('%s signs as the published vectors do', async (command) => {
    const [program = '', file = ''] = command.split(' ');
    expect(vectors.length).toBeGreaterThan(2);
    for (const { seed, chainId, request, txHash } of vectors) {
      const { from, to, amount, nonce, reference = '', validUntil = '' } = request;
      const args = [file, chainId, from, to, amount, String(nonce), reference, String(validUntil)];
      const { stdout } = await run(program, args, { cwd: ROOT, env: { ...process.env, LEDGER_SEED: seed } });
      expect(JSON.parse(stdout)).toEqual({ ...request, txHash });
    }
  });

  test('docs/examples/new_account.py makes the addresses of the published vectors', async () => {
    for (const { seed, request } of vectors) {
      const { stdout } = await run('python3', ['docs/examples/new_account.py', request.from.split('1')[0], seed], {
        cwd: ROOT,
      });
      expect(stdout).toBe(`${seed} ${request.from}\n`);
    }
  });
});
