/**
 * Wrong input of every kind, over real connections: each gets its documented code, fits the contract, and the gateway
 * is never asked. `ask` judges every answer by the contract besides.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { TestServer } from './support/server.ts';
import type { Ask } from './support/server.ts';
import { RECEIVER, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

interface Case {
  name: string;
  ask: Ask;
  status: number;
  code: string;
  pointer?: string;
}

const post = (body: Ask['body'], headers: Ask['headers'] = {}): Ask => ({
  method: 'POST',
  path: '/transactions',
  body,
  headers,
});
const list = (search: string): Ask => ({ path: `/transactions?${search}` });
const text = JSON.stringify(TRANSFER);
const swap = (member: string, value: string): string =>
  text.replace(new RegExp(`"${member}":("[^"]*"|[0-9]+)`), `"${member}":${value}`);

const cases: Case[] = [];
const add = (name: string, ask: Ask, status: number, code: string, pointer?: string): void => {
  cases.push({ name, ask, status, code, ...(pointer === undefined ? {} : { pointer }) });
};

// Members: missing, of every wrong type, of every wrong form.
for (const member of Object.keys(TRANSFER)) {
  const { [member as keyof typeof TRANSFER]: _removed, ...rest } = TRANSFER;
  add(`without ${member}`, post(rest), 400, 'invalid_request', `/${member}`);
  for (const value of [
    'null',
    'true',
    '[]',
    '{}',
    '""',
    '" "',
    '[1]',
    '1.5',
    '-1',
    '"\\u0000"',
    '"🦊"',
    `"${'9'.repeat(5000)}"`,
  ]) {
    add(`${member} ${value.slice(0, 12)}`, post(swap(member, value)), 400, 'invalid_request', `/${member}`);
  }
}
for (const nonce of ['"0"', '0.1']) add(`nonce ${nonce}`, post(swap('nonce', nonce)), 400, 'invalid_request', '/nonce');
for (const nonce of [
  '-0',
  '1.0',
  '1e3',
  '1E0',
  '01',
  '+1',
  '0x1',
  '9007199254740992',
  '9007199254740993',
  '1e400',
  '1'.repeat(400),
  'NaN',
  'Infinity',
  '.5',
  '5.',
  '9007199254740990.5',
  '0.30000000000000000001',
]) {
  add(`nonce written ${nonce.slice(0, 20)}`, post(swap('nonce', nonce)), 400, 'malformed_json');
}
for (const amount of [
  '0',
  '00',
  '01',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  ' 1',
  '1 ',
  '1,000',
  '١',
  'ten',
  '1\\n',
  '340282366920938463463374607431768211456',
  '9'.repeat(39),
  '1'.repeat(40),
]) {
  add(`amount "${amount}"`, post(swap('amount', `"${amount}"`)), 400, 'invalid_request', '/amount');
}
for (const address of [
  SENDER.toUpperCase(),
  SENDER.slice(0, -1),
  `${SENDER}q`,
  `cosmos1${SENDER.slice(5)}`,
  SENDER.replace('1', 'b'),
  ` ${SENDER}`,
  `${SENDER}\\n`,
  'txlt1',
  '../etc/passwd',
  'txlt1ｑ',
]) {
  for (const side of ['from', 'to'])
    add(`${side} "${address.slice(0, 24)}"`, post(swap(side, `"${address}"`)), 400, 'invalid_request', `/${side}`);
}
for (const signature of ['AB'.repeat(64), 'ab'.repeat(63), 'ab'.repeat(65), `0x${'ab'.repeat(63)}`, 'g'.repeat(128)]) {
  add(
    `signature ${signature.slice(0, 8)} of ${signature.length}`,
    post(swap('signature', `"${signature}"`)),
    400,
    'invalid_request',
    '/signature',
  );
}
for (const hash of ['""', '"xyz"', `"${'A'.repeat(63)}"`, `"${'A'.repeat(65)}"`, '1']) {
  add(`txHash ${hash.slice(0, 10)}`, post(text.replace('}', `,"txHash":${hash}}`)), 400, 'invalid_request', '/txHash');
}

// Members that are not of the contract, among them those that have fooled programs.
for (const extra of [
  'chainId',
  'memo',
  'From',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a/b',
  'a~b',
  '😀',
  'x'.repeat(3000),
]) {
  add(
    `an extra member ${extra.slice(0, 12)}`,
    post(text.replace('}', `,${JSON.stringify(extra)}:1}`)),
    400,
    'invalid_request',
  );
}
for (const key of ['amount', 'from', 'nonce'])
  add(`${key} twice`, post(text.replace('}', `,"${key}":${key === 'nonce' ? 0 : `"${'x'}"`}}`)), 400, 'malformed_json');
add('amount twice, once escaped', post(text.replace('}', ',"\\u0061mount":"1"}')), 400, 'malformed_json');

// Bodies that are no object, or no JSON.
for (const body of ['null', 'true', '0', '"text"', '[]', `[${text}]`, '[null]'])
  add(`the body ${body.slice(0, 10)}`, post(body), 400, 'invalid_request', '');
for (const body of [
  '',
  ' ',
  '{',
  '}',
  '{"a"',
  "{'a':1}",
  '{} {}',
  `${text}${text}`,
  `${text}\u0000`,
  `\ufeff${text}`,
  '<xml/>',
  'a=b',
  'undefined',
  '"\\ud800"',
  '"\\x00"',
  '['.repeat(8000),
  '{"a":'.repeat(3000),
]) {
  add(`the body ${JSON.stringify(body.slice(0, 12))}`, post(body), 400, 'malformed_json');
}
for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
  add(
    `bytes ${bytes.map((byte) => byte.toString(16)).join(' ')}`,
    post(Buffer.concat([Buffer.from('{"from":"'), Buffer.from(bytes), Buffer.from('"}')])),
    400,
    'malformed_json',
  );
}
add('a body in UTF-16', post(Buffer.from(text, 'utf16le')), 400, 'malformed_json');
add('a body of 16 KiB and a byte', post(text + ' '.repeat(16 * 1024 - text.length + 1)), 413, 'body_too_large');
add('a body of a megabyte', post('x'.repeat(1024 * 1024)), 413, 'body_too_large');
add(
  'a body of a megabyte in chunks',
  post('x'.repeat(1024 * 1024), { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
  413,
  'body_too_large',
);
add(
  'no body at all',
  { method: 'POST', path: '/transactions', headers: { 'Content-Type': 'application/json' } },
  400,
  'malformed_json',
);
add(
  'an empty body in chunks',
  post('', { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
  400,
  'malformed_json',
);

// Media types.
for (const type of [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; a=b',
  'application/json; charset=utf-8; a=b',
  'application/json, application/json',
  'application/problem+json',
  'application/jsonp',
  'application/*',
  '*/*',
  'json',
  '',
  ';',
  'application/json;charset',
]) {
  add(`Content-Type ${type}`, post(text, { 'Content-Type': type }), 415, 'unsupported_media_type');
}
add('no Content-Type', post(text, { 'Content-Type': undefined }), 415, 'unsupported_media_type');
for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x'])
  add(`Content-Encoding ${encoding}`, post(text, { 'Content-Encoding': encoding }), 415, 'unsupported_media_type');
