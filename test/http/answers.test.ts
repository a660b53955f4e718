/** What every answer has in common, and how refusals and defects are told. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';

import type { Refusal, RefusalCode } from '../../server/gateway/types.ts';
import { Answers } from '../../server/http/answer.ts';
import { readCatalogue } from '../../server/http/contract/catalogue.ts';
import { readOperations } from '../../server/http/contract/operations.ts';
import { Exchange } from '../../server/http/exchange.ts';
import { buildProblem } from '../../server/http/problem/problem.ts';
import { contract, contractFaults } from './support/contract-check.ts';
import { realClock, TestServer } from './support/server.ts';
import { PENDING, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.gateway.reset();
  server.log.length = 0;
});

const catalogue = readCatalogue(contract.document);
const operations = readOperations(contract.document);

describe('headers', () => {
  const asks = [
    {},
    { path: '/nowhere' },
    { path: '/transactions', token: null },
    { path: '/livez' },
    { method: 'POST', path: '/chain' },
    { path: '/docs', unchecked: true },
    { path: '/', unchecked: true },
  ];
  test.each(asks)(
    'of %j: nosniff, a request id, a Cache-Control, no X-Powered-By, no ETag but of what may be kept, no CORS',
    async (ask) => {
      const { headers } = await server.ask(ask);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^test-[0-9a-z]+$/),
      });
      expect(headers['cache-control']).toMatch(ask.path === '/docs' ? /^public, max-age=300$/ : /^no-store$/);
      expect('etag' in headers).toBe(ask.path === '/docs');
      for (const name of ['x-powered-by', 'access-control-allow-origin', 'server', 'ratelimit'])
        expect(headers).not.toHaveProperty(name);
    },
  );

  test('a sane X-Request-Id is echoed in header, problem and log; another is replaced', async () => {
    const answer = await server.ask({ path: '/nowhere', headers: { 'X-Request-Id': 'a-Z0.9_x' } });
    expect(answer.headers['x-request-id']).toBe('a-Z0.9_x');
    expect(answer.body.requestId).toBe('a-Z0.9_x');
    expect(server.log[0]?.fields.requestId).toBe('a-Z0.9_x');
    for (const id of ['', 'a b', 'x'.repeat(129), '<b>', 'a"b', '{"a":1}']) {
      const replaced = (await server.ask({ headers: { 'X-Request-Id': id } })).headers['x-request-id'];
      expect(replaced).toMatch(/^test-[0-9a-z]+$/);
    }
    expect((await server.ask({ headers: { 'X-Request-Id': 'x'.repeat(128) } })).headers['x-request-id']).toBe(
      'x'.repeat(128),
    );
  });

  test('405 names the methods that the path has', async () => {
    expect((await server.ask({ method: 'PUT', path: '/transactions' })).headers.allow).toBe('GET, HEAD, POST');
    expect((await server.ask({ method: 'PUT', path: `/transactions/${TX_HASH}` })).headers.allow).toBe(
      'GET, HEAD, DELETE',
    );
    expect((await server.ask({ method: 'POST', path: '/docs' })).headers.allow).toBe('GET, HEAD');
  });
});

/** Each refusal that the gateway's port describes, with what its code demands. */
const refusal = (code: RefusalCode): Refusal => ({
  ok: false,
  code,
  detail: `Refused as ${code}.`,
  ...(code === 'nonce_conflict' ||
  code === 'idempotency_key_reused' ||
  code === 'already_settled' ||
  code === 'receipt_not_ready' ||
  code === 'not_submitter'
    ? { txHash: TX_HASH }
    : {}),
  ...(code === 'invalid_request' || code === 'invalid_address'
    ? { errors: [{ pointer: '/to', message: 'It is not an address.' }] }
    : {}),
  ...(code.startsWith('nonce_') ? { extra: { nextNonce: 7 } } : {}),
  ...(code === 'invalid_signature' ? { extra: { signBytes: 'txledger-transfer-v1\n{}' } } : {}),
  ...(code === 'tx_hash_mismatch' ? { extra: { expectedTxHash: TX_HASH, actualTxHash: 'B'.repeat(64) } } : {}),
  ...(code === 'already_settled' ? { extra: { status: 'failed' as const } } : {}),
  ...(code === 'pool_full' ? { retryAfterS: 7 } : {}),
});

