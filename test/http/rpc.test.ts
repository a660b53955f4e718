import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { WS_SUBSCRIPTIONS_PER_CONNECTION_MAX } from '../../server/http/limits.ts';
import { readGolden } from './support/golden.ts';
import { ScriptedChain } from './support/scripted-chain.ts';
import type { ScriptedEvent } from './support/scripted-chain.ts';
import { TestServer } from './support/server.ts';
import { TOKEN } from './support/stub-gateway.ts';

/** The doors of the chain's RPC: who may pass, how arguments are read, and what is said when something is wrong. */

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.gateway.reset();
  server.log.length = 0;
});

const call = (body: unknown, token: string | null = null) =>
  server.ask({ method: 'POST', path: '/rpc', token, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('RPC_ACCESS=reads: broadcasting needs a token with rpc:broadcast, reading none', () => {
  test('by GET and POST', async () => {
    for (const ask of [
      { path: '/rpc/broadcast_tx_sync?tx=0x00' },
      { method: 'POST', path: '/rpc/broadcast_tx_sync', body: { tx: 'AA==' } },
    ]) {
      expect((await server.ask({ ...ask, token: null })).status).toBe(401);
      const poor = await server.ask({ ...ask, token: 'txl_read_secret' });
      expect([poor.status, poor.body.code]).toEqual([403, 'insufficient_scope']);
      expect(server.gateway.calls).toEqual([]);
    }
  });

  test('by JSON-RPC as error -32001 of the entry, the others answered', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'health' },
      { jsonrpc: '2.0', id: 2, method: 'broadcast_tx_sync', params: { tx: 'AA==' } },
    ];
    const { status, body } = await call(batch);
    expect(status).toBe(200);
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      {
        jsonrpc: '2.0',
        id: 2,
        error: {
          code: -32001,
          message: 'Unauthorized',
          data: 'broadcasting needs a token with the scope rpc:broadcast',
        },
      },
    ]);
    expect(server.gateway.calls.map(({ args }) => args[0])).toEqual(['health']);
    await call(batch, TOKEN);
    expect(server.gateway.calls.map(({ args }) => args[0])).toEqual(['health', 'health', 'broadcast_tx_sync']);
  });

  test('a token that is wrong is refused although none is needed', async () => {
    expect((await server.ask({ path: '/rpc/health', token: 'txl_wrong_secret' })).status).toBe(401);
    expect((await call({ jsonrpc: '2.0', id: 1, method: 'health' }, 'txl_wrong_secret')).status).toBe(401);
  });

  test('RPC_ACCESS=open asks for none', async () => {
    const other = await new TestServer({ rpcAccess: 'open', validateResponses: false }).start();
    for (const path of ['/rpc/health', '/rpc/broadcast_tx_async?tx=0x00'])
      expect((await other.ask({ path, token: null, unchecked: true })).status).toBe(200);
    await other.stop();
  });
});