for (const accept of [
  'text/html',
  'application/xml, text/*',
  'application/json;q=0',
  '*/*;q=0',
  'application/json;q=0, */*',
]) {
  add(`Accept ${accept}`, post(text, { Accept: accept }), 406, 'not_acceptable');
}

// Queries.
for (const limit of ['0', '1001', '2147483648', '9007199254740993'])
  add(`limit=${limit}`, list(`limit=${limit}`), 400, 'invalid_request', '#/query/limit');
for (const limit of [
  '-1',
  '+5',
  '%2B5',
  '%205',
  '5%20',
  '05',
  '1e2',
  '0x10',
  '5.0',
  '5,0',
  'ten',
  '',
  '%00',
  '%D9%A1',
  'null',
  '99999999999999999999',
]) {
  add(`limit=${limit}`, list(`limit=${limit}`), 400, 'invalid_request', '#/query/limit');
}
for (const search of [
  'limit=5&limit=5',
  'limit=5&LIMIT=5',
  'limit=5&l%69mit=6',
  'limit[]=5',
  'limit[0]=5',
  'limit[a]=5',
  'x',
  'x=1',
  '__proto__=1',
  'constructor=1',
  '__proto__[a]=1',
  'limit',
  'limit=%',
  'limit=%zz',
  'limit=%ff',
  '%ff=1',
  '%=1',
  `${'a=1&'.repeat(500)}a=1`,
]) {
  add(`the query ?${search.slice(0, 24)}`, list(search), 400, 'invalid_request');
}
for (const cursor of ['', '%', '%20', 'a=b', 'a%3D', 'AAA%3D%3D', '+', 'a'.repeat(257), '%2e%2e'])
  add(`cursor=${cursor.slice(0, 12)}`, list(`cursor=${cursor}`), 400, 'invalid_request', '#/query/cursor');
