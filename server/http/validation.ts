/**
 * Validates requests, and in tests answers, against the contract with express-openapi-validator.
 *
 * The library is used through the class that its middleware is made of, and its known gaps are closed around it:
 * - It finds an operation by scanning all paths and recompiling a pattern for each, at every request; that costs more
 *   than the validating. So each group of paths has a validator of its own that knows these paths only. A group is a
 *   first path segment, its fixed paths apart from its templated ones, so that the hot path never meets a template;
 *   single paths that only have GET share one, because each validator costs time at boot. A path of the RPC has its own,
 *   made at its first request.
 * - It keeps a compiled validator for every distinct Content-Type, also of requests without a body. The header is
 *   therefore normalised before the library sees it: plain JSON where there is a body, absent elsewhere.
 * - It compiles at an operation's first request; `ready` does that at boot, but not for the 56 operations of the RPC's
 *   methods: together they take 0.3 s, each alone 5 to 10 ms of its first request.
 * - Its `int64` has no range and `uint128` is ours; both are defined here.
 * - It can only judge a request as a whole. Of a batch it judges the envelope; its transfers are judged one by one with the
 *   library's own Ajv and the schema that a single transfer has.
 * - It mutates the document it is given, and reads all of it, so each group gets a copy of what it needs.
 * - Its loader compiles a validator of OpenAPI itself for each document, also when told not to validate it: our slices are
 *   handed to the class behind it instead.
 * Authorisation, media types, body parsing and 404 and 405 are settled before it is reached.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parse as legacyUrlParse } from 'node:url';

import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { createRequestAjv } from 'express-openapi-validator/dist/framework/ajv/index.js';
import { ajvErrorsToValidatorError, augmentAjvErrors } from 'express-openapi-validator/dist/middlewares/util.js';
import { BadRequest, OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';

import type { FieldError } from '../gateway/types.ts';

import type { OpenapiDocument } from './contract/bundle.ts';
import { closedContract } from './contract/closed.ts';
import type { OperationSpec } from './contract/operations.ts';
import { describeRoutes } from './contract/routes.ts';
import { sliceContract } from './contract/slice.ts';
import { describeFault } from './field-messages.ts';
import { dropOptionalNulls } from './nulls.ts';

const UINT128_MAX = 2n ** 128n - 1n;
const INT32_MAX = 2 ** 31 - 1;

const FORMATS = {
  int32: { type: 'number' as const, validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= INT32_MAX },
  int64: { type: 'number' as const, validate: Number.isSafeInteger },
  uint128: { type: 'string' as const, validate: (text: string) => text.length < 39 || (/^[0-9]{39}$/.test(text) && BigInt(text) <= UINT128_MAX) },
};

/** Where the validator found fault with a request. */
export class InvalidRequest extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super('The request does not fit the contract.');
    this.errors = errors;
  }
}

/** Called with what the library says about an answer that does not fit the contract. */
export type OnViolation = (response: Response, fault: Error) => void;

export interface Validation {
  /** Resolves when the request fits the contract; rejects with InvalidRequest, or another error for a defect of ours. */
  check(operation: OperationSpec, request: Request, response: Response): Promise<void>;
  /** What is wrong with one transfer of a batch; nothing when it fits the contract. Null for an optional member is taken out of it. */
  transferFaults(transfer: unknown): readonly FieldError[];
  /** Compiles the validators of all operations but those of the RPC's methods. */
  ready: Promise<void>;
}

export function createValidation(
  app: Express,
  document: OpenapiDocument,
  operations: readonly OperationSpec[],
  onViolation: OnViolation | undefined,
): Validation {
  settleUrlParse();
  const judged = onViolation === undefined ? document : closedContract(document);
  const groups = new Map<string, RequestHandler[]>();
  const stepsFor = (operation: OperationSpec): RequestHandler[] => {
    const name = groupOf(judged, operation.path);
    const steps = groups.get(name) ?? middlewareFor(judged, name, groups.size + 1, onViolation);
    groups.set(name, steps);
    return steps;
  };
  const check = async (operation: OperationSpec, request: Request, response: Response): Promise<void> => {
    // Only application/json, whose one allowed parameter says nothing, has come this far.
    if (operation.body) request.headers['content-type'] = 'application/json';
    else delete request.headers['content-type'];
    // HEAD is judged as the GET of its path.
    const { method } = request;
    request.method = operation.method;
    try {
      await run(stepsFor(operation), request, response, onViolation);
    } catch (error) {
      throw translate(error, request);
    } finally {
      request.method = method;
    }
  };
  const atBoot = operations.filter(({ rpcMethod }) => rpcMethod === undefined);
  return { check, transferFaults: createTransferFaults(judged, operations), ready: warmUp(app, atBoot, check) };
}

const NO_FAULTS: readonly FieldError[] = [];
const SINGLE = { path: '/transactions', schema: '#/components/schemas/TransactionInput' };
const BATCH = { path: '/transactions/batch', schema: 'TransactionBatchInput', member: 'transactions' };

/** By the very schema of a single transfer, compiled once with the library's Ajv and the options that it has for bodies. */
function createTransferFaults(document: OpenapiDocument, operations: readonly OperationSpec[]): Validation['transferFaults'] {
  const slice = sliceContract(document, [SINGLE.path], false);
  const options = { strict: false, strictNumbers: true, strictTuples: true, allowUnionTypes: false, validateSchema: false, useDefaults: true, allErrors: true };
  const ajv = createRequestAjv(slice as never, { ...options, formats: FORMATS } as never);
  const fits = ajv.compile({ $ref: SINGLE.schema, components: slice.components });
  const { optionalMembers } = operations.find(({ path, method }) => path === SINGLE.path && method === 'POST') ?? { optionalMembers: new Set<string>() };
  return (transfer) => {
    dropOptionalNulls(transfer, optionalMembers);
    if (fits(transfer)) return NO_FAULTS;
    const { errors } = ajvErrorsToValidatorError(400, augmentAjvErrors(fits.errors as never) as never);
    return fieldErrors(errors.map(({ path, message }) => ({ path: `/body${path}`, message })), { body: transfer });
  };
}

