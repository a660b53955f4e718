import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as client from '../../client/src/index.ts';
import { CHANGE_PROBLEMS } from '../../client/src/errors/change-problems.ts';
import { COMMON_PROBLEMS } from '../../client/src/errors/common-problems.ts';
import { RECEIPT_PROBLEMS } from '../../client/src/errors/receipt-problems.ts';
import { WEBHOOK_PROBLEMS } from '../../client/src/errors/webhook-problems.ts';
import { answered, catalogue, contract, example, problemExample } from './support/contract.ts';
import { ScriptedServer } from './support/scripted-server.ts';
import { testClient } from './support/client.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const signed: client.SignedTransfer = {
  txHash: example('TransferWithHash').txHash.toUpperCase(),
  input: example('TransferWithHash'),
};
const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );

const ALL_PROBLEMS = { ...COMMON_PROBLEMS, ...CHANGE_PROBLEMS, ...RECEIPT_PROBLEMS, ...WEBHOOK_PROBLEMS };

describe('the catalogue of problems', () => {
  test('has one class for every code of the contract, and no other', () => {
    expect(Object.keys(ALL_PROBLEMS).sort()).toEqual(Object.keys(catalogue).sort());
    expect(Object.keys(catalogue).sort()).toEqual([...contract.components.schemas.ProblemCode.enum].sort());
    const exported = Object.entries(client).filter(
      ([, value]) => typeof value === 'function' && value.prototype instanceof client.ProblemError,
    );
    expect(exported.map(([name]) => name).sort()).toEqual(
      Object.values(ALL_PROBLEMS)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each(Object.keys(catalogue))(
    '%s becomes an error of its own class that says where, what and where to read on',
    async (code) => {
      const body = problemExample(code);
      server.script({ status: body.status, body });
      // Endless pauses, so that no code is asked for twice.
      const { client: ledger } = testClient(server.baseUrl, {}, () => Infinity);
      // The classes of some codes are only in the bundles of the action that meets them.
      const [method, path, call] = Object.hasOwn(RECEIPT_PROBLEMS, code)
        ? ([
            'GET',
            `/transactions/${signed.txHash}/receipt`,
            client.getReceipt(ledger, { txHash: signed.txHash }),
          ] as const)
        : Object.hasOwn(WEBHOOK_PROBLEMS, code)
          ? (['POST', '/webhooks', client.createWebhook(ledger, { url: 'https://shop.example/ledger' })] as const)
          : (['POST', '/transactions', client.submitTransaction(ledger, { signed })] as const);
      const error = await caught(call);
      const problem = error instanceof client.UnknownOutcomeError ? error.cause : error;
      const className = Object.entries(ALL_PROBLEMS).find(([key]) => key === code)![1].name;
      expect(problem).toBeInstanceOf((client as any)[className]);
      const { type, errors = [], ...members } = body;
      expect(problem).toMatchObject({
        ...members,
        name: className,
        errors,
        method,
        url: server.baseUrl + path,
        docsUrl: new URL(String(type), `${server.baseUrl}/`).href,
      });
      expect(problem.status).toBe(catalogue[code]!.status);
      expect(problem.retriable).toBe(catalogue[code]!.retriable);
      for (const part of [method, server.baseUrl + path, code, body['detail'], body['requestId'], problem.docsUrl])
        expect(problem.message).toContain(part);
    },
  );

  test('knows, for a bundle that only reads, every code that a reading operation may answer with', () => {
    for (const path of [
      '/chain',
      '/accounts/{address}',
      '/events',
      '/transactions',
      '/transactions/{txHash}',
      '/webhooks',
      '/webhooks/{webhookId}',
    ]) {
      for (const code of answered.get(contract.paths[path].get.operationId)!)
        expect(Object.keys(COMMON_PROBLEMS)).toContain(code);
    }
  });
});

describe('an answer that the contract does not know', () => {
  test.each([
    ["a proxy's page", { status: 404, body: '<html>' }, { status: 404, retriable: false }],
    ["a proxy's JSON", { status: 403, body: { message: 'Forbidden' } }, { status: 403, retriable: false }],
    ['a redirect', { status: 307, body: '', headers: { location: '/elsewhere' } }, { status: 307, retriable: false }],
    ['a success without a body', { status: 200, body: '' }, { status: 200, retriable: false }],
    ['a success that is no JSON', { status: 200, body: 'ok' }, { status: 200, retriable: false }],
    ['a success that is null', { status: 200, body: null }, { status: 200, retriable: false }],
    ['a success about something else', { status: 200, body: {} }, { status: 200, retriable: false }],
  ] as const)('is named as such: %s', async (_, answer, expected) => {
    server.script(answer);
    const { client: ledger, pauses } = testClient(server.baseUrl);
    const error = await caught(client.getChain(ledger));
    expect(error).toBeInstanceOf(client.UnexpectedAnswerError);
    expect(error).toMatchObject({
      ...expected,
      name: 'UnexpectedAnswerError',
      method: 'GET',
      url: `${server.baseUrl}/chain`,
    });
    expect(pauses).toEqual([]);
  });

  test('is asked for again when a proxy says that the service is away', async () => {
    server.script(
      { status: 502, body: '<html>' },
      { status: 504, body: '<html>' },
      { status: 200, body: example('DevelopmentChain') },
    );
    const { client: ledger, pauses } = testClient(server.baseUrl);
    expect((await client.getChain(ledger)).chainId).toBe('txledger-dev-1');
    expect(pauses).toHaveLength(2);
  });

  test('is taken with members, reasons, events and statuses that a newer contract adds', async () => {
    const later = { ...example('CommittedTransactionDetail'), later: { deep: [1] } };
    later.history[0] = { ...later.history[0], event: 'added_later', later: 1 };
    const failed = {
      ...example('FailedTransaction'),
      history: later.history,
      reason: { code: 'added_later', detail: 'Frozen.', later: 1 },
    };
    for (const body of [later, failed, { ...later, status: 'added_later' }]) {
      server.script({ status: 200, body });
      const { client: ledger } = testClient(server.baseUrl);
      expect(await client.getTransaction(ledger, { txHash: body.txHash })).toEqual(body);
    }
  });

  test('carries the problem when its code is one of a newer contract, and goes by what that says', async () => {
    const body = { ...problemExample('pool_full'), code: 'constructor', retriable: false };
    server.script({ status: 503, body });
    const error = await caught(client.getChain(testClient(server.baseUrl).client));
    expect(error).toBeInstanceOf(client.UnexpectedAnswerError);
    expect(error).toMatchObject({ retriable: false, problem: body });
  });

  test('is not read beyond a bound', async () => {
    server.script({ status: 200, body: `{"chainId":"${'x'.repeat(9 * 1024 * 1024)}"}` });
    expect(await caught(client.getChain(testClient(server.baseUrl).client))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
  });

  test('cannot put members of its own into the error', async () => {
    server.script({
      status: 404,
      body: JSON.parse(
        `{"__proto__":{"polluted":true},"toString":"x","name":"x","message":"x",${JSON.stringify(problemExample('not_found')).slice(1)}`,
      ),
    });
    const error = await caught(client.getChain(testClient(server.baseUrl).client));
    expect(error.name).toBe('NotFoundError');
    expect(({} as any).polluted).toBeUndefined();
  });
});

describe('arguments that cannot work', () => {
  const { client: ledger } = testClient('http://127.0.0.1:20000');
  const hash = 'AB'.repeat(32);

  test.each([
    ['a base URL with credentials', () => client.createClient({ baseUrl: 'http://user:secret@127.0.0.1' })],
    ['a base URL with a query', () => client.createClient({ baseUrl: 'http://127.0.0.1/?a=b' })],
    ['a hash that is none', () => client.getTransaction(ledger, { txHash: hash.slice(1) })],
    ['a hash that is a path', () => client.cancelTransaction(ledger, { txHash: '../chain' })],
    [
      'a token with a line feed',
      () => client.getChain(client.createClient({ baseUrl: 'http://127.0.0.1', token: 'secret\n' })),
    ],
    ['a seed that is too short', () => client.signerFromSeed('abcd')],
    ['a key that is too long', () => client.encodeAddress(new Uint8Array(33), 'txlt')],
  ])('are refused before anything is sent: %s', async (_, call) => {
    const error = await caught((async () => call())());
    expect(error).toBeInstanceOf(client.InvalidArgumentError);
    expect(error.message).not.toContain('secret');
  });
});
