/** JSON that is nested too deep, has too much in it, or means no number: refused as such, never built, and no reader throws. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { RPC_METHODS } from '../../server/gateway/rpc/port.ts';
import type { RpcMethod } from '../../server/gateway/rpc/port.ts';
import {
  RPC_BODY_BYTES_MAX,
  RPC_ID_CHARS_MAX,
  RPC_JSON_DEPTH_MAX,
  RPC_JSON_VALUES_MAX,
  RPC_PLAIN_BODY_BYTES_MAX,
} from '../../server/http/limits.ts';
import { argumentsOfJson, argumentsOfQuery } from '../../server/http/rpc/arguments.ts';
import { errorText } from '../../server/http/rpc/envelope.ts';
import { readGoJson, scanGoJson } from '../../server/http/rpc/go-json.ts';
import { readCalls, readFrame } from '../../server/http/rpc/json-rpc.ts';
import { JSON_VALUES_MAX, readStrictJson } from '../../server/platform/strict-json.ts';
import { TestServer } from './support/server.ts';

const server = new TestServer();
beforeAll(() => server.start());
let socket: WebSocket | undefined;
afterAll(async () => {
  socket?.terminate();
  await server.stop();
});

const post = async (body: string) => {
  const { status, text } = await server.ask({ method: 'POST', path: '/rpc', token: null, body });
  const { error } = JSON.parse(text);
  return { status, code: error?.code, data: error?.data };
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const call = (params: string, id = '1') => `{"jsonrpc":"2.0","id":${id},"method":"health","params":${params}}`;

describe('POST /rpc refuses', () => {
  const request = (data: string) => ({ status: 400, code: -32600, data });
  const tooDeep = request(`the request is nested deeper than ${RPC_JSON_DEPTH_MAX} levels`);
  const tooMany = request(`the request has more than ${RPC_JSON_VALUES_MAX} values`);

  test.each<[string, string, object]>([
    // In the words of Go's encoding/json.
    [
      'an id that no number holds',
      call('[]', '1e400'),
      request('json: cannot unmarshal number 1e400 into Go struct field .id of type float64'),
    ],
    [
      'a negative one',
      call('[]', '-1.5E+999'),
      request('json: cannot unmarshal number -1.5E+999 into Go struct field .id of type float64'),
    ],
    ['parameters nested 10,000 deep', call(nested(10_000)), tooDeep],
    ['an id nested 10,000 deep', call('[]', nested(10_000)), tooDeep],
    ['nesting alone', nested(500_000), tooDeep],
    ['objects nested 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, tooDeep],
    ['500,000 integers', call(`[${'1,'.repeat(500_000)}1]`), tooMany],
    ['100,000 members', `{${Array.from({ length: 100_000 }, (_, at) => `"${at}":0`).join()}}`, tooMany],
    [
      'a long id',
      call('[]', JSON.stringify('x'.repeat(RPC_ID_CHARS_MAX + 1))),
      request(`the id is longer than ${RPC_ID_CHARS_MAX} characters`),
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await post(body)).toEqual(expected);
  });

  test('a batch of more than ten as a stock node does, without reading what follows', async () => {
    const data = 'batch request exceeds maximum (10) allowed number of requests';
    expect(await post(`[${Array.from({ length: 11 }, () => call('{}')).join()}]`)).toEqual({
      status: 200,
      code: -32600,
      data,
    });
    expect(await post(`[${'1,'.repeat(10)}1, this is no JSON`)).toEqual({ status: 200, code: -32600, data });
  });

  test('nothing that is within the bounds', async () => {
    expect(
      (
        await server.ask({
          method: 'POST',
          path: '/rpc',
          token: null,
          body: call(`{"a":${nested(RPC_JSON_DEPTH_MAX - 2)}}`),
        })
      ).body.result,
    ).toEqual({});
    expect(
      (
        await server.ask({
          method: 'POST',
          path: '/rpc',
          token: null,
          body: call(`{"a":[${'1,'.repeat(RPC_JSON_VALUES_MAX - 7)}1]}`),
        })
      ).body.result,
    ).toEqual({});
    expect(
      (
        await server.ask({
          method: 'POST',
          path: '/rpc',
          token: null,
          body: call('{}', JSON.stringify('x'.repeat(RPC_ID_CHARS_MAX))),
        })
      ).body.result,
    ).toEqual({});
  });

  test('with an error no larger than the contract allows, whatever it quotes', async () => {
    const long = JSON.stringify('x'.repeat(RPC_BODY_BYTES_MAX - 200));
    const digits = `"${'9'.repeat(RPC_BODY_BYTES_MAX - 200)}"`;
    for (const params of [`[${long}]`, `{"height":${long}}`, `{"height":${digits}}`, `[${digits}]`]) {
      const { status, text } = await server.ask({
        method: 'POST',
        path: '/rpc',
        token: null,
        body: `{"id":1,"method":"block","params":${params}}`,
      });
      expect([status, JSON.parse(text).error.code]).toEqual([200, -32602]);
      expect(text.length).toBeLessThan(10_000);
    }
  });
});

test('the websocket answers the same, and goes on', async () => {
  socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc/websocket`);
  await once(socket, 'open');
  const codesOf: unknown[] = [];
  for (const text of [call('[]', '1e400'), call(nested(10_000)), call(`[${'1,'.repeat(100_000)}1]`), call('{}')]) {
    socket.send(text);
    const [data] = await once(socket, 'message', { signal: AbortSignal.timeout(5_000) });
    codesOf.push(JSON.parse(String(data)).error?.code ?? 'ok');
  }
  expect(codesOf).toEqual([-32600, -32600, -32600, 'ok']);
});

test('a parameter in a query is bounded as well', async () => {
  const answer = await server.ask({ path: `/rpc/block?height=${encodeURIComponent(nested(2_000))}`, token: null });
  expect(answer.status).toBe(400);
  expect(answer.body.error.data).toContain('invalid 64-bit integer encoding');
  const quoted = await server.ask({ path: `/rpc/broadcast_evidence?evidence=${encodeURIComponent(nested(2_000))}` });
  expect(quoted.body.error.data).toBe(
    "error converting http params to arguments: invalid character '[' exceeded max depth",
  );
});

test('a body under /rpc/{method} is as large as its method needs', async () => {
  const large = (path: string) =>
    server.ask({ method: 'POST', path, body: `{"tx":"AAAA"}${' '.repeat(RPC_PLAIN_BODY_BYTES_MAX)}`, unchecked: true });
  expect([(await large('/rpc/block')).status, (await large('/rpc/tx_search')).status]).toEqual([413, 413]);
  expect((await large('/rpc/check_tx')).status).not.toBe(413);
  expect(server.gateway.calls.at(-1)?.args[0]).toBe('check_tx');
});

test('a strict body has a bound of values too', () => {
  expect(readStrictJson(Buffer.from(`[${'1,'.repeat(JSON_VALUES_MAX)}1]`))).toMatchObject({
    ok: false,
    detail: expect.stringContaining(`more than ${JSON_VALUES_MAX} values`),
  });
  expect(readStrictJson(Buffer.from(`[${'1,'.repeat(JSON_VALUES_MAX - 2)}1]`))).toMatchObject({ ok: true });
});

describe('no reader throws', () => {
  const numbers = fc.constantFrom(
    '1e400',
    '-1e400',
    '0',
    '-0',
    '1.5',
    '1e308',
    `${'9'.repeat(400)}`,
    '9007199254740993',
    '-9223372036854775809',
    '01',
    '1.',
    '.5',
    '-',
    '1e',
  );
  const scalars = fc.oneof(
    numbers,
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', 'nul', '"\\ud800"', '"\\x"', '"', '"0x"', '"0xzz"', '""', '"1e400"', '"[[["'),
  );
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      scalars,
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
      fc
        .array(
          fc.tuple(
            fc.constantFrom('id', 'method', 'params', 'jsonrpc', 'height', 'tx', 'hash', '__proto__', 'query'),
            tie('value'),
          ),
          { maxLength: 5 },
        )
        .map((members) => `{${members.map(([name, item]) => `"${name}":${item}`).join()}}`),
      tie('value').map((item) => `{"jsonrpc":"2.0","id":${item},"method":"block","params":${item}}`),
      fc
        .tuple(tie('value'), fc.integer({ min: 1, max: 50 }))
        .map(([item, depth]) => '['.repeat(depth) + item + ']'.repeat(depth)),
    ),
  }));
  const broken = fc
    .tuple(value, fc.nat(), fc.string({ maxLength: 2 }))
    .map(
      ([text, at, put]) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + put.length),
    );
  const texts = fc.oneof(value, broken, fc.string({ unit: 'binary' }));

  test('at any text, and what the scan lets through is what JSON.parse reads', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const isJson = ((): boolean => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        const found = scanGoJson(text, Infinity);
        if (found === undefined) expect(isJson).toBe(true);
        else if ('fault' in found) expect(isJson).toBe(false);
        readGoJson(text);
        for (const read of [readCalls(text), readFrame(text)]) if (!read.ok) errorText(undefined, read.error);
      }),
      { numRuns: 1_500 },
    );
  });

  test('at any argument of any method, in a query or in JSON', () => {
    const methods = fc.constantFrom(...(Object.keys(RPC_METHODS) as RpcMethod[]));
    fc.assert(
      fc.property(methods, texts, (method, text) => {
        const spec = RPC_METHODS[method];
        const search = new URLSearchParams(Object.fromEntries(spec.params.map(({ name }) => [name, text])));
        argumentsOfQuery(spec, search);
        const read = readGoJson(text, scanGoJson(text, Infinity));
        if (!read.ok) return;
        argumentsOfJson(spec, read.value);
        argumentsOfJson(
          spec,
          spec.params.map(() => read.value),
        );
        argumentsOfJson(spec, Object.fromEntries(spec.params.map(({ name }) => [name, read.value])));
      }),
      { numRuns: 1_000 },
    );
  });
});