/** The transfers of a batch are judged one by one. */
function loosenBatch(slice: OpenapiDocument): void {
  if (slice.paths[BATCH.path] === undefined) return;
  const schema = slice.components.schemas?.[BATCH.schema] as { properties: Record<string, { items: unknown }> } | undefined;
  const list = schema?.properties[BATCH.member];
  if (list === undefined) throw new Error(`The contract's ${BATCH.schema} has no list ${BATCH.member}.`);
  list.items = {};
}

/**
 * The library calls `url.parse` at every request. Until that function has warned of its deprecation once, Node examines
 * the stack at each call to see who calls (5 to 20 us); packages are never warned, so it would go on for ever. One call
 * of our own, with warnings off, ends it.
 */
function settleUrlParse(): void {
  const before = process.noDeprecation;
  process.noDeprecation = true;
  legacyUrlParse('/');
  process.noDeprecation = before ?? false;
}

/** `/transactions` and `/transactions/batch` are one group, `/transactions/{id}` is another; `/chain` and its like share one; `/rpc/tx` is alone. */
function groupOf(document: OpenapiDocument, path: string): string {
  if (path.startsWith('/rpc/')) return path;
  const first = path.split('/')[1] ?? '';
  const alone = !path.includes('{') && Object.keys(document.paths[path] ?? {}).join() === 'get';
  return alone ? 'alone' : `${first}${path.includes('{') ? ' {}' : ''}`;
}

function middlewareFor(document: OpenapiDocument, group: string, serial: number, onViolation: OnViolation | undefined): RequestHandler[] {
  const paths = Object.keys(document.paths).filter((path) => groupOf(document, path) === group);
  const slice = sliceContract(document, paths, onViolation !== undefined);
  loosenBatch(slice);
  const validator = new OpenApiValidator({
    apiSpec: slice as never,
    validateRequests: { allErrors: true },
    validateResponses:
      onViolation === undefined ? false : { onError: (fault, _body, request) => onViolation((request as Request).res as Response, fault) },
    validateSecurity: false,
    fileUploader: false,
    formats: FORMATS,
  });
  return validator.installMiddleware(Promise.resolve(describeRoutes(slice, serial))) as RequestHandler[];
}

/** Runs the library's steps one after another, as a router would. */
function run(steps: readonly RequestHandler[], request: Request, response: Response, onViolation: OnViolation | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let passed = false;
    const next = (at: number): NextFunction => {
      return ((error?: unknown) => {
        if (error !== undefined && passed) {
          // The library hooks `response.json` and reports late, through the `next` of its last step.
          onViolation?.(response, error as Error);
        } else if (error !== undefined) reject(error);
        else step(at);
      }) as NextFunction;
    };
    const step = (at: number): void => {
      const handler = steps[at];
      if (handler === undefined) {
        passed = true;
        resolve();
      } else void handler(request, response, next(at + 1));
    };
    step(0);
  });
}

function translate(error: unknown, request: Request): unknown {
  return error instanceof BadRequest ? new InvalidRequest(fieldErrors(error.errors, request)) : error;
}

type RequestParts = Partial<Record<'body' | 'query' | 'params', unknown>>;

function fieldErrors(faults: readonly { path: string; message: string }[], parts: RequestParts): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const { path, message } of faults) {
    const pointer = pointerOf(path);
    const [name = ''] = path.split('/').slice(-1);
    const described = { pointer, message: describeFault({ name: unescapePointer(name), message, value: valueAt(parts, path) }) };
    // Length and pattern of one value fail together, and one sentence is about both.
    errors.set(`${pointer} ${described.message}`, described);
  }
  return [...errors.values()];
}

/** What the request has at `/body/amount`, `/query/limit`, `/params/address`; undefined where it has nothing. */
function valueAt({ body, query, params }: RequestParts, path: string): unknown {
  const [, place, ...steps] = path.split('/').map(unescapePointer);
  const root: unknown = place === 'body' ? body : place === 'query' ? query : place === 'params' ? params : undefined;
  return steps.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : undefined), root);
}

/** RFC 6901 section 4. */
const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The library's `/body/amount`, `/query/limit`, `/params/address`, `/headers/prefer` in the contract's notation. */
function pointerOf(path: string): string {
  if (path.startsWith('/body')) return path.slice('/body'.length);
  return path.replace(/^\/params\//, '#/path/').replace(/^\/query\//, '#/query/').replace(/^\/headers\//, '#/header/');
}

/** Sends each operation a request that nobody made; only that it is judged matters, not the verdict. */
async function warmUp(app: Express, operations: readonly OperationSpec[], check: Validation['check']): Promise<void> {
  for (const operation of operations) {
    const request = Object.setPrototypeOf(new IncomingMessage(new Socket()), app.request) as Request;
    const response = Object.setPrototypeOf(new ServerResponse(request), app.response) as Response;
    request.method = operation.method;
    request.url = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
    Object.assign(request, { app, res: response, originalUrl: request.url, baseUrl: '', params: {}, body: operation.body ? {} : undefined });
    Object.defineProperty(request, 'query', { value: {}, writable: true, configurable: true, enumerable: true });
    await check(operation, request, response).catch((error: unknown) => {
      if (!(error instanceof InvalidRequest)) throw error;
    });
  }
}
