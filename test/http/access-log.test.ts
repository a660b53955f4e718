/** What the log holds of a request and of each broadcast: caller, address, transaction and trace; and what it never holds. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { WebSocket } from 'ws';

import { REFUSAL_LINES_PER_MINUTE_MAX, REFUSAL_SAMPLE, RefusalLog } from '../../server/http/refusal-log.ts';
import { traceparentOf } from '../../server/http/traceparent.ts';
import { TestServer } from './support/server.ts';
import { TOKEN, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const RAW = Buffer.from('a raw transaction');
const RAW_HASH = hash('sha256', RAW, 'hex').toUpperCase();
const BASE64 = RAW.toString('base64');

const server = new TestServer();
const proxied = new TestServer({ trustedProxies: ['127.0.0.1'] });
beforeAll(() => Promise.all([server.start(), proxied.start()]));
afterAll(() => Promise.all([server.stop(), proxied.stop()]));
beforeEach(() => {
  server.gateway.reset();
  server.log.length = 0;
});

/** A request's line is written when its answer has left, which its client may see before. */
async function line(message: string, of: TestServer = server): Promise<Record<string, any>> {
  for (;;) {
    const found = of.log.find((each) => each.message === message);
    if (found !== undefined) return found.fields;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function lineOf(ask: Parameters<TestServer['ask']>[0]): Promise<Record<string, any>> {
  server.log.length = 0;
  await server.ask(ask);
  return await line('request');
}

describe('requests that are refused without a known caller', () => {
  const left = 40;
  const flood = REFUSAL_LINES_PER_MINUTE_MAX + left;

  test('have a bounded number of lines and a count of the others; callers that are known and faults of the service have all of theirs', async () => {
    const flooded = new TestServer();
    await flooded.start();
    const lines = (message = 'request') => flooded.log.filter((each) => each.message === message);
    const askTimes = async (times: number, ask: Parameters<TestServer['ask']>[0]): Promise<void> => {
      for (let done = 0; done < times; done += 20)
        await Promise.all(Array.from({ length: Math.min(20, times - done) }, () => flooded.ask(ask)));
    };
    try {
      await askTimes(flood, { path: '/nowhere', token: null });
      await askTimes(left, { path: '/transactions/x' });
      flooded.gateway.onReadiness = () => Promise.reject(new Error('a defect'));
      await askTimes(left, { path: '/readyz', token: null });
      while (lines().length < REFUSAL_LINES_PER_MINUTE_MAX + 2 * left)
        await new Promise((resolve) => setImmediate(resolve));
      expect(lines().filter(({ fields }) => fields['status'] === 404)).toHaveLength(REFUSAL_LINES_PER_MINUTE_MAX);
      expect(lines().filter(({ fields }) => fields['tokenId'] === 'full')).toHaveLength(left);
      expect(lines().filter(({ level }) => level === 'warn')).toHaveLength(left);
      // Neither have broadcasts that are refused in one request, or one websocket.
      const call = { jsonrpc: '2.0', method: 'broadcast_tx_sync', params: { tx: BASE64 } };
      const batch = {
        method: 'POST',
        path: '/rpc',
        token: null,
        body: Array.from({ length: 10 }, (_, id) => ({ ...call, id })),
      };
      await flooded.ask(batch);
      expect(lines('broadcast')).toEqual([]);
    } finally {
      await flooded.stop();
    }
    expect(flooded.log.at(-1)).toMatchObject({
      level: 'warn',
      fields: { leftOut: left + 10, refused: flood + 10, byCode: { not_found: left, insufficient_scope: 10 } },
    });
  });

  test('are sampled after that, and every minute begins anew', () => {
    let written = 0;
    const told: object[] = [];
    let endMinute = (): void => undefined;
    const refusals = new RefusalLog(
      { info: () => void (written += 1), warn: (fields) => void told.push(fields) },
      {
        setTimer: (fn) => {
          endMinute = fn;
          return { cancel: () => undefined };
        },
      },
    );
    const many = 20 * REFUSAL_SAMPLE;
    for (let minute = 1; minute <= 2; minute++) {
      for (let i = 0; i < REFUSAL_LINES_PER_MINUTE_MAX + many; i++) refusals.info({ code: 'not_found' }, 'request');
      expect(written).toBe(minute * (REFUSAL_LINES_PER_MINUTE_MAX + 20));
      endMinute();
      expect(told).toHaveLength(minute);
      expect(told.at(-1)).toMatchObject({ leftOut: many - 20, byCode: { not_found: many - 20 } });
    }
    refusals.info({ code: 'not_found' }, 'request');
    endMinute();
    expect(told).toHaveLength(2);
  });
});

test('a log for people says what was asked, of which payment and why it was refused, without the token that a path may hold', async () => {
  const people = new TestServer({ logsForPeople: true });
  await people.start();
  try {
    await people.ask({ method: 'POST', path: '/transactions', body: TRANSFER });
    const { from, to, amount } = TRANSFER;
    expect(await line('request', people)).toMatchObject({
      method: 'POST',
      path: '/transactions',
      status: 202,
      transfer: { from, to, amount },
    });
    people.log.length = 0;
    await people.ask({ path: '/nowhere/txl_abc_secret' });
    expect(await line('request', people)).toMatchObject({
      path: '/nowhere/txl_...',
      status: 404,
      code: 'not_found',
      detail: expect.stringContaining('does not exist'),
    });
  } finally {
    await people.stop();
  }
});

describe('the line of a request', () => {
  test('names client, owner, transaction and trace of a submission', async () => {
    const fields = await lineOf({
      method: 'POST',
      path: '/transactions',
      body: TRANSFER,
      headers: { traceparent: TRACE },
    });
    expect(fields).toMatchObject({
      client: '127.0.0.1',
      owner: 'dev',
      tokenId: 'full',
      txHash: TX_HASH,
      traceparent: TRACE,
      status: 202,
    });
  });

  test('has the client that a trusted proxy names, and believes no other', async () => {
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect((await lineOf({ path: '/livez', ...forwarded })).client).toBe('127.0.0.1');
    await proxied.ask({ path: '/livez', ...forwarded });
    expect((await line('request', proxied)).client).toBe('203.0.113.9');
  });

  test('still has the client when it went away unanswered', async () => {
    server.gateway.onAccount = () => new Promise(() => {});
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `GET /accounts/${TRANSFER.from} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    while (server.gateway.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
    expect(await line('request')).toMatchObject({ status: 499, client: '127.0.0.1', owner: 'dev' });
  });

  test('has the transaction wherever a request is about one, refused or not', async () => {
    const lower = TX_HASH.toLowerCase();
    server.gateway.onSubmit = async () => ({
      ok: false,
      code: 'nonce_conflict',
      detail: 'It is taken.',
      txHash: 'AB'.repeat(32),
    });
    for (const [ask, expected] of [
      [{ path: `/transactions/${lower}` }, TX_HASH],
      [{ path: `/transactions/${lower}`, token: null }, TX_HASH],
      [{ path: `/transactions/${lower}`, token: 'txl_write_secret' }, TX_HASH],
      [{ method: 'DELETE', path: `/transactions/${lower}` }, TX_HASH],
      [{ method: 'POST', path: '/transactions', body: TRANSFER }, 'AB'.repeat(32)],
      [{ path: `/rpc/tx?hash=0x${lower}`, token: null, unchecked: true }, TX_HASH],
      [{ path: `/rpc/broadcast_tx_sync?tx=0x${RAW.toString('hex')}`, unchecked: true }, RAW_HASH],
      [{ path: '/transactions' }, undefined],
      [{ path: '/transactions/not-a-hash' }, undefined],
      [{ path: `/transactions/${'%0a'.repeat(64)}`, token: null }, undefined],
      [{ path: '/chain' }, undefined],
    ] as const) {
      expect([ask.path, (await lineOf(ask)).txHash]).toEqual([ask.path, expected]);
    }
  });

  test('holds no token, signature or body', async () => {
    await server.ask({ method: 'POST', path: '/transactions', body: TRANSFER });
    server.gateway.onRpc = async () => ({
      ok: true,
      json: JSON.stringify({ code: 0, data: '', log: '', codespace: '', hash: RAW_HASH }),
    });
    await server.ask({ path: `/rpc/broadcast_tx_sync?tx=0x${RAW.toString('hex')}` });
    while (server.log.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const text = JSON.stringify(server.log);
    for (const secret of [TOKEN, TRANSFER.signature, RAW.toString('hex'), BASE64]) expect(text).not.toContain(secret);
  });
});

describe('a traceparent', () => {
  test('is copied when it is valid, and no more of it than is known', () => {
    expect(traceparentOf(TRACE)).toBe(TRACE);
    expect(traceparentOf(`cc${TRACE.slice(2)}-more-of-a-later-version`)).toBe(`cc${TRACE.slice(2)}`);
  });

  test.each([
    ['of another length', `${TRACE}0`],
    ['version 00 with more', `${TRACE}-00`],
    ['version ff', `ff${TRACE.slice(2)}`],
    ['upper case', TRACE.toUpperCase()],
    ['no trace', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['no parent', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`],
    ['two of them', `${TRACE}, ${TRACE}`],
    ['a line break', `${TRACE}\n`],
    ['nothing', ''],
  ])('%s is not', (_what, header) => {
    expect(traceparentOf(header)).toBeUndefined();
  });

  test('is never anything but hex and dashes, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => TRACE + text),
          fc.string().map((text) => text + TRACE),
        ),
        (text) => {
          const copied = traceparentOf(text);
          expect(copied === undefined || /^[0-9a-f-]{55}$/.test(copied)).toBe(true);
        },
      ),
    );
  });
});

