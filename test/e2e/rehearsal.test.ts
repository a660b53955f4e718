/** Development shows a client what production does when a quota is used up, once it is told a quota. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, freePort, READY_MS_MAX, Server } from './support/server.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'txledger-rehearsal-'));
let server: Server;
let token = '';

beforeAll(async () => {
  server = new Server({ dataDir, port: await freePort(), variables: { TXLEDGER_RATE_PER_TOKEN_PER_S: '1' } });
  await server.start();
  ({ token } = await server.development());
}, READY_MS_MAX);

afterAll(async () => {
  await server.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test('a development chain with a quota answers 429, and the same request succeeds after Retry-After', async () => {
  const ask = () => call(`${server.baseUrl}/transactions`, { token });
  let answer = await ask();
  for (let asked = 1; answer.status === 200 && asked < 10; asked++) answer = await ask();
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited', retriable: true } });
  expect(answer.headers.get('ratelimit-policy')).toBe('"token";q=2;w=2, "client";q=4000;w=2');
  const retryAfterS = Number(answer.headers.get('retry-after'));
  expect(retryAfterS).toBeGreaterThanOrEqual(1);
  await sleep(retryAfterS * 1000);
  expect((await ask()).status).toBe(200);
});