describe('RPC_ACCESS=token: reading needs a token with transactions:read', () => {
  const closed = new TestServer({ rpcAccess: 'token' });
  beforeAll(() => closed.start());
  afterAll(() => closed.stop());
  beforeEach(() => closed.gateway.reset());

  /** What shows payments, or tells of them: each by GET, the first by POST as well. */
  const READS = [
    { method: 'POST', path: '/rpc/tx_search', body: { query: "tx.height='1'" } },
    { path: '/rpc/tx_search?query=%22tx.height=1%22' },
    { path: `/rpc/tx?hash=0x${'00'.repeat(32)}` },
    { path: '/rpc/block?height=1' },
    { path: '/rpc/block_results?height=1' },
    { path: '/rpc/unconfirmed_txs' },
    { path: '/rpc/check_tx?tx=0x00' },
    { path: '/rpc/health' },
  ];
  const REFUSED = {
    code: -32001,
    message: 'Unauthorized',
    data: 'reading needs a token with the scope transactions:read',
  };
  const batch = JSON.stringify(
    ['tx_search', 'unconfirmed_txs', 'health', 'broadcast_tx_sync'].map((method, id) => ({
      ...{ jsonrpc: '2.0', id, method },
      params:
        method === 'tx_search' ? { query: "tx.height='1'" } : method === 'broadcast_tx_sync' ? { tx: 'AA==' } : {},
    })),
  );
  const asked = (): unknown[] => closed.gateway.calls.map(({ args }) => args[0]);

  test.each(READS)('$path', async (read) => {
    expect(await closed.ask({ ...read, token: null })).toMatchObject({ status: 401 });
    for (const token of ['txl_write_secret', 'txl_none_secret'])
      expect(await closed.ask({ ...read, token })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(closed.gateway.calls).toEqual([]);
    await closed.ask({ ...read, token: 'txl_read_secret', unchecked: true });
    expect(closed.gateway.calls).toHaveLength(1);
  });

  test('by JSON-RPC: 401 without a token, and error -32001 of each entry that its token has no scope for', async () => {
    const ask = (token: string | null) => closed.ask({ method: 'POST', path: '/rpc', token, body: batch });
    expect((await ask(null)).status).toBe(401);
    const { status, body } = await ask('txl_write_secret');
    expect([status, body.map(({ error }: any) => error?.code)]).toEqual([200, [-32001, -32001, -32001, -32001]]);
    expect(body[0].error).toEqual(REFUSED);
    expect(asked()).toEqual([]);
    expect((await ask('txl_read_secret')).body.map(({ error }: any) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      -32001,
    ]);
    expect(asked()).toEqual(['tx_search', 'unconfirmed_txs', 'health']);
  });

  test('over the websocket: reads and subscriptions', async () => {
    for (const [token, code] of [
      ['txl_write_secret', -32001],
      ['txl_read_secret', undefined],
    ] as const) {
      ScriptedChain.behind(closed.gateway);
      const socket = new WebSocket(`ws://127.0.0.1:${closed.port}/rpc/websocket`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await once(socket, 'open');
      for (const [method, params] of [
        ['unconfirmed_txs', {}],
        ['subscribe', { query: "tm.event='Tx'" }],
      ] as const) {
        const answer = once(socket, 'message');
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
        const { error } = JSON.parse(String((await answer)[0]));
        expect({ method, token, error }).toEqual({ method, token, error: code === undefined ? undefined : REFUSED });
      }
      socket.terminate();
    }
  });
});

describe('arguments', () => {
  test.each([
    ['/rpc/block?height=4', 'block', { height: 4 }],
    // As in CometBFT, whose url.ParseQuery passes empty pieces over.
    ['/rpc/block?&height=4&&', 'block', { height: 4 }],
    ['/rpc/block?height=%224%22', 'block', { height: 4 }],
    ['/rpc/block', 'block', { height: undefined }],
    // What has no value is absent, and what the contract's patterns leave out is judged by the method.
    ['/rpc/block?height=', 'block', { height: undefined }],
    ['/rpc/block?height', 'block', { height: undefined }],
    ['/rpc/block?height=null', 'block', { height: undefined }],
    ['/rpc/block?height=-1', 'block', { height: -1 }],
    ['/rpc/block?height=%220%22', 'block', { height: 0 }],
    ['/rpc/tx?hash=0x12', 'tx', { hash: Buffer.from([0x12]), prove: undefined }],
    ['/rpc/genesis_chunked?chunk=0', 'genesis_chunked', { chunk: 0 }],
    [
      '/rpc/abci_query?path=%22/a%22&data=0x6162&prove=true',
      'abci_query',
      { path: '/a', data: Buffer.from('ab'), height: undefined, prove: true },
    ],
    ['/rpc/check_tx?tx=%22ab%22', 'check_tx', { tx: Buffer.from('ab') }],
  ])('%s', async (path, method, args) => {
    server.gateway.onRpc = async () => ({
      ok: false,
      status: 503,
      error: { code: -32603, message: 'Internal error', data: 'later' },
    });
    const answer = await server.ask({ path, token: null });
    expect([answer.status, answer.body]).toEqual([
      503,
      { jsonrpc: '2.0', id: -1, error: { code: -32603, message: 'Internal error', data: 'later' } },
    ]);
    expect(server.gateway.calls).toEqual([{ method: 'rpc', args: [method, args, undefined] }]);
  });

  test.each([
    [
      '/rpc/block?height=abc',
      'error converting http params to arguments: invalid 64-bit integer encoding "abc", expected string',
    ],
    ['/rpc/block?height=0x04', "error converting http params to arguments: got a hex string arg, but expected 'int64'"],
    [
      '/rpc/block_by_hash?hash=zz',
      "error converting http params to arguments: invalid character 'z' looking for beginning of value",
    ],
    ['/rpc/header_by_hash?hash=zz', 'error converting http params to arguments: invalid hex string: zz'],
  ])('%s is 400 in the words of a stock node', async (path, data) => {
    const { status, body } = await server.ask({ path, token: null });
    expect([status, body]).toEqual([
      400,
      { jsonrpc: '2.0', id: -1, error: { code: -32602, message: 'Invalid params', data } },
    ]);
    expect(server.gateway.calls).toEqual([]);
  });

  test.each([
    '/rpc/block?hight=4',
    '/rpc/block?height=4&height=5',
    '/rpc/block?unknown=',
    '/rpc/tx?hash=',
    '/rpc/nope',
    '/rpc/block/4',
  ])('%s is refused in the envelope', async (path) => {
    const { status, body, headers } = await server.ask({
      path,
      token: null,
      unchecked: path === '/rpc/nope' || path === '/rpc/block/4',
    });
    expect([400, 404]).toContain(status);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      id: -1,
      error: { code: expect.any(Number), data: expect.any(String) },
    });
  });
});

