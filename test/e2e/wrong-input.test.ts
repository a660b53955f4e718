import { bech32 } from '@scure/base';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { encodeAddress, parseAddress, publicKeyOfSeed, signTransaction } from '../../server/ledger/index.ts';
import { withDevelopmentChain, type Sender } from './support/development.ts';
import { rawBytes, rawRequest, type RawRequest } from './support/raw-request.ts';
import { READY_MS_MAX, txledger } from './support/server.ts';
import type { SignedBody } from './support/signer.ts';

/**
 * Wrong input of every kind against the running product: each gets the code that the contract documents for it, is
 * answered as a problem document, and changes nothing. A 500 is a fault whatever was sent.
 */

const chain = withDevelopmentChain();

interface Case {
  name: string;
  status: number;
  code: string;
  /** Built when the test runs, because accounts and tokens exist only then. */
  request: () => RawRequest;
}

const json = { 'content-type': 'application/json' };
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const dev = (): Record<string, string> => bearer(chain().dev.token);
let readOnlyToken = '';
/** Has a used nonce, a pending one and a cancelled one. */
let busy: Sender;
let before: unknown;

/** A transfer that would be accepted; dev-9 sends nothing else in this file. */
const GOOD_NONCE = 0;
const good = (): SignedBody => chain().signed(9, 1, 5n, GOOD_NONCE);

const post = (body: string | Uint8Array, headers: Record<string, string> = {}): RawRequest => ({
  method: 'POST',
  path: '/transactions',
  headers: { ...json, ...dev(), ...headers },
  body,
});
const postBody = (change: (body: SignedBody) => object): RawRequest => post(JSON.stringify(change(good())));
/** The body's text with one piece replaced: what JSON.stringify cannot write. */
const postText = (piece: string, replacement: string): RawRequest => {
  const text = JSON.stringify(good());
  if (!text.includes(piece)) throw new Error(`${piece} is not in ${text}`);
  return post(text.replace(piece, replacement));
};
const get = (path: string): RawRequest => ({ path, headers: dev() });

const without = (name: keyof SignedBody) => (body: SignedBody) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
const publicKeyHex = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
/** y = 1, the neutral element: of small order, so anybody can sign for it. */
const WEAK_KEY = publicKeyHex('01'.padEnd(64, '0'));
const NOT_ON_CURVE = publicKeyHex('02'.padEnd(64, '0'));
const someKey = publicKeyOfSeed(new Uint8Array(32).fill(77));

const MALFORMED: readonly Case[] = (
  [
    ['an empty body', ''],
    ['text that is no JSON', 'from=a&to=b'],
    ['JSON that ends too early', '{"from":'],
    ['two documents', '{}{}'],
    ['a byte order mark', '\uFEFF{}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['nesting a thousand deep', `${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['a lone surrogate', '{"from":"\\ud800"}'],
  ] as const
).map(([name, body]) => ({ name, status: 400, code: 'malformed_json', request: () => post(body) }));

const NUMBERS: readonly Case[] = ['0.0', '0e0', '-0', '1e3', '00', '9007199254740992', '1.5'].map((number) => ({
  name: `the nonce ${number}`,
  status: 400,
  code: number === '1.5' ? 'malformed_json|invalid_request' : 'malformed_json',
  request: () => postText('"nonce":0', `"nonce":${number}`),
}));

const SCHEMA: readonly Case[] = (
  [
    ['no from', without('from')],
    ['no to', without('to')],
    ['no amount', without('amount')],
    ['no nonce', without('nonce')],
    ['no signature', without('signature')],
    ['a field too many', (body: SignedBody) => ({ ...body, memo: 'x' })],
    ['an amount that is a number', (body: SignedBody) => ({ ...body, amount: 5 })],
    ['an amount of zero', (body: SignedBody) => ({ ...body, amount: '0' })],
    ['an amount with a leading zero', (body: SignedBody) => ({ ...body, amount: '05' })],
    ['a negative amount', (body: SignedBody) => ({ ...body, amount: '-5' })],
    ['an amount of 2^128', (body: SignedBody) => ({ ...body, amount: String(2n ** 128n) })],
    ['a nonce that is a string', (body: SignedBody) => ({ ...body, nonce: '0' })],
    ['a negative nonce', (body: SignedBody) => ({ ...body, nonce: -1 })],
    ['a null', (body: SignedBody) => ({ ...body, to: null })],
    [
      'a signature in upper case',
      (body: SignedBody) => ({ ...body, signature: body.signature.toUpperCase().replace(/^./, 'A') }),
    ],
    ['a signature that is too short', (body: SignedBody) => ({ ...body, signature: body.signature.slice(2) })],
    ['a txHash that is too long', (body: SignedBody) => ({ ...body, txHash: `${body.txHash}0` })],
    ['an address in upper case', (body: SignedBody) => ({ ...body, to: body.to.toUpperCase() })],
    ['an address that is too short', (body: SignedBody) => ({ ...body, to: body.to.slice(0, -1) })],
    ['an array', () => []],
  ] as const
).map(([name, change]) => ({
  name,
  status: 400,
  code: 'invalid_request',
  request: () => postBody(change as (body: SignedBody) => object),
}));

const ADDRESSES: readonly Case[] = (
  [
    ['a wrong checksum', () => good().to.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))],
    ['bech32 instead of bech32m', () => bech32.encode('txlt', bech32.toWords(someKey))],
    ['the production network', () => encodeAddress(someKey, 'txl')],
    ['a key of small order', () => encodeAddress(WEAK_KEY, 'txlt')],
  ] as const
).map(([name, to]) => ({
  name: `an address with ${name}`,
  status: 422,
  code: 'invalid_address',
  request: () =>
    postBody((body) => ({
      from: body.from,
      to: to(),
      amount: body.amount,
      nonce: body.nonce,
      signature: body.signature,
    })),
}));