describe('refusals of the gateway', () => {
  const cases: [
    method: 'onSubmit' | 'onCancel' | 'onReceipt' | 'onList' | 'onAccount' | 'onAccounts' | 'onCheck',
    ask: object,
    codes: RefusalCode[],
  ][] = [
    [
      'onSubmit',
      { method: 'POST', path: '/transactions', body: TRANSFER },
      [
        'invalid_request',
        'invalid_address',
        'invalid_signature',
        'tx_hash_mismatch',
        'nonce_conflict',
        'nonce_too_low',
        'nonce_cancelled',
        'nonce_too_high',
        'idempotency_key_reused',
        'insufficient_funds',
        'too_many_pending',
        'pool_full',
        'not_submitter',
        'store_unavailable',
        'engine_unavailable',
        'shutting_down',
      ],
    ],
    [
      'onCancel',
      { method: 'DELETE', path: `/transactions/${TX_HASH}` },
      ['not_found', 'not_submitter', 'already_settled', 'store_unavailable', 'engine_unavailable', 'shutting_down'],
    ],
    [
      'onReceipt',
      { path: `/transactions/${TX_HASH}/receipt` },
      ['not_found', 'receipt_not_ready', 'store_unavailable', 'engine_unavailable', 'shutting_down'],
    ],
    ['onList', { path: '/transactions' }, ['invalid_request', 'invalid_address', 'store_unavailable', 'shutting_down']],
    [
      'onAccounts',
      { path: `/accounts?address=${SENDER}` },
      ['invalid_request', 'invalid_address', 'store_unavailable', 'engine_unavailable', 'shutting_down'],
    ],
    [
      'onCheck',
      { method: 'POST', path: '/transactions/check', body: TRANSFER },
      ['invalid_request', 'store_unavailable', 'engine_unavailable', 'shutting_down'],
    ],
    [
      'onAccount',
      { path: `/accounts/${SENDER}` },
      ['invalid_address', 'store_unavailable', 'engine_unavailable', 'shutting_down'],
    ],
  ];
  test.each(cases.flatMap(([method, ask, codes]) => codes.map((code) => ({ method, ask, code }))))(
    '$method: $code',
    async ({ method, ask, code }) => {
      server.gateway[method] = async () => refusal(code) as never;
      const answer = await server.ask(ask);
      const entry = catalogue.get(code);
      expect(answer.status).toBe(entry?.status);
      expect(answer.body).toMatchObject({
        code,
        title: entry?.title,
        retriable: entry?.retriable,
        detail: `Refused as ${code}.`,
        type: expect.stringMatching(new RegExp(`^(\\.\\./)*(\\./)?docs/errors#${code}$`)),
      });
      if (code.startsWith('nonce_')) expect(answer.body.nextNonce).toBe(7);
      if (code === 'invalid_signature') expect(answer.body.signBytes).toBe('txledger-transfer-v1\n{}');
      if (code === 'tx_hash_mismatch')
        expect(answer.body).toMatchObject({ expectedTxHash: TX_HASH, actualTxHash: 'B'.repeat(64) });
      if (code === 'already_settled') expect(answer.body.transactionStatus).toBe('failed');
      expect(answer.headers['retry-after']).toBe(
        entry?.status === 503 || entry?.status === 429 ? (code === 'pool_full' ? '7' : '1') : undefined,
      );
      expect(server.log.at(-1)?.fields).toMatchObject({ code, status: entry?.status });
    },
  );

  test('one that the operation does not declare is a defect: 500, logged, and not told', async () => {
    server.gateway.onList = async () => refusal('nonce_too_low');
    const answer = await server.ask({ path: '/transactions' });
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(answer.text).not.toContain('nonce');
    expect(server.log.find((line) => line.level === 'error')?.fields.err).toMatchObject({
      message: expect.stringContaining('does not declare'),
    });
  });
});

describe('defects', () => {
  test('an exception of the gateway is 500 without its text, and the log has it under the request id', async () => {
    server.gateway.onSubmit = async () => {
      throw new Error('secret of the inside');
    };
    const answer = await server.submit(TRANSFER);
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal', retriable: true } });
    expect(answer.text).not.toContain('secret of the inside');
    const line = server.log.find((entry) => entry.level === 'error');
    expect(line?.fields).toMatchObject({ requestId: answer.body.requestId, err: { message: 'secret of the inside' } });
  });

  test('one in authentication, in the list and in health are 500 too, never a hanging request', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('x');
    };
    Object.assign(server.gateway, { onAuthenticate: broken });
    expect((await server.submit(TRANSFER)).status).toBe(500);
    Object.assign(server.gateway, { onReadiness: broken, onChain: broken });
    expect((await server.ask({ path: '/readyz' })).status).toBe(500);
    expect((await server.ask({ path: '/chain' })).status).toBe(500);
    expect((await server.ask({ path: '/', unchecked: true })).text).toContain(
      'The chain cannot be asked at the moment',
    );
  });
});

