/** What a wrong value of a request is told: the rule that it breaks and what it is instead, and that null for an optional member is no value at all. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { TestServer } from './support/server.ts';
import { RECEIVER, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const ADDRESS = 'An address is lower-case bech32m: txl1 or txlt1 and 58 characters';
const SIGNATURE = 'A signature is 128 lower-case hex digits without a prefix';
const HASH = 'A txHash is 64 hex digits in either case, without a prefix';
const AMOUNT =
  'An amount is a string of decimal digits from 1 to 2^128-1, in minor units, without sign, point, exponent or leading zero';
const NONCE = 'A nonce is an integer from 0 to 2^53-1, without quotes';

const { signature } = TRANSFER;
const inBody: [name: string, member: string, value: unknown, message: string][] = [
  ['an address as 0x-hex', 'from', `0x${'ab'.repeat(32)}`, `${ADDRESS}; this one is hexadecimal (0x...).`],
  ['an address of another kind of chain', 'to', `cosmos1${'q'.repeat(38)}`, `${ADDRESS}; this one begins differently.`],
  ['an address in upper case', 'to', RECEIVER.toUpperCase(), `${ADDRESS}; this one has upper-case letters.`],
  [
    'an address in mixed case',
    'to',
    `${RECEIVER.slice(0, -1)}${RECEIVER.slice(-1).toUpperCase()}`,
    `${ADDRESS}; this one has upper-case letters.`,
  ],
  [
    'an address with a letter that bech32 leaves out',
    'to',
    `${RECEIVER.slice(0, -1)}b`,
    `${ADDRESS}; this one has characters outside the bech32 alphabet.`,
  ],
  ['an address that is cut', 'from', SENDER.slice(0, -2), `${ADDRESS}; this one has 56 characters after the 1.`],
  ['an address that is null', 'from', null, `${ADDRESS}; this one is null.`],
  ['a signature in upper case', 'signature', signature.toUpperCase(), `${SIGNATURE}; this one has upper-case digits.`],
  ['a signature with 0x', 'signature', `0x${signature}`, `${SIGNATURE}; this one begins with 0x.`],
  ['a signature that is cut', 'signature', signature.slice(2), `${SIGNATURE}; this one has 126 characters.`],
  [
    'a signature in base64',
    'signature',
    Buffer.from(signature, 'hex').toString('base64'),
    `${SIGNATURE}; this one has characters that are no hex digits.`,
  ],
  ['a hash with 0x', 'txHash', `0x${TX_HASH}`, `${HASH}; this one begins with 0x.`],
  ['an amount that is a number', 'amount', 100, `${AMOUNT}.`],
  ['an amount of 0', 'amount', '0', `${AMOUNT}.`],
  ['an amount of 2^128', 'amount', '340282366920938463463374607431768211456', `${AMOUNT}; this one is too large.`],
  ['a nonce in quotes', 'nonce', '0', `${NONCE}.`],
  ['a nonce below 0', 'nonce', -1, `${NONCE}.`],
];

const TIME =
  'A time is as RFC 3339 writes it, such as 2026-11-01T00:00:00Z or 2026-11-28T10:00:00+01:00, with at most nine digits of fractions of a second';

describe('from and to, which are times of a statement and addresses of transactions', () => {
  const statement = `/accounts/${SENDER}/entries`;
  test.each([
    ['an address for a time', `${statement}?from=${SENDER}`, 'from', `${TIME}; this one is an address.`],
    ['a height for a time', `${statement}?to=1204`, 'to', `${TIME}; this one is a number.`],
    [
      'a plus sign that a URL made a space',
      `${statement}?from=2026-11-28T10:00:00+01:00`,
      'from',
      `${TIME}; this one has a space before its offset, where a URL needs %2B for a plus sign.`,
    ],
    [
      'a time without an offset',
      `${statement}?from=2026-11-28T10:00:00`,
      'from',
      `${TIME}; this one has no offset, which is Z for UTC.`,
    ],
    ['a time for an address', '/transactions?from=2026-11-01T00:00:00Z', 'from', `${ADDRESS}; this one is a time.`],
    ['a day for an address', '/transactions?to=2026-11-01', 'to', `${ADDRESS}; this one is a time.`],
    ['a height for an address', '/transactions?to=1204', 'to', `${ADDRESS}; this one is a number.`],
  ])('name %s for what it is', async (_name, path, parameter, message) => {
    const { status, body } = await server.ask({ path });
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [{ pointer: `#/query/${parameter}`, message }],
    });
  });
});

describe('a body', () => {
  test.each(inBody)('with %s is told the rule, once', async (_name, member, value, message) => {
    const { status, body } = await server.submit({ ...TRANSFER, [member]: value });
    expect({ status, code: body.code, errors: body.errors }).toEqual({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: `/${member}`, message }],
    });
    expect(body.detail).toBe(`The request does not fit the contract at /${member}. ${message}`);
    expect(server.gateway.calls).toEqual([]);
  });

  test('with several faults is told so, and the first', async () => {
    const { from: _from, ...rest } = TRANSFER;
    const { body } = await server.submit({ ...rest, amount: '-5', memo: 'x' });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { pointer: '/from', message: 'The required member from is missing.' },
        { pointer: '/amount', message: `${AMOUNT}.` },
        { pointer: '/memo', message: 'The member memo is not known here. Leave it out.' },
      ]),
    );
    expect(body.detail).toBe(
      `The request does not fit the contract in several places. The first is ${body.errors[0].pointer}. ${body.errors[0].message}`,
    );
  });
});

test.each([
  ['#/path/address', `/accounts/0x${'ab'.repeat(32)}`, `${ADDRESS}; this one is hexadecimal (0x...).`],
  ['#/query/from', `/transactions?from=${SENDER.toUpperCase()}`, `${ADDRESS}; this one has upper-case letters.`],
  ['#/path/txHash', `/transactions/0x${TX_HASH}`, `${HASH}; this one begins with 0x.`],
  // A statement's bounds are times, although a list calls accounts so.
  ['#/query/limit', '/transactions?limit=1001', 'It must be at most 1000.'],
])('%s is told the rule', async (pointer, path, message) => {
  const { status, body } = await server.ask({ path });
  expect({ status, errors: body.errors }).toEqual({ status: 400, errors: [{ pointer, message }] });
});

describe('null', () => {
  test('for an optional member counts as absent', async () => {
    expect((await server.submit({ ...TRANSFER, txHash: null })).status).toBe(202);
    expect(server.gateway.calls[0]?.args[0]).toEqual(TRANSFER);
  });

  test.each(['from', 'to', 'amount', 'nonce', 'signature'])('for the required %s is refused', async (member) => {
    const { status, body } = await server.submit({ ...TRANSFER, [member]: null });
    expect({
      status,
      code: body.code,
      pointers: body.errors.map(({ pointer }: { pointer: string }) => pointer),
    }).toEqual({ status: 400, code: 'invalid_request', pointers: [`/${member}`] });
  });

  test('for an optional argument of the RPC counts as absent, as CometBFT reads it', async () => {
    server.gateway.onRpc = async () => ({
      ok: false,
      status: 404,
      error: { code: -32603, message: 'Internal error', data: 'no such block' },
    });
    expect((await server.ask({ method: 'POST', path: '/rpc/block', body: { height: null } })).status).toBe(404);
    expect(server.gateway.calls[0]?.args.slice(0, 2)).toEqual(['block', { height: undefined }]);
    expect((await server.ask({ method: 'POST', path: '/rpc/tx', body: { hash: null } })).status).toBe(400);
  });
});
