/**
 * The functions that are made from the contract for the hot operations judge as express-openapi-validator does, mounted as its documentation says: the same
 * verdict, the same places and the same words, of valid and of broken requests.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { FieldError } from '../../server/gateway/types.ts';
import { FORMATS } from '../../server/http/contract/formats.ts';
import { HOT } from '../../server/http/contract/hot.ts';
import { type OperationSpec, readOperations } from '../../server/http/contract/operations.ts';
import { schemaNameAt } from '../../server/http/contract/schema-names.ts';
import { sliceContract } from '../../server/http/contract/slice.ts';
import { fieldErrors } from '../../server/http/field-errors.ts';
import { readQuery } from '../../server/http/query.ts';
import { createValidation, InvalidRequest } from '../../server/http/validation.ts';
import { cases } from '../support/many-cases.ts';
import { contract } from './support/contract-check.ts';
import { RECEIVER, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const CASES = cases(400, 100_000);
const operations = readOperations(contract.document).filter(({ id }) => id in HOT);

/** A generator that tells the same story every time (xorshift32). */
let state = 20261127;
const random = (below: number): number => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
};
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;

const TEXTS = [
  ...[SENDER, RECEIVER, SENDER.toUpperCase(), `${SENDER}x`, TX_HASH, TX_HASH.toLowerCase(), TX_HASH.slice(1)],
  ...['pending', 'committed', 'Pending', 'all', '0', '1', '10', '1000', '1001', '9007199254740991', '9999999999999999'],
  ...[
    '-1',
    '1.5',
    '1e2',
    'true',
    'null',
    '{}',
    '[]',
    'a/b',
    'a,b',
    'x',
    'ä',
    '\u{1F600}',
    ' x',
    'invoice 7',
    "it's (so)!*",
    '"',
    '\\',
    'x'.repeat(141),
  ],
  ...[
    'wait=3',
    'wait=31',
    'wait=x',
    '340282366920938463463374607431768211455',
    '340282366920938463463374607431768211456',
    TRANSFER.signature,
  ],
];
const VALUES = [
  ...TEXTS,
  0,
  1,
  -1,
  1.5,
  1e21,
  2 ** 53 - 1,
  2 ** 53,
  253402300799,
  253402300800,
  true,
  false,
  null,
  [],
  ['a'],
  {},
  { a: 1 },
];
const VALID: Record<string, readonly string[]> = {
  limit: ['1', '7', '1000'],
  cursor: ['abc_-9'],
  status: ['pending', 'expired'],
  from: [SENDER],
  to: [RECEIVER],
  account: [SENDER],
  address: [SENDER, RECEIVER],
  nonce: ['0', '12'],
  height: ['1', '700'],
  reference: ['invoice 7', "it's (so)!*"],
  txhash: [TX_HASH, TX_HASH.toLowerCase()],
  'x-request-id': ['0123456789abcdef'],
  prefer: ['wait=3'],
  'idempotency-key': ['key-1'],
};
/** On both sides of a bound. */
const NEAR: Record<string, readonly unknown[]> = {
  limit: ['0', '1000', '1001'],
  nonce: ['9007199254740991', '9007199254740992'],
  height: ['0', '1', '9007199254740991', '9007199254740992'],
  cursor: ['x'.repeat(255), 'x'.repeat(256), 'x'.repeat(257)],
  reference: ['x'.repeat(140), 'x'.repeat(141)],
  address: [SENDER.slice(1), `${SENDER}q`],
  txhash: [TX_HASH.slice(1), `${TX_HASH}0`],
};
const NEAR_IN_BODIES: Record<string, readonly unknown[]> = {
  amount: ['0', '1', '340282366920938463463374607431768211455', '340282366920938463463374607431768211456'],
  nonce: [-1, 0, 2 ** 53 - 1, 2 ** 53],
  validUntil: [0, 1, 253402300799, 253402300800],
  reference: ['', 'x', 'x'.repeat(140), 'x'.repeat(141)],
  txHash: [TX_HASH, TX_HASH.slice(1)],
  signature: [TRANSFER.signature.slice(1), `${TRANSFER.signature}0`],
};
/** Mostly what fits, so that what does not stands alone as often as among others. */
function textFor(parameter: string): string {
  const name = parameter.toLowerCase();
  const kind = random(8);
  if (kind > 2) return pick(VALID[name] ?? TEXTS);
  return String(pick(kind === 0 ? TEXTS : (NEAR[name] ?? TEXTS)));
}

const MEMBERS = [
  ...Object.keys(TRANSFER),
  'reference',
  'validUntil',
  'txHash',
  'transactions',
  'extra',
  '__proto__x',
  'a/b',
  'a~b',
];
function transfer(): unknown {
  if (random(12) === 0) return pick(VALUES);
  const made: Record<string, unknown> = { ...TRANSFER };
  if (random(3) === 0) made['reference'] = 'invoice 7';
  if (random(3) === 0) made['validUntil'] = 253402300799;
  for (let faults = random(4); faults > 1; faults--) {
    const name = pick(MEMBERS);
    if (random(3) === 0) delete made[name];
    else made[name] = structuredClone(pick(random(2) === 0 ? VALUES : (NEAR_IN_BODIES[name] ?? VALUES)));
  }
  return made;
}
function bodyFor({ id, body }: OperationSpec): unknown {
  if (!body) return undefined;
  if (id !== 'submitTransactionBatch' || random(10) === 0) return transfer();
  const transactions = random(8) === 0 ? structuredClone(pick(VALUES)) : Array.from({ length: random(4) }, transfer);
  return random(8) === 0 ? { transactions, extra: 1 } : { transactions };
}