describe('the catalogue', () => {
  test('every code of the contract makes a document that fits it, wherever it is declared', () => {
    const members: Record<string, Record<string, unknown>> = {
      nonce_conflict: { nextNonce: 1 },
      nonce_too_low: { nextNonce: 1 },
      nonce_cancelled: { nextNonce: 1 },
      nonce_too_high: { nextNonce: 1 },
      invalid_signature: { signBytes: 'x' },
      tx_hash_mismatch: { expectedTxHash: TX_HASH, actualTxHash: TX_HASH },
      already_settled: { transactionStatus: 'committed' },
      place_ahead: { height: 1204 },
    };
    const checks = {
      checks: ['engine', 'block_age', 'store', 'accepting'].map((name) => ({ name, ok: false, detail: 'x' })),
    };
    const always = {
      'x-request-id': 'r',
      'contract-version': '1.0.0',
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
      allow: 'GET',
      'www-authenticate': 'Bearer realm="txledger"',
    };
    let judged = 0;
    for (const [code, entry] of catalogue) {
      const declaring = operations
        .filter((operation) => operation.codes.has(code))
        .map((operation) => `${operation.method} ${operation.path}`);
      for (const operation of declaring.length === 0 ? [undefined] : declaring) {
        const { body, headers } = buildProblem(
          catalogue,
          { requestId: 'r' },
          {
            code: code as never,
            detail: 'What happened.',
            txHash: TX_HASH,
            errors: [{ pointer: '/amount', message: 'It is wrong.' }],
            members:
              operation === 'GET /readyz' && entry.status === 503 && code !== 'server_busy' ? checks : members[code],
          },
        );
        const wire = Object.fromEntries(
          Object.entries({ ...always, ...headers }).map(([name, value]) => [name.toLowerCase(), value]),
        );
        expect({
          code,
          operation,
          faults: contractFaults(operation, entry.status, wire, Buffer.from(JSON.stringify(body))),
        }).toEqual({ code, operation, faults: [] });
        judged += 1;
      }
    }
    expect(judged).toBeGreaterThan(100);
  });

  test('text that quotes a client is cut to the bounds of the contract, without breaking a character', () => {
    const { body } = buildProblem(
      catalogue,
      { requestId: 'r' },
      {
        code: 'invalid_request',
        detail: `A ${'🦊'.repeat(2000)}.`,
        errors: Array.from({ length: 50 }, () => ({
          pointer: `/${'🦊'.repeat(500)}`,
          message: `X${'x'.repeat(5000)}.` as const,
        })),
      },
    );
    const faults = contractFaults(
      'GET /chain',
      400,
      {
        'x-request-id': 'r',
        'contract-version': '1.0.0',
        'cache-control': 'no-store',
        'content-type': 'application/problem+json',
      },
      Buffer.from(JSON.stringify(body)),
    );
    expect(faults).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('\\ud');
  });
});

describe('the log', () => {
  test('has one line a request, with what an operator looks for and nothing that is secret', async () => {
    await server.submit(TRANSFER, { 'X-Request-Id': 'seen' });
    await server.ask({ path: '/transactions/x?a=b' });
    await server.ask({ path: '/no/such/path' });
    expect(
      server.log.map((line) => [
        line.level,
        line.message,
        line.fields.method,
        line.fields.route,
        line.fields.status,
        line.fields.code,
        line.fields.tokenId,
      ]),
    ).toEqual([
      ['info', 'request', 'POST', '/transactions', 202, undefined, 'full'],
      ['info', 'request', 'GET', '/transactions/{txHash}', 400, 'invalid_request', 'full'],
      ['info', 'request', 'GET', 'unmatched', 404, 'not_found', undefined],
    ]);
    expect(server.log[0]?.fields).toMatchObject({ requestId: 'seen', operation: 'submitTransaction', complete: true });
    expect(server.log[0]?.fields.bytesOut).toBeGreaterThan(100);
    expect(server.log[0]?.fields.durationMs).toBeGreaterThanOrEqual(0);
    const text = JSON.stringify(server.log);
    for (const secret of ['txl_full_secret', 'secret', TRANSFER.signature, 'Bearer', '/no/such/path', 'a=b'])
      expect(text).not.toContain(secret);
  });

  test('metrics count by route template, so that no client can make new series', async () => {
    for (const path of ['/a', '/b', '/transactions/x1', '/transactions/x2']) await server.ask({ path });
    await server.ask({ method: 'PROPFIND', path: '/transactions' });
    const { text } = await server.ask({ path: '/metrics' });
    expect(text).toMatch(/route="unmatched",status="404"/);
    expect(text).toMatch(/method="other",route="\/transactions",status="405"/);
    for (const one of ['x1', '"/a"', 'PROPFIND']) expect(text).not.toContain(one);
    expect(text).toMatch(/^http_requests_in_flight 1$/m);
  });
});

