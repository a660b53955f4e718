/** A token as the password of HTTP Basic authentication (RFC 7617): under /rpc like Bearer, nowhere else. */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';

import { TestServer } from './support/server.ts';
import { TOKEN, TOKENS, TRANSFER } from './support/stub-gateway.ts';

const server = new TestServer();
/** RPC_ACCESS=token. */
const closed = new TestServer({ rpcAccess: 'token' });
const limited = new TestServer({
  rateLimits: { perToken: { requests: 3, windowS: 600 }, perClient: { requests: 100, windowS: 600 } },
});
const servers = [server, closed, limited];
beforeAll(async () => {
  for (const one of servers) await one.start();
});
afterAll(async () => {
  for (const one of servers) await one.stop();
});
beforeEach(() => {
  for (const one of servers) {
    one.gateway.reset();
    one.log.length = 0;
  }
});

const BOTH = 'Bearer realm="txledger", Basic realm="txledger", charset="UTF-8"';
const BOTH_WRONG = 'Bearer realm="txledger", error="invalid_token", Basic realm="txledger", charset="UTF-8"';
const base64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64');
const basic = (credentials: string): string => `Basic ${base64(credentials)}`;
const broadcast = { method: 'POST', path: '/rpc/broadcast_tx_sync', body: { tx: 'AA==' }, token: null };
const TAKEN = { code: 0, data: '', log: '', codespace: '', hash: 'AB'.repeat(32) };
const jsonRpc = {
  method: 'POST',
  path: '/rpc',
  body: { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'AA==' } },
  token: null,
};