test('answers are never to be cached', async () => {
  server.gateway.onRpc = async () => ({ ok: true, json: '{"header":null}' });
  const answer = await server.ask({ path: `/rpc/header_by_hash?hash=0x${'0'.repeat(64)}`, token: null });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
});

test('double and trailing slashes lead to the same place', async () => {
  for (const path of ['/rpc//health', '/rpc/health/', '//rpc/health'])
    expect((await server.ask({ path, token: null, operation: 'GET /rpc/health' })).status).toBe(200);
});

describe('JSON-RPC says what a stock node was recorded to say', () => {
  /** Those that need no chain behind them; where we answer another status, and why. */
  const DIFFERENT: Record<string, number> = {
    // The caller's fault is not the server's.
    'malformed-json': 400,
  };
  test.each([
    'array-params-wrong-count',
    'batch-empty',
    'batch-of-one',
    'batch-too-big',
    'batch',
    'float-id',
    'malformed-json',
    'no-id-notification',
    'no-jsonrpc-field',
    'params-string',
    'string-id',
    'unknown-method',
    'wrong-version',
  ])('%s', async (name) => {
    const golden = readGolden(`_protocol.${name}.post`);
    const { status, body } = await call(golden.request.body);
    expect(status).toBe(DIFFERENT[name] ?? golden.httpStatus);
    expect(body ?? '').toEqual(golden.body);
  });

  test.each([
    'block.err-height-nan',
    'block_results.err-height-nan',
    'commit.err-height-nan',
    'consensus_params.err-height-nan',
    'header.err-height-nan',
    'validators.err-height-nan',
    'block.number-height',
    'abci_query.err-bad-hex',
    'broadcast_tx_sync.err-bad-base64',
    'header_by_hash.base64hash',
  ])('%s', async (name) => {
    const golden = readGolden(`${name}.post`);
    expect((await call(golden.request.body, TOKEN)).body).toEqual(golden.body);
    expect(server.gateway.calls).toEqual([]);
  });
});

