/** The client makes its requests itself, for the sake of size: they are the very ones that openapi-fetch's own client makes. */
import { expect, test } from '@jest/globals';
import createFetchClient from 'openapi-fetch';
import type { Paths } from '../../client/src/contract.ts';
import { type Api, createApi } from '../../client/src/http/api.ts';
import { example } from './support/contract.ts';

const baseUrl = 'http://127.0.0.1/ledger';
const txHash = 'AB'.repeat(32);
const header = { Prefer: 'wait=3' };
const input = example('TransferWithHash');
type Send = (
  api: Api,
  init: { fetch: (request: Request) => Promise<Response> },
) => Promise<{ data?: unknown; response: Response }>;

async function exchange(api: Api, send: Send): Promise<object> {
  const requests: object[] = [];
  const { data, response } = await send(api, {
    fetch: async (request) => {
      const { method, url, redirect } = request;
      requests.push({ method, url, redirect, headers: [...request.headers], body: await request.text() });
      return new Response('{"answer":1}', { status: 202, headers: { 'x-request-id': 'r-1' } });
    },
  });
  return { requests, data, status: response.status, headers: [...response.headers] };
}

test.each<[string, Send]>([
  ['without parameters', (api, init) => api.GET('/chain', init)],
  ['with one in the path', (api, init) => api.GET('/transactions/{txHash}', { ...init, params: { path: { txHash } } })],
  [
    'with one in the path that has to be escaped',
    (api, init) => api.GET('/accounts/{address}', { ...init, params: { path: { address: 'a/ü?#%' } } }),
  ],
  [
    'with a query',
    (api, init) =>
      api.GET('/transactions', { ...init, params: { query: { limit: 7, status: 'committed', account: 'a&b=ü c' } } }),
  ],
  [
    'with a parameter that is a list',
    (api, init) => api.GET('/accounts', { ...init, params: { query: { address: ['a', 'b c', 'd&e'] } } }),
  ],
  ['with a body', (api, init) => api.POST('/transactions', { ...init, body: input })],
  [
    'with a header and the bytes of a body',
    (api, init) =>
      api.POST('/transactions', { ...init, params: { header }, body: input, bodySerializer: () => '{"a": 1}' }),
  ],
  [
    'of a cancel',
    (api, init) => api.DELETE('/transactions/{txHash}', { ...init, params: { path: { txHash }, header } }),
  ],
  [
    'with a header of its own',
    (api, init) =>
      api.GET('/events', { ...init, headers: { Accept: 'text/event-stream' }, params: { query: { after: '1204-3' } } }),
  ],
  [
    'of a change',
    (api, init) =>
      api.PATCH('/webhooks/{webhookId}', {
        ...init,
        params: { path: { webhookId: 'wh_1' } },
        body: { status: 'enabled' },
      }),
  ],
])('a request %s is as openapi-fetch makes it', async (_, send) => {
  const own = await exchange(createApi(baseUrl), send);
  expect(own).toEqual(await exchange(createFetchClient<Paths>({ baseUrl, redirect: 'manual' }), send));
  expect(own).toMatchObject({ data: { answer: 1 }, status: 202 });
});

test('a body is handed on as it arrives where that is asked for, and none is looked for where there is none', async () => {
  const api = createApi(baseUrl);
  const stream = await api.GET('/events', { parseAs: 'stream', fetch: async () => new Response('data: 1') });
  expect(await new Response(stream.data as ReadableStream).text()).toBe('data: 1');
  const removed = await api.DELETE('/webhooks/{webhookId}', {
    params: { path: { webhookId: 'wh_1' } },
    fetch: async () => new Response(null, { status: 204 }),
  });
  expect(removed.data).toEqual({});
});