describe('a broadcast', () => {
  const call = (id: number, method = 'broadcast_tx_sync') => ({ jsonrpc: '2.0', id, method, params: { tx: BASE64 } });
  const broadcasts = () => server.log.filter(({ message }) => message === 'broadcast').map(({ fields }) => fields);

  test('has a line for each entry of a JSON-RPC batch', async () => {
    server.gateway.onRpc = async () => ({ ok: true, json: '{"code":0,"data":"","log":"","codespace":"","hash":"AB"}' });
    const batch = [call(1), { jsonrpc: '2.0', id: 2, method: 'health' }, call(3, 'broadcast_tx_async')];
    await server.ask({
      method: 'POST',
      path: '/rpc',
      body: JSON.stringify(batch),
      headers: { 'X-Request-Id': 'mine', traceparent: TRACE },
    });
    const common = {
      requestId: 'mine',
      client: '127.0.0.1',
      route: '/rpc',
      tokenId: 'full',
      owner: 'dev',
      txHash: RAW_HASH,
      traceparent: TRACE,
      checkCode: 0,
      durationMs: expect.any(Number),
    };
    expect(broadcasts()).toEqual([
      { ...common, method: 'broadcast_tx_sync' },
      { ...common, method: 'broadcast_tx_async' },
    ]);
    expect(JSON.stringify(server.log)).not.toContain(BASE64);
  });

  test('says what became of it: refused by the mempool, by a binding, for want of a scope, for want of an engine', async () => {
    server.gateway.onRpc = async () => ({ ok: true, json: '{"check_tx":{"code":21},"tx_result":{"code":0}}' });
    await server.ask({ method: 'POST', path: '/rpc', body: call(1, 'broadcast_tx_commit') });
    server.gateway.onRpc = async () => ({ ok: false, code: 'not_submitter', detail: 'It is bound.' });
    await server.ask({ method: 'POST', path: '/rpc', body: call(1) });
    await server.ask({ method: 'POST', path: '/rpc', body: call(1), token: null });
    server.gateway.onRpc = async () => ({
      ok: false,
      status: 503,
      error: { code: -32603, message: 'Internal error', data: 'later' },
    });
    await server.ask({ method: 'POST', path: '/rpc', body: call(1) });
    expect(broadcasts().map(({ checkCode, code, rpcError }) => ({ checkCode, code, rpcError }))).toEqual([
      { checkCode: 21 },
      { code: 'not_submitter' },
      { code: 'insufficient_scope' },
      { rpcError: -32603 },
    ]);
  });

  test('has a line for each message of a websocket', async () => {
    server.gateway.onRpc = async () => ({ ok: true, json: '{"code":0}' });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc/websocket`, {
      headers: { authorization: `Bearer ${TOKEN}`, 'X-Request-Id': 'ws', traceparent: TRACE },
    });
    await once(socket, 'open');
    for (const id of [1, 2]) {
      const answered = once(socket, 'message');
      socket.send(JSON.stringify(call(id)));
      await answered;
    }
    socket.terminate();
    const common = {
      requestId: 'ws',
      client: '127.0.0.1',
      route: '/rpc/websocket',
      tokenId: 'full',
      owner: 'dev',
      txHash: RAW_HASH,
      traceparent: TRACE,
      checkCode: 0,
    };
    expect(broadcasts()).toMatchObject([common, common]);
    expect(await line('websocket opened')).toMatchObject({ client: '127.0.0.1', owner: 'dev', traceparent: TRACE });
  });
});

describe('a transfer from an address that is bound to another owner', () => {
  const detail = 'The sender address is bound to another owner, who alone may submit for it.';
  beforeEach(() => {
    server.gateway.onRpc = async () => ({ ok: false, code: 'not_submitter', detail, txHash: RAW_HASH });
  });

  test.each(['broadcast_tx_sync', 'broadcast_tx_async', 'broadcast_tx_commit'])(
    'is 403 not_submitter over GET and POST: %s',
    async (method) => {
      for (const ask of [
        { path: `/rpc/${method}?tx=0x00` },
        { method: 'POST', path: `/rpc/${method}`, body: { tx: 'AA==' } },
      ]) {
        const { status, headers, body } = await server.ask(ask);
        expect([status, headers['content-type'], body.code, body.txHash]).toEqual([
          403,
          'application/problem+json',
          'not_submitter',
          RAW_HASH,
        ]);
      }
    },
  );

  test('is error -32001 of its entry over JSON-RPC and the websocket, the others answered', async () => {
    const refused = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Unauthorized', data: detail } };
    const call = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'AA==' } };
    expect(
      (
        await server.ask({
          method: 'POST',
          path: '/rpc',
          body: JSON.stringify([call, { jsonrpc: '2.0', id: 2, method: 'nope' }]),
        })
      ).body,
    ).toMatchObject([refused, { id: 2 }]);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc/websocket`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await once(socket, 'open');
    const answer = once(socket, 'message');
    socket.send(JSON.stringify(call));
    expect(JSON.parse(String((await answer)[0]))).toEqual(refused);
    socket.terminate();
  });
});