describe('answers that break the contract', () => {
  test('a status that the operation does not declare becomes 500, should the types ever be got round', () => {
    const request = new IncomingMessage(new Socket()) as Request;
    const response = new ServerResponse(request) as Response;
    const exchange = new Exchange({ contractVersion: '1.0.0' }, request, response, 'r', 0);
    exchange.operation = operations.find((operation) => operation.id === 'getLiveness');
    const errors: string[] = [];
    const logger = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (fields: object) => errors.push(String((fields as { err: unknown }).err)),
    };
    new Answers(catalogue, logger, false, realClock).reply(exchange, { status: 299, body: { status: 'ok' } });
    expect(response.statusCode).toBe(500);
    expect(errors).toEqual([expect.stringContaining('getLiveness answered 299')]);
  });

  const wrong = async () => ({ ok: true as const, replayed: false, transaction: { ...PENDING, amount: '-5' } });

  test('become 500 in development and in tests, so that none goes unseen', async () => {
    server.gateway.onSubmit = wrong;
    const answer = await server.submit(TRANSFER);
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(server.log.find((line) => line.message === 'an answer does not fit the contract')?.fields).toMatchObject({
      operation: 'submitTransaction',
    });
  });

  test.each([
    ['a member too many', { ...PENDING, secret: 1 }],
    ['a member of the wrong form', { ...PENDING, txHash: TX_HASH.toLowerCase() }],
    ['a pending transaction with a height', { ...PENDING, height: 5 }],
  ])('%s is found', async (name, transaction) => {
    // A record of the gateway cannot carry a surplus member into an answer: the resource is built by name.
    server.gateway.onSubmit = async () => ({ ok: true, replayed: false, transaction });
    expect((await server.submit(TRANSFER)).status).toBe(name === 'a member too many' ? 202 : 500);
  });

  test('a problem off its schema is 500 too, and never a request that hangs', async () => {
    server.gateway.onSubmit = async () => ({
      ok: false,
      code: 'tx_hash_mismatch',
      detail: 'The hash is another.',
      extra: { expectedTxHash: TX_HASH, actualTxHash: 'b'.repeat(64) },
    });
    expect(await server.submit(TRANSFER)).toMatchObject({ status: 500, body: { code: 'internal' } });
  });

  test('a store that cannot be read is 503, whichever operation needed it', async () => {
    const refusal = {
      ok: false as const,
      code: 'store_unavailable' as const,
      detail: 'The store did not answer.' as const,
      retryAfterS: 1,
    };
    server.gateway.onGet = async () => refusal;
    expect(await server.ask({ path: `/transactions/${TX_HASH}` })).toMatchObject({
      status: 503,
      body: { code: 'store_unavailable' },
      headers: { 'retry-after': '1' },
    });
    server.gateway.onAuthenticate = async () => refusal;
    for (const path of ['/transactions', '/rpc/health'])
      expect((await server.ask({ path, unchecked: path.startsWith('/rpc') })).status).toBe(503);
  });

  test('are sent, logged and counted in production', async () => {
    const production = new TestServer({ development: false });
    await production.start();
    production.gateway.onSubmit = wrong;
    const answer = await production.ask({ method: 'POST', path: '/transactions', body: TRANSFER, unchecked: true });
    expect(answer).toMatchObject({ status: 202, body: { amount: '-5' } });
    expect(production.log.find((line) => line.level === 'error')?.message).toBe('an answer does not fit the contract');
    expect((await production.ask({ path: '/metrics' })).text).toMatch(/^http_contract_violations_total 1$/m);
    await production.stop();
  });

  test('are not looked for when the option is off', async () => {
    const plain = new TestServer({ validateResponses: false });
    await plain.start();
    plain.gateway.onSubmit = wrong;
    expect((await plain.ask({ method: 'POST', path: '/transactions', body: TRANSFER, unchecked: true })).status).toBe(
      202,
    );
    await plain.stop();
  });
});