/** Signed as it should be, because whether the receiver has an account is judged last of all. */
function toNobody(): object {
  const to = encodeAddress(NOT_ON_CURVE, 'txlt');
  const { address: from, seed } = chain().account(9);
  const { signature } = signTransaction(
    { kind: 'transfer', chainId: chain().dev.chainId, from, to, amount: 5n, nonce: GOOD_NONCE },
    Buffer.from(seed, 'hex'),
  );
  return { from, to, amount: '5', nonce: GOOD_NONCE, signature };
}

const RULES: readonly Case[] = [
  {
    name: 'a receiver whose key is not on the curve, and who has no account',
    status: 422,
    code: 'invalid_address',
    request: () => post(JSON.stringify(toNobody())),
  },
  {
    name: 'a signature for another chain',
    status: 422,
    code: 'invalid_signature',
    request: () => postBody(() => without('txHash')(chain().signed(9, 1, 5n, GOOD_NONCE, 'other-chain-1'))),
  },
  {
    name: 'a tampered amount',
    status: 422,
    code: 'invalid_signature',
    request: () => postBody((body) => ({ ...body, amount: '6' })),
  },
  {
    name: 'a tampered receiver',
    status: 422,
    code: 'invalid_signature',
    request: () => postBody((body) => ({ ...body, to: chain().account(2).address })),
  },
  {
    name: 'a signature by another key',
    status: 422,
    code: 'invalid_signature',
    request: () => postBody((body) => ({ ...body, signature: chain().signed(8, 1, 5n, GOOD_NONCE).signature })),
  },
  {
    name: 'a signature of zeros',
    status: 422,
    code: 'invalid_signature',
    request: () => postBody((body) => ({ ...body, signature: '0'.repeat(128) })),
  },
  {
    name: 'the hash of another transfer',
    status: 422,
    code: 'tx_hash_mismatch',
    request: () => postBody((body) => ({ ...body, txHash: 'A'.repeat(64) })),
  },
  {
    name: 'a used nonce',
    status: 409,
    code: 'nonce_too_low|nonce_conflict',
    request: () => post(JSON.stringify(chain().signed(busy, 2, 77n, 0))),
  },
  {
    name: 'another payment at a pending nonce',
    status: 409,
    code: 'nonce_conflict',
    request: () => post(JSON.stringify(chain().signed(busy, 2, 78n, 5))),
  },
  {
    name: 'a nonce that was cancelled',
    status: 409,
    code: 'nonce_cancelled',
    request: () => post(JSON.stringify(chain().signed(busy, 2, 79n, 6))),
  },
  {
    name: 'a nonce too far ahead',
    status: 422,
    code: 'nonce_too_high',
    request: () => post(JSON.stringify(chain().signed(9, 1, 5n, 1024))),
  },
  {
    name: 'more money than there is',
    status: 422,
    code: 'insufficient_funds',
    request: () => post(JSON.stringify(chain().signed(9, 1, 10n ** 15n + 1n, GOOD_NONCE))),
  },
];

