/**
 * Every request that was recorded at a stock CometBFT v0.38.26 node, put to our doors under /rpc. Behind them stands what the node's
 * methods were recorded to answer, found by the arguments that our doors read; so a success must come out as it was recorded, fit
 * the contract, and be what the request asked for. That our own methods answer alike is test/engine/rpc-golden.test.ts.
 *
 * Where we differ on purpose stands in ALLOWED with its reason, and an entry that is not needed fails.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RpcArguments } from '../../server/engine/port.ts';
import { recordings } from '../engine/support/golden-rpc.ts';
import type { Golden } from './support/golden.ts';
import { TestServer, type Answer } from './support/server.ts';

/** All that were recorded; the websocket's session is the engine test's. */
const RECORDED = 180;

interface Named {
  name: string;
  golden: Golden & { request: { txLength?: number } };
}

const all: Named[] = ['./golden/', '../engine/golden/rpc/'].flatMap((folder) => {
  const url = new URL(folder, import.meta.url);
  return readdirSync(url)
    .filter((file) => !file.startsWith('_websocket'))
    .map((file) => ({ name: file.replace('.json', ''), golden: JSON.parse(readFileSync(new URL(file, url), 'utf8')) }));
});

const NO_SUCH_METHOD = { jsonrpc: '2.0', id: -1, error: { code: -32601, message: 'Method not found' } };

interface Difference {
  names: RegExp;
  why: string;
  status: number;
  /** What the body must match; absent: it stays as recorded. */
  body?: object;
}

const ALLOWED: readonly Difference[] = [
  {
    names:
      /^(block|block_results|commit|consensus_params|header|validators)\.err-height-(nan|too-high)\.get$|^(block_by_hash|header_by_hash)\.err-bad-hash\.get$|^(tx)\.err-unknown-hash\.get$/,
    why: 'the fault of the caller is 400 here, where CometBFT says 500 for everything',
    status: 400,
  },
  {
    names: /\.err-missing(-tx|-hash)?\.get$/,
    why: 'the contract requires what the method cannot do without, where CometBFT goes on with nothing',
    status: 400,
    body: { id: -1, error: { code: -32602, message: 'Invalid params' } },
  },
  { names: /^_protocol\.malformed-json\.post$/, why: 'the fault of the caller is 400', status: 400 },
  {
    names:
      /^(block|block_results|commit|consensus_params|header|validators)\.latest\.post$|^broadcast_evidence\.err-missing\.post$/,
    why: 'a call without params makes CometBFT panic and lose id and batch; here it is an error of its entry',
    status: 200,
    body: { id: expect.any(Number) },
  },
  {
    names: /^broadcast_tx_sync\.err-body-too-large\.post$/,
    why: 'under /rpc a body that is too large is told as everywhere in the service',
    status: 413,
    body: { code: 'body_too_large' },
  },
  {
    names: /^_protocol\.(text-plain|empty-body|post-form-on-route)\.post$/,
    why: 'no media type but JSON is read: anything else could be sent by a foreign page without a preflight',
    status: 415,
    body: { code: 'unsupported_media_type' },
  },
  {
    names: /^_protocol\.(put\.put|options\.options|root\.get)$/,
    why: 'only the declared methods are served; the list of methods is the contract',
    status: 405,
    body: { code: 'method_not_allowed' },
  },
  {
    names: /^_protocol\.wrong-path\.post$/,
    why: 'at /rpc/{method} the body is the parameters; a surplus member is an error',
    status: 400,
    body: { error: { code: -32602 } },
  },
  {
    names:
      /^(dial_(peers|seeds)|unsafe_flush_mempool|subscribe\.http-only-ws|unsubscribe(_all)?\.http-only-ws)\.get$|^_protocol\.unknown-(path\.post|route\.get)$/,
    why: 'a method that is not served over HTTP is 404 in the envelope, not a page of text',
    status: 404,
    body: NO_SUCH_METHOD,
  },
];
const needed = new Set<Difference>();

const server = new TestServer({ rpcAccess: 'open' });
const answers = recordings();