for (const status of ['Pending', 'done', 'pending,failed', 'pending%00', 'null'])
  add(`status=${status}`, list(`status=${status}`), 400, 'invalid_request', '#/query/status');
for (const name of ['from', 'to', 'account']) {
  for (const value of ['x', SENDER.toUpperCase(), `${SENDER}%0A`, `${RECEIVER}x`, 'a:b', '%00'])
    add(`${name}=${value.slice(0, 10)}`, list(`${name}=${value}`), 400, 'invalid_request', `#/query/${name}`);
}
for (const search of [
  '',
  'address=',
  'address',
  'address=x',
  `address[]=${SENDER}`,
  `address=${SENDER},${SENDER}`,
  `address=${SENDER}&address=`,
  `address=${SENDER}&x=1`,
  `address=${SENDER}&limit=1`,
  `address=${SENDER}%00`,
  Array.from({ length: 101 }, () => `address=${SENDER}`).join('&'),
  Array.from({ length: 150 }, () => `address=${SENDER}`).join('&'),
]) {
  add(
    `the accounts ?${search.slice(0, 20)} of ${search.length}`,
    { path: `/accounts${search === '' ? '' : '?'}${search}` },
    400,
    'invalid_request',
  );
}
for (const path of [
  '/chain',
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/openapi.yaml',
  '/openapi.client.json',
  `/transactions/${TX_HASH}`,
  `/accounts/${SENDER}`,
]) {
  add(`a query on ${path}`, { path: `${path}?x=1` }, 400, 'invalid_request', '#/query/x');
}
add(
  'a query on POST /transactions',
  { ...post(text), path: '/transactions?wait=5' },
  400,
  'invalid_request',
  '#/query/wait',
);

// Path parameters.
for (const id of [
  'x',
  '0',
  TX_HASH.slice(1),
  `${TX_HASH}A`,
  `0x${TX_HASH.slice(2)}`,
  'G'.repeat(64),
  `${TX_HASH.slice(0, -3)}%00`,
  '%20',
  '..%2f..%2fetc',
  `${TX_HASH}%0a`,
  'a'.repeat(4000),
  '*',
  '%F0%9F%A6%8A',
]) {
  for (const method of ['GET', 'DELETE'])
    add(
      `${method} of the transaction ${id.slice(0, 16)}`,
      { method, path: `/transactions/${id}` },
      400,
      'invalid_request',
      '#/path/txHash',
    );
}
for (const address of ['x', SENDER.toUpperCase(), `${SENDER}x`, '%00', 'txl1', '@', 'cosmos1abc'])
  add(
    `the account ${address.slice(0, 12)}`,
    { path: `/accounts/${address}` },
    400,
    'invalid_request',
    '#/path/address',
  );
for (const path of ['/transactions/%zz', '/transactions/%', '/transactions/%ff', '/accounts/%c3%28']) {
  add(`the path ${path}`, { path, operation: 'GET /transactions/{txHash}' }, 400, 'invalid_request');
}