describe('the token as a password', () => {
  test.each(['', 'token', 'Ünïcode', 'a b'])('broadcasts with the user name "%s"', async (user) => {
    server.gateway.onRpc = async () => ({ ok: true, json: JSON.stringify(TAKEN) });
    const headers = { Authorization: basic(`${user}:${TOKEN}`) };
    for (const ask of [broadcast, { path: '/rpc/broadcast_tx_sync?tx=0x00', token: null }])
      expect((await server.ask({ ...ask, headers })).status).toBe(200);
    expect((await server.ask({ ...jsonRpc, headers })).body).toEqual({ jsonrpc: '2.0', id: 1, result: TAKEN });
    expect(server.gateway.calls.map(({ args }) => args[0])).toEqual(
      Array.from({ length: 3 }, () => 'broadcast_tx_sync'),
    );
  });

  test('reads where the operator asks for a token', async () => {
    for (const scheme of ['Basic', 'basic', 'BASIC ']) {
      const answer = await closed.ask({
        path: '/rpc/health',
        token: null,
        headers: { Authorization: `${scheme} ${base64(`:${TOKEN}`)}` },
      });
      expect(answer.status).toBe(200);
    }
  });

  test('is looked up as the same token as with Bearer, and charged to it', async () => {
    const asked: string[] = [];
    limited.gateway.onAuthenticate = async (token) => {
      asked.push(token);
      return TOKENS[token];
    };
    const statuses: number[] = [];
    for (const Authorization of [`Bearer ${TOKEN}`, basic(`:${TOKEN}`), basic(`user:${TOKEN}`), basic(`:${TOKEN}`)]) {
      statuses.push((await limited.ask({ path: '/rpc/health', token: null, headers: { Authorization } })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(new Set(asked)).toEqual(new Set([TOKEN]));
  });

  test('needs the scope as with Bearer', async () => {
    const answer = await server.ask({ ...broadcast, headers: { Authorization: basic(':txl_read_secret') } });
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
  });

  test('is never logged', async () => {
    await server.ask({ ...broadcast, headers: { Authorization: basic(`someone:${TOKEN}`) } });
    await server.ask({ ...broadcast, headers: { Authorization: basic('someone:txl_wrong_secret') } });
    const log = JSON.stringify(server.log);
    expect(log).toContain('postRpcBroadcastTxSync');
    for (const secret of ['someone', 'secret', base64(`someone:${TOKEN}`)]) expect(log).not.toContain(secret);
  });
});

describe('a credential that is no token', () => {
  test.each<[string, string]>([
    ['nothing after the scheme', 'Basic'],
    ['bytes that are no base64', 'Basic ???'],
    ['base64 without its padding', `Basic ${base64(`:${TOKEN}`).replace(/=+$/, '')}x`],
    ['base64url', `Basic ${Buffer.from(':??>>').toString('base64url')}`],
    ['two words', `${basic(`:${TOKEN}`)} x`],
    ['no colon', basic(TOKEN)],
    ['the token as the user name', basic(`${TOKEN}:`)],
    ['an empty password', basic(':')],
    ['a colon in the token', basic(`:${TOKEN}:`)],
    ['a space in the token', basic(`: ${TOKEN}`)],
    ['bytes that are not UTF-8', `Basic ${base64(Buffer.from([0x3a, 0xff, 0xfe]))}`],
    ['a NUL', basic(`:${TOKEN}\0`)],
    ['more than a credential may have', basic(`:${'x'.repeat(5000)}`)],
    ['an unknown token', basic(':txl_wrong_secret')],
    ['two schemes in one header', `Bearer ${TOKEN}, ${basic(`:${TOKEN}`)}`],
  ])('is 401: %s', async (_name, authorization) => {
    for (const ask of [broadcast, jsonRpc, { path: '/rpc/health', token: null }]) {
      const answer = await server.ask({ ...ask, headers: { Authorization: authorization } });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, BOTH_WRONG]);
    }
    expect(server.gateway.calls).toEqual([]);
  });

  test('is not looked up when it cannot be one', async () => {
    let asked = 0;
    server.gateway.onAuthenticate = async () => {
      asked += 1;
      return undefined;
    };
    for (const authorization of ['Basic ???', basic('a:b:c'), basic(':'), basic(`:${'x'.repeat(5000)}`)]) {
      expect((await server.ask({ ...broadcast, headers: { Authorization: authorization } })).status).toBe(401);
    }
    expect(asked).toBe(0);
  });

  test('two Authorization headers are refused as everywhere', async () => {
    const answer = await server.ask({
      ...broadcast,
      headers: { Authorization: [`Bearer ${TOKEN}`, basic(`:${TOKEN}`)] as never },
    });
    expect(answer.status).toBe(400);
    expect(server.gateway.calls).toEqual([]);
  });

  test('a 401 without a credential names both schemes', async () => {
    expect((await server.ask(broadcast)).headers['www-authenticate']).toBe(BOTH);
    expect((await closed.ask({ path: '/rpc/health', token: null })).headers['www-authenticate']).toBe(BOTH);
  });
});

test('outside /rpc it is no credential, and the challenge does not name it', async () => {
  const headers = { Authorization: basic(`:${TOKEN}`) };
  for (const ask of [{ path: '/transactions' }, { method: 'POST', path: '/transactions', body: TRANSFER }]) {
    const answer = await server.ask({ ...ask, token: null, headers });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="txledger"']);
  }
  expect(server.gateway.calls).toEqual([]);
});

describe('the websocket', () => {
  const sockets: WebSocket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate();
  });

  function open(authorization: string): WebSocket {
    const socket = new WebSocket(`ws://127.0.0.1:${closed.port}/rpc/websocket`, { headers: { authorization } });
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  }

  test('opens with it and broadcasts', async () => {
    const socket = open(basic(`:${TOKEN}`));
    await once(socket, 'open');
    const answer = once(socket, 'message');
    socket.send(JSON.stringify({ ...jsonRpc.body, id: 7 }));
    expect(JSON.parse(String((await answer)[0]))).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  test('closes when the token is revoked', async () => {
    const socket = open(basic(`:${TOKEN}`));
    await once(socket, 'open');
    closed.gateway.onAuthenticate = async () => undefined;
    const ended = once(socket, 'close');
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'health' }));
    expect((await ended)[0]).toBe(1008);
    expect(closed.gateway.calls).toEqual([]);
  });

  test.each(['Basic ???', basic(':txl_wrong_secret'), basic(':')])('is refused with %s', async (authorization) => {
    const [, response] = (await once(open(authorization), 'unexpected-response')) as [
      unknown,
      { statusCode: number; headers: Record<string, string> },
    ];
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, BOTH_WRONG]);
  });
});