beforeAll(async () => {
  await server.start();
});
afterAll(() => server.stop());

/** An empty text and no text are one thing to CometBFT. */
const key = (args: RpcArguments): string =>
  JSON.stringify(
    Object.entries(args).filter(([, value]) => value !== undefined && (value as { length?: number }).length !== 0),
  );

/** Answers as the stock node was recorded to, by method and arguments. */
function standIn(name: string): void {
  server.gateway.onRpc = async (method, args) => {
    const same = answers.filter((found) => found.method === method && key(found.args) === key(args));
    const found = same.find((candidate) => candidate.name === name) ?? same[0];
    if (found === undefined)
      throw new Error(`${name}: nothing was recorded for ${method} with ${JSON.stringify(args)}`);
    if (found.error === undefined) return { ok: true, json: JSON.stringify(found.result) };
    return { ok: false, status: 400, error: found.error };
  };
}

async function replay({ name, golden }: Named): Promise<Answer> {
  standIn(name);
  const { method, path, body, txLength } = golden.request;
  if (txLength !== undefined) (body as { params: { tx: string } }).params.tx = 'YWFh'.repeat(txLength / 4);
  const headers = name.includes('text-plain')
    ? { 'Content-Type': 'text/plain' }
    : name.includes('empty-body') || name.includes('post-form')
      ? { 'Content-Type': 'application/x-www-form-urlencoded' }
      : {};
  const to = `/rpc${path === '/' ? '' : path}`;
  return server.ask({
    method,
    path: to,
    headers,
    unchecked: ALLOWED.some(({ names, status }) => status === 404 && names.test(name)),
    ...(body === undefined ? {} : { body: body as object }),
  });
}

test('they are all here', () => {
  expect(all).toHaveLength(RECORDED);
});

test.each(all.map((one) => [one.name, one] as const))('%s', async (name, one) => {
  const { golden } = one;
  const answer = await replay(one);
  const allowed = ALLOWED.find(({ names }) => names.test(name));
  const said = answer.text === '' ? '' : (answer.body ?? answer.text);
  if (allowed === undefined) {
    expect([answer.status, said]).toEqual([golden.httpStatus, golden.body]);
    return;
  }
  needed.add(allowed);
  expect(answer.status).toBe(allowed.status);
  if (allowed.body === undefined) expect(said).toEqual(golden.body);
  else expect(said).toMatchObject(allowed.body);
});

describe('what was recorded over JSON-RPC is answered alike to POST /rpc/{method}', () => {
  const calls = all.filter(
    ({ name, golden }) =>
      !name.startsWith('_') &&
      golden.request.method === 'POST' &&
      (golden.request.body as { params?: object } | undefined)?.params !== undefined &&
      golden.body.error?.code !== -32601 &&
      !name.includes('too-large'),
  );

  /** The contract judges before the method does, and says where; the method's own words stay for JSON-RPC. */
  const UNFIT = /\.err-(height-(negative|zero)|missing(-hash|-tx|-query)?|null|bad-order)\.post$|\.hexhash\.post$/;
  const judged = new Set<string>();

  test.each(calls.map((one) => [one.name, one] as const))('%s', async (name, { golden }) => {
    standIn(name);
    const { method, params } = golden.request.body as { method: string; params: object };
    const answer = await server.ask({ method: 'POST', path: `/rpc/${method}`, body: params });
    if (UNFIT.test(name)) {
      judged.add(name);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        {
          id: -1,
          error: {
            code: -32602,
            message: 'Invalid params',
            data: expect.stringMatching(/^The request does not fit the contract (at|in) /),
          },
        },
      ]);
      return;
    }
    expect(answer.body).toEqual({ ...golden.body, id: -1 });
    expect(answer.status).toBe(golden.body.error === undefined ? 200 : 400);
  });

  test('the contract refuses some of them first', () => {
    expect(judged.size).toBeGreaterThan(15);
  });
});

test('every difference that is allowed was met', () => {
  expect(ALLOWED.filter((difference) => !needed.has(difference))).toEqual([]);
});