describe('what is no request of JSON-RPC', () => {
  const health = (id: number): object => ({ jsonrpc: '2.0', id, method: 'health', params: {} });
  const answered = (id: number): object => ({ jsonrpc: '2.0', id, result: {} });
  const invalid = (data: unknown): object => ({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Invalid Request', data },
  });

  test.each([
    [1, /^json: cannot unmarshal number into Go value/],
    ['text', /^json: cannot unmarshal string into Go value/],
    [[health(2)], /^json: cannot unmarshal array into Go value/],
    [{ id: 2, method: 7 }, 'json: cannot unmarshal number into Go struct field .method of type string'],
    [
      { id: { a: [null, 1.5] }, method: 'health' },
      'json-rpc ID (map[a:[<nil> 1.5]]) is of unknown type (map[string]interface {})',
    ],
    [{ id: 2, method: 'm'.repeat(1025) }, 'method is longer than 1024 characters'],
    [{ id: 2, method: 'health', jsonrpc: '2'.repeat(65) }, 'jsonrpc is longer than 64 characters'],
    [{ id: 2 ** 53, method: 'health' }, 'the id is a number beyond 2^53 - 1; send it as text'],
  ])('in a batch, %j is error -32600 of its entry, and the others are carried out', async (entry, data) => {
    const { status, body } = await call([health(1), entry, health(3)]);
    expect([status, body]).toEqual([
      200,
      [answered(1), invalid(typeof data === 'string' ? data : expect.stringMatching(data)), answered(3)],
    ]);
    expect(server.gateway.calls).toHaveLength(2);
  });

  test('null is a notification, null members are absent, and names are found in either case', async () => {
    expect((await call([null, health(1), { id: null, method: 'health' }, health(2)])).body).toEqual([
      answered(1),
      answered(2),
    ]);
    expect(await call('null')).toMatchObject({ status: 200, text: '' });
    expect((await call({ jsonrpc: null, id: 1, method: 'health', params: null })).body).toEqual(answered(1));
    expect((await call({ id: 1, method: null })).body).toMatchObject({ id: 1, error: { code: -32601 } });
    expect((await call({ ID: 1, Method: 'health' })).body).toEqual(answered(1));
  });

  test('a number is repeated as it was written', async () => {
    const { body } = await call('{"id":1,"method":"block","params":{"height": 1.50e1 }}');
    expect(body.error.data).toBe(
      'error converting json params to arguments: invalid 64-bit integer encoding "1.50e1", expected string',
    );
  });
});

test('JSON-RPC needs no Content-Type, but takes no other than JSON', async () => {
  const ask = (headers: Record<string, string>): Promise<number> =>
    fetch(`http://127.0.0.1:${server.port}/rpc`, {
      method: 'POST',
      headers,
      body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"health"}'),
    }).then(({ status }) => status);
  expect(await ask({})).toBe(200);
  expect(await ask({ 'content-type': 'text/plain' })).toBe(415);
  // A page of another site can leave it out too, and is known by its Origin.
  expect(await ask({ origin: 'https://evil.test' })).toBe(403);
});