interface Made {
  path: string;
  search: string;
  params: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}
function requestFor(operation: OperationSpec): Made {
  const params: Record<string, string> = {};
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    params[name] = textFor(name);
    return encodeURIComponent(params[name]);
  });
  const pairs: string[] = [];
  for (const { name, type } of operation.query.values())
    for (let count = type === 'list' ? random(4) : random(3) === 0 ? 1 : 0; count > 0; count--)
      pairs.push(`${name}=${encodeURIComponent(textFor(name))}`);
  const headers: Record<string, string> = {};
  for (const name of operation.headers) if (random(2) === 0) headers[name.toLowerCase()] = textFor(name);
  return { path, search: pairs.join('&'), params, headers, body: bodyFor(operation) };
}

const app = express();
app.enable('strict routing');
app.enable('case sensitive routing');
const validation = createValidation(app, contract.document, operations, undefined);
const upstream = express();
const tell = new WeakMap<Request, (error: unknown) => void>();
{
  const apiSpec = sliceContract(contract.document, operations, false);
  upstream.use(
    OpenApiValidator.middleware({
      apiSpec: apiSpec as never,
      validateApiSpec: false,
      validateRequests: { allErrors: true },
      validateSecurity: false,
      formats: FORMATS,
    }) as RequestHandler[],
    (request: Request) => tell.get(request)?.(undefined),
    ((error, request, _response, _next) => tell.get(request)?.(error)) as ErrorRequestHandler,
  );
}

function received({ method }: OperationSpec, { path, search, params, headers, body }: Made, query: object): Request {
  const request = Object.setPrototypeOf(new IncomingMessage(new Socket()), app.request) as Request;
  const url = search === '' ? path : `${path}?${search}`;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  Object.assign(request, {
    method,
    url,
    headers: { ...headers, ...type },
    params: { ...params },
    body: structuredClone(body),
  });
  Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true, enumerable: true });
  return request;
}

async function byFunctions(operation: OperationSpec, made: Made, query: Record<string, unknown>): Promise<unknown> {
  const request = received(operation, made, query);
  const next = (): void => expect('the functions').toBe('asking the middleware');
  try {
    await validation.check(operation, request, query, next);
    return { query: { ...query }, params: request.params, body: request.body as unknown };
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors;
    throw error;
  }
}

async function byUpstream(operation: OperationSpec, made: Made, query: Record<string, unknown>): Promise<unknown> {
  const request = received(operation, made, query);
  const error = await new Promise<unknown>((resolve) => {
    tell.set(request, resolve);
    upstream(request, new ServerResponse(request) as Response);
  });
  if (error === undefined) return { query, params: made.params, body: request.body as unknown };
  // The router has taken them away again.
  request.params = { ...made.params };
  if (error instanceof OpenApiValidator.error.BadRequest)
    return fieldErrors(error.errors, request, (steps) => schemaNameAt(contract.document, operation, steps));
  throw error;
}

/** What stands in no answer: which of several faults of a place is named first. */
const sorted = (verdict: unknown): unknown =>
  Array.isArray(verdict)
    ? (verdict as FieldError[]).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
    : verdict;

beforeAll(() => validation.ready);

test('each hot operation is one of the contract', () => {
  expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(HOT).toSorted());
});

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s is judged alike',
  async (_id, operation) => {
    let accepted = 0;
    let refused = 0;
    for (let at = 0; at < CASES; at++) {
      const made = requestFor(operation);
      const [own, other] = [readQuery(made.search, operation.query), readQuery(made.search, operation.query)];
      // What is refused before either of them is asked.
      if (!own.ok || !other.ok) continue;
      const verdict = await byFunctions(operation, made, own.query);
      const expected = await byUpstream(operation, made, { ...other.query });
      if (Array.isArray(expected)) refused += 1;
      else accepted += 1;
      // Of what is equal jest's own comparison would take most of the time.
      if (!isDeepStrictEqual(sorted(verdict), sorted(expected)))
        expect({ made, verdict: sorted(verdict) }).toEqual({ made, verdict: sorted(expected) });
    }
    expect(accepted).toBeGreaterThan(CASES / 20);
    expect(refused).toBeGreaterThan(CASES / 20);
  },
  600_000,
);

test('a transfer of a batch is judged as the body of one', async () => {
  const submit = operations.find(({ id }) => id === 'submitTransaction') as OperationSpec;
  let refused = 0;
  for (let at = 0; at < CASES; at++) {
    const body = transfer();
    // Null for an optional member is taken out before either is judged.
    for (const name of ['reference', 'validUntil', 'txHash'])
      if (typeof body === 'object' && body !== null && Reflect.get(body, name) === null)
        Reflect.deleteProperty(body, name);
    const made = { path: '/transactions', search: '', params: {}, headers: {}, body };
    const expected = await byUpstream(submit, made, {});
    const faults = validation.transferFaults(structuredClone(body));
    if (faults.length > 0) refused += 1;
    const wanted = Array.isArray(expected) ? sorted(expected) : [];
    if (!isDeepStrictEqual(sorted(faults), wanted))
      expect({ body, faults: sorted(faults) }).toEqual({ body, faults: wanted });
  }
  expect(refused).toBeGreaterThan(CASES / 20);
}, 600_000);