const LISTS: readonly Case[] = [
  'limit=0',
  'limit=1001',
  'limit=1e2',
  'limit=0x10',
  'limit=',
  'limit=5&limit=5',
  'status=lost',
  'from=x',
  'cursor=!!',
  'cursor=AAAA',
  'page=2',
  'limit%zz=1',
].map((query) => ({
  name: `GET /transactions?${query}`,
  status: 400,
  code: 'invalid_request',
  request: () => get(`/transactions?${query}`),
}));

const DOORS: readonly Case[] = [
  { name: 'no token', status: 401, code: 'unauthenticated', request: () => ({ path: '/transactions' }) },
  {
    name: 'a token that was never made',
    status: 401,
    code: 'unauthenticated',
    request: () => ({
      path: '/transactions',
      headers: bearer('txl_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'),
    }),
  },
  {
    name: 'a token with one character changed',
    status: 401,
    code: 'unauthenticated',
    request: () => ({
      path: '/transactions',
      headers: bearer(chain().dev.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
    }),
  },
  {
    name: 'another scheme',
    status: 401,
    code: 'unauthenticated',
    request: () => ({ path: '/transactions', headers: { authorization: 'Basic dTpw' } }),
  },
  {
    name: 'a token without the scope to submit',
    status: 403,
    code: 'insufficient_scope',
    request: () => post(JSON.stringify(good()), bearer(readOnlyToken)),
  },
  {
    name: 'a token without the scope to cancel',
    status: 403,
    code: 'insufficient_scope',
    request: () => ({ method: 'DELETE', path: `/transactions/${'A'.repeat(64)}`, headers: bearer(readOnlyToken) }),
  },
  {
    name: 'a foreign Host',
    status: 421,
    code: 'host_not_allowed',
    request: () => ({ path: '/chain', headers: { host: 'evil.example' } }),
  },
  {
    name: 'a foreign Origin',
    status: 403,
    code: 'origin_not_allowed',
    request: () => ({ path: '/chain', headers: { origin: 'https://evil.example' } }),
  },
  {
    name: 'a form instead of JSON',
    status: 415,
    code: 'unsupported_media_type',
    request: () => post('from=a', { 'content-type': 'application/x-www-form-urlencoded' }),
  },
  {
    name: 'no media type',
    status: 415,
    code: 'unsupported_media_type',
    request: () => ({ method: 'POST', path: '/transactions', headers: dev(), body: '{}' }),
  },
  {
    name: 'another character set',
    status: 415,
    code: 'unsupported_media_type',
    request: () => post('{}', { 'content-type': 'application/json; charset=utf-16' }),
  },
  {
    name: 'a compressed body',
    status: 415,
    code: 'unsupported_media_type',
    request: () => post('{}', { 'content-encoding': 'gzip' }),
  },
  {
    name: 'a body over 16 KiB',
    status: 413,
    code: 'body_too_large',
    request: () => post(JSON.stringify({ from: 'x'.repeat(17 * 1024) })),
  },
  {
    name: 'an answer that nobody makes',
    status: 406,
    code: 'not_acceptable',
    request: () => ({ path: '/chain', headers: { accept: 'image/png' } }),
  },
  { name: 'an unknown path', status: 404, code: 'not_found', request: () => get('/payments') },
  { name: 'a path with a trailing slash', status: 404, code: 'not_found', request: () => get('/transactions/') },
  { name: 'a path in upper case', status: 404, code: 'not_found', request: () => get('/Transactions') },
  {
    name: 'a path that is not percent-encoded',
    status: 400,
    code: 'invalid_request',
    request: () => get('/transactions/%zz'),
  },
  {
    name: 'a method that the path has not',
    status: 405,
    code: 'method_not_allowed',
    request: () => ({ method: 'PUT', path: '/transactions', headers: dev() }),
  },
  { name: 'an unknown id', status: 404, code: 'not_found', request: () => get(`/transactions/${'A'.repeat(64)}`) },
  { name: 'an id that is no hash', status: 400, code: 'invalid_request', request: () => get('/transactions/1') },
  {
    name: 'the cancel of an unknown id',
    status: 404,
    code: 'not_found',
    request: () => ({ method: 'DELETE', path: `/transactions/${'A'.repeat(64)}`, headers: dev() }),
  },
  {
    name: 'the cancel of an id that is no hash',
    status: 400,
    code: 'invalid_request',
    request: () => ({ method: 'DELETE', path: `/transactions/${'G'.repeat(64)}`, headers: dev() }),
  },
  { name: 'an account that is no address', status: 400, code: 'invalid_request', request: () => get('/accounts/me') },
  {
    name: 'an account with a wrong checksum',
    status: 422,
    code: 'invalid_address',
    request: () => get(`/accounts/${good().to.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))}`),
  },
  {
    name: 'an account of another network',
    status: 422,
    code: 'invalid_address',
    request: () => get(`/accounts/${encodeAddress(someKey, 'txl')}`),
  },
];

const state = async (): Promise<unknown> => ({
  balances: await chain().balances(),
  nonces: await Promise.all(chain().dev.accounts.map(({ address }) => chain().nextNonce(address))),
  transactions: await chain().list(),
});

beforeAll(async () => {
  const { submit, cancel, signed, server, funded } = chain();
  const made = await txledger(
    ['token', 'create', '--owner', 'dev', '--scope', 'transactions:read'],
    server.storeVariables,
  );
  readOnlyToken = made.stdout.trim();
  busy = await funded(1000n);
  await submit(signed(busy, 1, 5n, 0), { prefer: 'wait=30' });
  await submit(signed(busy, 1, 5n, 5));
  const cancelled = signed(busy, 1, 5n, 6);
  await submit(cancelled);
  await cancel(cancelled.txHash, { prefer: 'wait=30' });
  before = await state();
}, READY_MS_MAX);

describe('wrong input', () => {
  test.each(
    [...MALFORMED, ...NUMBERS, ...SCHEMA, ...ADDRESSES, ...RULES, ...LISTS, ...DOORS].map(
      (one) => [one.name, one.code, one] as const,
    ),
  )('%s is answered with %s', async (_name, _code, { status, code, request }) => {
    const answer = await rawRequest(chain().server.baseUrl, request());
    expect(answer).toMatchObject({ status, contentType: expect.stringMatching(/^application\/problem\+json/) });
    expect(code.split('|')).toContain(answer.body.code);
    expect(answer.body).toMatchObject({
      status,
      title: expect.any(String),
      detail: expect.any(String),
      requestId: answer.headers['x-request-id'],
    });
  });

  test.each([
    ['a duplicate key', () => postText('"nonce":0', '"nonce":0,"nonce":0')],
    ['a duplicate key written with an escape', () => postText('"nonce":0', '"nonce":0,"\\u006eonce":0')],
  ])('%s is answered with malformed_json', async (_name, request) => {
    expect(await rawRequest(chain().server.baseUrl, request())).toMatchObject({
      status: 400,
      body: { code: 'malformed_json' },
    });
  });

  test('a wrong signature is answered with the exact bytes that had to be signed', async () => {
    const { from, to } = good();
    const { body } = await rawRequest(
      chain().server.baseUrl,
      postBody((sent) => ({ ...sent, signature: '0'.repeat(128) })),
    );
    expect(body.signBytes).toBe(
      `txledger-transfer-v1\n{"amount":"5","chainId":"txledger-dev-1","from":"${from}","nonce":0,"to":"${to}"}`,
    );
  });

  test('a wrong hash is answered with both values', async () => {
    const { body } = await rawRequest(
      chain().server.baseUrl,
      postBody((sent) => ({ ...sent, txHash: 'A'.repeat(64) })),
    );
    expect(body).toMatchObject({ expectedTxHash: good().txHash, actualTxHash: 'A'.repeat(64) });
  });

  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['headers over 16 KiB', `GET /chain HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'two different lengths',
      'POST /transactions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    ['no Host', 'GET /chain HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s are refused as a problem document', async (name, bytes, status) => {
    const answer = await rawBytes(chain().server.baseUrl, bytes);
    if (name === 'no Host') expect([400, 421]).toContain(answer.status);
    else expect(answer.status).toBe(status);
    expect(answer.text).toContain('application/problem+json');
  });

  test('of a hundred thousand random bytes is no 500 either', async () => {
    for (let i = 0; i < 50; i += 1) {
      const bytes = crypto.getRandomValues(new Uint8Array(1 + Math.floor(Math.random() * 4000)));
      const answer = await rawRequest(chain().server.baseUrl, post(bytes));
      expect(answer.status).toBe(400);
    }
  });

  test('uses keys that are what their names say', () => {
    expect(parseAddress(encodeAddress(WEAK_KEY, 'txlt'), 'txlt')).toMatchObject({ ok: false, reason: 'weak_key' });
    expect(parseAddress(encodeAddress(NOT_ON_CURVE, 'txlt'), 'txlt')).toMatchObject({ ok: true });
  });

  // Runs last, as the tests of a file run in their order.
  test('has changed nothing: balances, nonces and the list are what they were', async () => {
    expect(await state()).toEqual(before);
    // Nor does the log of the server that all of this went to hold a defect.
    expect(chain().server.output).not.toMatch(/"level":"error"/);
  });
});