// Paths and methods.
for (const path of [
  '/nowhere',
  '/Transactions',
  '/transactions/',
  '//transactions',
  '/chain/',
  '/CHAIN',
  '/transactions//x',
  `/transactions/${TX_HASH}/`,
  '/v1/transactions',
  '/%74ransactions',
  '/transactions%2f',
  '/.env',
  '/..%2f',
  '/docs/',
  '/Docs',
  '/openapi.JSON',
  '/favicon.ico',
  '/accounts/',
]) {
  add(`the path ${path}`, { path }, 404, 'not_found');
}
for (const [method, path] of [
  ['PUT', '/transactions'],
  ['DELETE', '/transactions'],
  ['PATCH', '/transactions'],
  ['OPTIONS', '/transactions'],
  ['TRACE', '/transactions'],
  ['PROPFIND', '/transactions'],
  ['POST', `/transactions/${TX_HASH}`],
  ['PUT', `/transactions/${TX_HASH}`],
  ['OPTIONS', `/accounts/${SENDER}`],
  ['POST', '/accounts'],
  ['GET', '/transactions/check'],
  ['DELETE', '/transactions/check'],
  ['POST', '/chain'],
  ['POST', '/livez'],
  ['DELETE', '/metrics'],
  ['OPTIONS', '/chain'],
  ['POST', '/docs'],
  ['DELETE', '/'],
  ['POST', '/docs/errors'],
  ['QUERY', '/transactions'],
] as const) {
  add(`${method} ${path.slice(0, 20)}`, { method, path }, 405, 'method_not_allowed');
}

// Who asks, and from where.
for (const token of [
  null,
  '',
  ' ',
  'x',
  'txl_full_wrong',
  'a b',
  'é'.repeat(3),
  'x'.repeat(5000),
  '=',
  '"txl_full_secret"',
]) {
  add(`the token ${String(token).slice(0, 16)}`, { ...post(text), token }, 401, 'unauthenticated');
}
for (const authorization of [
  'Basic dXNlcjpwYXNz',
  'txl_full_secret',
  'Bearer',
  'Bearer ',
  'Token txl_full_secret',
  'Bearer txl_full_secret, Bearer x',
  'Digest a="b"',
  'bearer:txl_full_secret',
]) {
  add(
    `Authorization: ${authorization.slice(0, 20)}`,
    { ...post(text), token: null, headers: { Authorization: authorization } },
    401,
    'unauthenticated',
  );
}
add('a token in the query', { ...list('access_token=txl_full_secret'), token: null }, 401, 'unauthenticated');
add('reading with a writing token', { path: '/transactions', token: 'txl_write_secret' }, 403, 'insufficient_scope');
add('writing with a reading token', { ...post(text), token: 'txl_read_secret' }, 403, 'insufficient_scope');
add(
  'cancelling with a reading token',
  { method: 'DELETE', path: `/transactions/${TX_HASH}`, token: 'txl_read_secret' },
  403,
  'insufficient_scope',
);
for (const path of ['/transactions', `/transactions/${TX_HASH}`, `/accounts/${SENDER}`])
  add(`${path.slice(0, 16)} with a token of no scope`, { path, token: 'txl_none_secret' }, 403, 'insufficient_scope');
for (const host of [
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  '127.0.0.2',
  'localhost',
  '[::1]',
  '127.0.0.1@evil',
  'ledger.test.',
  'xledger.test',
]) {
  add(`Host: ${host}`, { ...post(text), headers: { Host: host } }, 421, 'host_not_allowed');
}
for (const origin of [
  'https://evil.example',
  'null',
  'http://127.0.0.1',
  'http://127.0.0.1:1',
  'http://evil.ledger.test',
  'file://',
  'x',
  '',
]) {
  add(`Origin: ${origin}`, { ...post(text), headers: { Origin: origin } }, 403, 'origin_not_allowed');
}

describe('wrong input gets its documented code and reaches nobody', () => {
  test('the table is as long as it is meant to be', () => expect(cases.length).toBeGreaterThan(350));

  test.each(cases)('$name', async ({ ask, status, code, pointer }) => {
    server.gateway.reset();
    const answer = await server.ask(ask);
    expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
    if (pointer !== undefined)
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(server.gateway.calls).toEqual([]);
    expect(server.log.filter((line) => line.level === 'error')).toEqual([]);
  });
});
