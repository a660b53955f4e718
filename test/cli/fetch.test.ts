import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { fetchByHttp } from '../../server/cli/fetch.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('sends method, headers and body, and hands on status, headers and body', async () => {
  let asked: IncomingMessage | undefined;
  const url = await serve((request, response) => {
    asked = request;
    response.writeHead(422, { 'X-Request-Id': 'r-1' });
    request.pipe(response);
  });
  const answer = await fetchByHttp(
    new Request(url, { method: 'POST', headers: { Authorization: 'Bearer t' }, body: 'é' }),
  );
  expect([asked?.method, asked?.headers.authorization, asked?.headers['content-length']]).toEqual([
    'POST',
    'Bearer t',
    '2',
  ]);
  expect([answer.status, answer.headers.get('x-request-id'), await answer.text()]).toEqual([422, 'r-1', 'é']);
});

test('follows no redirect: the token goes where it was meant to go', async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.writeHead(302, { Location: '/elsewhere' }).end();
  });
  const answer = await fetchByHttp(new Request(url));
  await answer.text();
  expect([answer.status, requests]).toEqual([302, 1]);
});

test('an answer without a body', async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  const answer = await fetchByHttp(new Request(url, { method: 'DELETE' }));
  expect([answer.status, answer.body]).toEqual([204, null]);
});

test('hands on a stream as it arrives, and closes it when its reader or its signal ends', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    response.write('first');
    request.on('close', resolve);
  });
  const ended = new AbortController();
  const reader = (await fetchByHttp(new Request(url, { signal: ended.signal }))).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array)).toBe('first');
  const rest = reader?.read();
  ended.abort();
  await expect(rest).rejects.toThrow(/abort/i);
  await closed;
});

test('rejects when the connection ends before the answer does', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': '10' });
    response.write('half', () => response.destroy());
  });
  await expect(fetchByHttp(new Request(url)).then((answer) => answer.text())).rejects.toThrow(/./);
  await expect(fetchByHttp(new Request('http://127.0.0.1:1/'))).rejects.toThrow('ECONNREFUSED');
});
