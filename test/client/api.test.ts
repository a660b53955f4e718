/** Requests are made by openapi-fetch's own client, and each attempt passes its middleware. */
import { expect, jest, test } from '@jest/globals';
import createFetchClient, * as others from 'openapi-fetch';
import { example } from './support/contract.ts';

const made = jest.fn(createFetchClient);
jest.unstable_mockModule('openapi-fetch', () => ({ ...others, default: made }));
const { createClient, deleteWebhook, getChain, getAccount, submitTransaction } =
  await import('../../client/src/index.ts');

const baseUrl = 'http://127.0.0.1/ledger';

interface Sent {
  method: string;
  url: string;
  redirect: string;
  headers: Record<string, string>;
  body: string;
}

function scripted(...answers: Response[]) {
  made.mockClear();
  const sent: Sent[] = [];
  const hooks: unknown[] = [];
  const client = createClient({
    baseUrl: `${baseUrl}/`,
    token: () => `token-${sent.length}`,
    userAgent: 'shop/1.2',
    onRequest: ({ attempts, headers }) => {
      hooks.push(['request', attempts, headers.get('authorization')]);
      headers.set('traceparent', `trace-${attempts}`);
    },
    onResponse: ({ attempts, status }) => void hooks.push(['response', attempts, status]),
    environment: {
      fetch: async (request) => {
        const { method, url, redirect, headers } = request;
        sent.push({ method, url, redirect, headers: Object.fromEntries(headers), body: await request.text() });
        return answers.shift() as Response;
      },
      random: () => 0,
    },
  });
  return { client, sent, hooks };
}

test('one client of openapi-fetch is made for a client, and every attempt passes hooks, then the token', async () => {
  const { client, sent, hooks } = scripted(
    new Response('', { status: 503 }),
    Response.json(example('DevelopmentChain')),
  );
  await getChain(client);
  expect(made.mock.calls).toEqual([[expect.objectContaining({ baseUrl, redirect: 'manual' })]]);
  expect(sent).toMatchObject(
    [1, 2].map((attempt) => ({
      method: 'GET',
      url: `${baseUrl}/chain`,
      redirect: 'manual',
      headers: {
        authorization: `Bearer token-${attempt - 1}`,
        traceparent: `trace-${attempt}`,
        'user-agent': expect.stringMatching(/^shop\/1\.2 transaction-ledger-client\//),
      },
    })),
  );
  expect(hooks).toEqual([
    ['request', 1, null],
    ['response', 1, 503],
    ['request', 2, null],
    ['response', 2, 200],
  ]);
});

test('places in a path are escaped', async () => {
  const address = 'a/ü?#%';
  const { client, sent } = scripted(Response.json({ address }));
  await getAccount(client, { address, height: 7 });
  expect(sent).toMatchObject([{ url: `${baseUrl}/accounts/a%2F%C3%BC%3F%23%25?height=7` }]);
});

test('a body leaves with the bytes that were signed for, however often', async () => {
  const input = example('TransferWithHash');
  const transaction = { ...example('PendingTransaction'), ...input };
  const { client, sent } = scripted(new Response('', { status: 502 }), Response.json(transaction, { status: 202 }));
  await submitTransaction(client, { signed: { txHash: input.txHash, input } as never, waitMs: 3000 });
  const body = JSON.stringify(input);
  const headers = { 'content-type': 'application/json', prefer: 'wait=3' };
  expect(sent).toMatchObject([
    { method: 'POST', body, headers },
    { method: 'POST', body, headers },
  ]);
});

test('none is looked for where there is none', async () => {
  const { client, sent } = scripted(new Response(null, { status: 204 }));
  await expect(deleteWebhook(client, { webhookId: 'wh_1' })).resolves.toBeUndefined();
  expect(sent).toMatchObject([{ method: 'DELETE', url: `${baseUrl}/webhooks/wh_1` }]);
});
