/** The last requests of a development server, which its explorer shows; and that no other server has them. What else it tells: explorer.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { requestLogMemory } from '../../server/http/index.ts';
import {
  REQUESTS_KEPT,
  PATH_CHARS_MAX,
  RequestLog,
  type LoggedRequest,
} from '../../server/http/explorer/request-log.ts';
import { failingEndlessWaits } from './support/endless-wait.ts';
import { TestServer } from './support/server.ts';
import { TOKEN } from './support/stub-gateway.ts';

const REQUESTS = '/explorer/requests.json';
/** Far above what it takes. */
const LOGGED_MS_MAX = 3_000;
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };

const requests = requestLogMemory();
const server = new TestServer({
  explorer: { development: { token: 'txl_aaaa_bbbb', accounts: [], requests, isPublic: false } },
  corsOrigins: ['https://app.example.org'],
});
const production = new TestServer({ explorer: { development: undefined } });
beforeAll(() => Promise.all([server.start(), production.start()]));
afterAll(() => Promise.all([server.stop(), production.stop()]));

const ask = (path: string, headers: Record<string, string> = OWN_PAGE, of: TestServer = server) =>
  of.ask({ path, headers, token: null, unchecked: true });

/** The entry is made when the answer has left, which its client may see before. */
async function logged(path: string): Promise<LoggedRequest> {
  const log = new RequestLog(requests);
  for (const startMs = performance.now(); performance.now() - startMs < LOGGED_MS_MAX;) {
    const found = log.after(0).find((each) => each.path === path);
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`no request of ${path} was logged`);
}

describe('who is told the last requests', () => {
  test.each([
    ['what came through a proxy', { ...OWN_PAGE, 'X-Forwarded-For': '198.51.100.7' }],
    ['a name that is not of this machine', { ...OWN_PAGE, Host: 'ledger.test' }],
    ['a script of a page', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a link or an address that was typed', { 'Sec-Fetch-Site': 'none' }],
    ['a page of another origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of an origin of CORS_ORIGINS', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example.org' }],
    ['another port of this host', { 'Sec-Fetch-Site': 'same-site' }],
  ])('not %s', async (_, headers: Record<string, string>) => {
    const { status, body } = await ask(REQUESTS, headers);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  test('a production server has none', async () => {
    const { status, body } = await ask(REQUESTS, OWN_PAGE, production);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  test('they are read and never written', async () => {
    const { status, headers } = await server.ask({
      method: 'POST',
      path: REQUESTS,
      body: {},
      headers: OWN_PAGE,
      unchecked: true,
    });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });
});

describe('the last requests', () => {
  test('are told with status, code and size, without query, token and body', async () => {
    const { text } = await server.ask({ path: `/transactions/nothing?token=${TOKEN}`, unchecked: true });
    const request = await logged('/transactions/nothing');
    expect(request).toMatchObject({
      method: 'GET',
      status: 400,
      code: 'invalid_request',
      bytes: Buffer.byteLength(text),
      sequence: expect.any(Number),
    });
    const all = JSON.stringify(new RequestLog(requests).after(0));
    expect(all).not.toContain(TOKEN);
    await ask(`/${TOKEN}`, {});
    await logged('/txl_...');
    expect(JSON.stringify(new RequestLog(requests).after(0))).not.toContain(TOKEN);
  });

  test('leave out what the pages of this service read, and keep what they send', async () => {
    await ask('/chain?own', OWN_PAGE);
    await server.ask({ method: 'POST', path: '/transactions', body: {}, headers: OWN_PAGE, unchecked: true });
    expect(await logged('/transactions')).toMatchObject({ method: 'POST', status: 400 });
    expect(new RequestLog(requests).after(0).map(({ path }) => path)).not.toContain('/chain');
  });

  test('are the ones behind a number, the latest first', async () => {
    await ask('/first', {});
    const { sequence } = await logged('/first');
    await ask('/second', {});
    await logged('/second');
    const { body } = await ask(`${REQUESTS}?after=${sequence}`);
    expect(body.requests.map(({ path }: LoggedRequest) => path)).toEqual(['/second']);
  });
});

describe('the log of requests', () => {
  const AT = '2026-01-01T00:00:00.000Z';
  const entry = {
    atMs: Date.parse(AT),
    method: 'GET',
    status: 200,
    bytes: 10,
    durationMs: 1.5,
    requestId: 'r'.repeat(128),
    code: 'nonce_conflict',
  };

  test('keeps a bounded number, and of each a bounded path', () => {
    const log = new RequestLog(requestLogMemory());
    for (let i = 1; i <= REQUESTS_KEPT + 50; i += 1) log.add({ ...entry, path: `/${i}/${'x'.repeat(10_000)}` });
    const kept = log.after(0);
    expect(kept.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: REQUESTS_KEPT }, (_, i) => REQUESTS_KEPT + 50 - i),
    );
    expect(kept.map(({ path }) => path.length)).toEqual(kept.map(() => PATH_CHARS_MAX));
    const { atMs: _, ...told } = entry;
    expect(kept[0]).toMatchObject({ ...told, at: AT, path: `/${REQUESTS_KEPT + 50}/`.padEnd(PATH_CHARS_MAX, 'x') });
  });

  test('is one for all threads that share its memory', () => {
    const memory = requestLogMemory();
    const [one, other] = [new RequestLog(memory), new RequestLog(memory)];
    one.add({ ...entry, path: '/one' });
    one.flush();
    other.add({ ...entry, path: '/other' });
    other.flush();
    expect(one.after(0).map(({ sequence, path }) => [sequence, path])).toEqual([
      [2, '/other'],
      [1, '/one'],
    ]);
  });

  test('does not hold a thread up for good when another one was terminated while it wrote', () => {
    const memory = requestLogMemory();
    const log = new RequestLog(memory);
    new Int32Array(memory.buffer, 0, 1).fill(1);
    failingEndlessWaits(() => {
      log.add({ ...entry, path: '/never' });
      log.flush();
      expect(log.after(0)).toEqual([]);
    });
  });

  test('is whole for a page that has followed the process before this one', () => {
    const log = new RequestLog(requestLogMemory());
    log.add({ ...entry, path: '/first' });
    expect(log.after(57).map(({ path }) => path)).toEqual(['/first']);
    expect(log.after(1)).toEqual([]);
  });
});
