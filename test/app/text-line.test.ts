/** The log for people: what a line says, and that no client can write to the terminal through it. */
import { describe, expect, test } from '@jest/globals';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { showsColours } from '../../server/app/log-format.ts';
import { textLine } from '../../server/app/text-line.ts';

const [dev0, dev1] = developmentAccounts().map(({ address }) => address);
const nowMs = new Date(2026, 10, 22, 9, 5, 7).getTime();
const lineOf = (message: string, fields: object, { level = 'info', hasColours = false } = {}): string =>
  textLine({ level, nowMs, fields, message, hasColours });

describe('the line of a request', () => {
  test('says what was asked, of which payment, and how it ended', () => {
    const fields = {
      method: 'POST',
      path: '/transactions',
      status: 202,
      durationMs: 12.3,
      requestId: 'r-1',
      transfer: { from: dev0, to: dev1, amount: '100' },
    };
    expect(lineOf('request', fields)).toBe('09:05:07 POST /transactions 202 12 ms dev-0 -> dev-1 100\n');
  });

  test('names accounts and shortens hashes in the path, and counts the transfers of a batch', () => {
    expect(
      lineOf('request', { method: 'GET', path: `/accounts/${dev1}/entries?limit=5`, status: 200, durationMs: 0.44 }),
    ).toBe('09:05:07 GET /accounts/dev-1/entries?limit=5 200 0.4 ms\n');
    expect(
      lineOf('request', { method: 'GET', path: `/transactions/${'AB'.repeat(32)}`, status: 200, durationMs: 1 }),
    ).toBe('09:05:07 GET /transactions/ABABABAB.. 200 1.0 ms\n');
    expect(
      lineOf('request', { method: 'POST', path: '/transactions/batch', status: 200, durationMs: 20, transfers: 7 }),
    ).toBe('09:05:07 POST /transactions/batch 200 20 ms 7 transfers\n');
  });

  test('has the code and the sentence of a problem, and the request id where the service failed', () => {
    const fields = {
      method: 'GET',
      path: '/chain',
      durationMs: 3,
      code: 'internal',
      detail: 'The service failed to answer.',
      requestId: 'r-1',
    };
    expect(lineOf('request', { ...fields, status: 500 })).toBe(
      '09:05:07 GET /chain 500 3.0 ms internal: The service failed to answer. (request r-1)\n',
    );
    expect(lineOf('request', { ...fields, status: 404, code: 'not_found' })).toBe(
      '09:05:07 GET /chain 404 3.0 ms not_found: The service failed to answer.\n',
    );
  });

  test('shows nothing of a client that a terminal would act upon, and bounds what it shows', () => {
    const hostile = '\u001b[2J\r\nevil\u202e\u009b\u061c\u00ad\u2060\u2028\ufff9\u{e0041}';
    const line = lineOf('request', {
      method: 'POST',
      path: `/${hostile}${'x'.repeat(500)}`,
      status: 400,
      durationMs: 1,
      code: 'invalid_request',
      detail: hostile.repeat(200),
      transfer: { from: hostile, to: { toString: () => hostile }, amount: hostile.repeat(50) },
    });
    expect(line.slice(0, -1)).toMatch(/^[ -~]*$/);
    expect(line.length).toBeLessThan(900);
  });
});

describe('other lines', () => {
  test('say of a block how many transactions it has and how many failed', () => {
    expect(lineOf('block', { height: 12, transactions: 1, failed: 0 })).toBe('09:05:07 block 12 1 transaction\n');
    expect(lineOf('block', { height: 13, transactions: 3, failed: 2 })).toBe(
      '09:05:07 block 13 3 transactions, 2 failed\n',
    );
  });

  test('have their facts behind the message, and an error its stack below', () => {
    expect(lineOf('ready', { port: 8080, dataDir: '/a b', gone: undefined, tls: { subject: 'x' } })).toBe(
      '09:05:07 ready port=8080 dataDir="/a b" tls={"subject":"x"}\n',
    );
    const error = Object.assign(new Error('planted'), { stack: 'Error: planted\u001b\n    at there' });
    expect(lineOf('the store did not answer', { err: error }, { level: 'error' })).toBe(
      '09:05:07 error: the store did not answer\n  Error: planted \n      at there\n',
    );
    expect(lineOf('block making is held', { reason: 'full' }, { level: 'warn' })).toBe(
      '09:05:07 warning: block making is held reason=full\n',
    );
    expect(
      lineOf('audit', { id: 1, action: 'token.create', subject: 'ab12', actor: 'user:root@vm', details: {} }),
    ).toBe('09:05:07 audit: token.create ab12 by user:root@vm\n');
  });

  test('have colours where a terminal shows them and NO_COLOR is not set', () => {
    expect(
      lineOf('request', { method: 'GET', path: '/chain', status: 200, durationMs: 1 }, { hasColours: true }),
    ).toContain('\u001b[32m200\u001b[0m');
    expect(showsColours({}, true)).toBe(true);
    expect(showsColours({ NO_COLOR: '' }, true)).toBe(true);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(showsColours(env, true)).toBe(false);
    expect(showsColours({}, false)).toBe(false);
  });
});