describe('the websocket', () => {
  const sockets: WebSocket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate();
  });

  function open(headers: Record<string, string> = {}, path = '/rpc/websocket', port = server.port): WebSocket {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    // One that was refused tells of it once more when it is ended.
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  }

  async function refused(headers: Record<string, string>): Promise<number> {
    const socket = open(headers);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    return response.statusCode;
  }

  async function ask(socket: WebSocket, message: unknown): Promise<any> {
    const answer = once(socket, 'message');
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return JSON.parse(String((await answer)[0]));
  }

  test('is refused before it is opened: foreign Host, foreign Origin, wrong token', async () => {
    expect(await refused({ host: 'evil.test' })).toBe(421);
    expect(await refused({ origin: 'https://evil.test' })).toBe(403);
    expect(await refused({ authorization: 'Bearer txl_wrong_secret' })).toBe(401);
    const other = await new TestServer({ rpcAccess: 'token', validateResponses: false }).start();
    const [, response] = (await once(open({}, '/rpc/websocket', other.port), 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    expect(response.statusCode).toBe(401);
    await other.stop();
  });

  test('answers methods, parse errors and unknown methods, with slashes doubled too', async () => {
    const socket = open({}, '/rpc//websocket');
    await once(socket, 'open');
    expect(await ask(socket, { jsonrpc: '2.0', id: 5, method: 'health' })).toEqual({
      jsonrpc: '2.0',
      id: 5,
      result: {},
    });
    expect(await ask(socket, { jsonrpc: '2.0', id: 6, method: 'nope' })).toEqual({
      jsonrpc: '2.0',
      id: 6,
      error: { code: -32601, message: 'Method not found' },
    });
    expect(await ask(socket, '{')).toMatchObject({
      error: { code: -32700, data: 'error unmarshaling request: unexpected end of JSON input' },
    });
    expect(
      await ask(socket, { jsonrpc: '2.0', id: 7, method: 'broadcast_tx_sync', params: { tx: 'AA==' } }),
    ).toMatchObject({ id: 7, error: { code: -32001 } });
    expect(server.gateway.calls.map(({ args }) => args[0])).toEqual(['health']);
  });

  test('a broadcast passes with the token of the upgrade', async () => {
    const socket = open({ authorization: `Bearer ${TOKEN}` });
    await once(socket, 'open');
    expect(await ask(socket, { jsonrpc: '2.0', id: 7, method: 'broadcast_tx_sync', params: { tx: 'AA==' } })).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {},
    });
  });

  const blockOf = (height: number): ScriptedEvent[] => [
    { type: 'NewBlock' },
    { type: 'Tx', keys: { 'tx.height': [String(height)] } },
  ];

  test('subscribes, is told what matches and no more, and is told nothing after unsubscribing', async () => {
    const chain = ScriptedChain.behind(server.gateway);
    const socket = open();
    await once(socket, 'open');
    const query = "tm.event='Tx' AND tx.height>1";
    expect(await ask(socket, { jsonrpc: '2.0', id: 'a', method: 'subscribe', params: { query } })).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: {},
    });
    expect(await ask(socket, { jsonrpc: '2.0', id: 'b', method: 'subscribe', params: [query] })).toMatchObject({
      id: 'b',
      error: { code: -32603, data: 'already subscribed' },
    });
    const told = once(socket, 'message');
    chain.make(...blockOf(1));
    chain.make(...blockOf(2));
    expect(JSON.parse(String((await told)[0]))).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: {
        query,
        data: { type: 'tendermint/event/Tx', value: {} },
        events: { 'tm.event': ['Tx'], 'tx.height': ['2'] },
      },
    });
    expect(await ask(socket, { jsonrpc: '2.0', id: 'c', method: 'unsubscribe', params: { query } })).toEqual({
      jsonrpc: '2.0',
      id: 'c',
      result: {},
    });
    expect(await ask(socket, { jsonrpc: '2.0', id: 'd', method: 'unsubscribe_all' })).toMatchObject({
      error: { data: 'subscription not found' },
    });
    chain.make(...blockOf(3));
    expect(await ask(socket, { jsonrpc: '2.0', id: 'e', method: 'health' })).toMatchObject({ id: 'e' });
  });

  test('has a bound on subscriptions and refuses queries that cannot be read', async () => {
    ScriptedChain.behind(server.gateway);
    const socket = open();
    await once(socket, 'open');
    for (let index = 0; index < WS_SUBSCRIPTIONS_PER_CONNECTION_MAX; index++) {
      expect(
        await ask(socket, { id: index, method: 'subscribe', params: { query: `tx.height=${index}` } }),
      ).toMatchObject({ result: {} });
    }
    expect(await ask(socket, { id: 8, method: 'subscribe', params: { query: 'tx.height=9' } })).toMatchObject({
      error: { data: 'max_subscriptions_per_client 5 reached' },
    });
    expect(await ask(socket, { id: 9, method: 'unsubscribe', params: { query: 'tm.e' } })).toMatchObject({
      error: { data: expect.stringMatching(/^failed to parse query: /) },
    });
  });

  test('closes who sends more than a message may have', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send('x'.repeat(2 * 1024 * 1024));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  test('cuts off who subscribes and does not read', async () => {
    // The feed of the shared server still waits for a block of the test before.
    const own = await new TestServer({ validateResponses: false }).start();
    const chain = ScriptedChain.behind(own.gateway);
    const socket = open({}, '/rpc/websocket', own.port);
    await once(socket, 'open');
    await ask(socket, { id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } });
    socket.pause();
    const value = JSON.stringify('x'.repeat(1024 * 1024));
    for (let height = 1; height <= 40; height++) chain.make({ type: 'NewBlock', value });
    while (!own.log.some(({ message }) => message.includes('too slowly')))
      await new Promise((resolve) => setImmediate(resolve));
    const closed = once(socket, 'close');
    socket.resume();
    expect((await closed)[0]).toBe(1006);
    await own.stop();
  });
});
