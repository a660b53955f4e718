/**
 * Validates requests, and in tests answers, against the contract with express-openapi-validator.
 *
 * The library is used through the class that its middleware is made of, and its known gaps are closed around it:
 * - Around the two functions that it compiles for an operation, it finds the operation again, parses the URL, walks the
 *   parameters and awaits a promise in each of its steps, at every request: ten times what the functions take. So those
 *   two are called directly, where nothing else of it could decide (`isPlain`). A request that they refuse goes the
 *   library's whole way, which words the refusal. Where answers are validated too, in the tests, every request goes both
 *   ways, and a different verdict is a defect (decision 0059).
 * - It finds an operation by scanning all paths. So each group of paths has a validator of its own that knows these paths
 *   only. A group is a first path segment, its fixed paths apart from its templated ones; single paths that only have GET
 *   share one, because each validator costs time at boot. A path of the RPC has its own, made at its first request.
 * - It keeps a compiled validator for every distinct Content-Type, also of requests without a body. The header is
 *   therefore normalised before the library sees it: plain JSON where there is a body, absent elsewhere.
 * - It compiles at an operation's first request; `ready` does that at boot, but not for the 56 operations of the RPC's
 *   methods: together they take 0.3 s, each alone 5 to 10 ms of its first request.
 * - Its `int64` has no range and `uint128` is ours; both are defined here.
 * - It can only judge a request as a whole. Of a batch it judges the envelope; its transfers are judged one by one with the
 *   library's own Ajv and the schema that a single transfer has.
 * - It mutates the document it is given, and reads all of it, so each group gets a copy of what it needs.
 * - It compiles what references name, only to find it (./contract/references.ts), and much that nobody may ask for (./contract/compile-later.ts).
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
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { BadRequest, OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';

import type { FieldError } from '../gateway/types.ts';

import { resolve as resolveReference } from './contract/bundle.ts';
import type { OpenapiDocument } from './contract/bundle.ts';
import { closedContract } from './contract/closed.ts';
import { compileLater, hideFromWalks } from './contract/compile-later.ts';
import type { OperationSpec } from './contract/operations.ts';
import { lookUpReferences } from './contract/references.ts';
import { describeRoutes } from './contract/routes.ts';
import { sliceContract } from './contract/slice.ts';
import { fieldErrors } from './field-errors.ts';
import { dropOptionalNulls } from './nulls.ts';

const UINT128_MAX = 2n ** 128n - 1n;
const INT32_MAX = 2 ** 31 - 1;

const FORMATS = {
  int32: {
    type: 'number' as const,
    validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= INT32_MAX,
  },
  int64: { type: 'number' as const, validate: Number.isSafeInteger },
  uint128: {
    type: 'string' as const,
    validate: (text: string) => text.length < 39 || (/^[0-9]{39}$/.test(text) && BigInt(text) <= UINT128_MAX),
  },
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

/** Parameters by their names, the values of the query as text; what is of another type in the contract is turned into it in place. */
export interface GivenParameters {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  /** What follows the question mark, as it was sent. */
  search: string | undefined;
  /** The query once more, as it was before its values were turned into others. */
  queryAgain(): Record<string, unknown>;
}

export interface Validation {
  /**
   * Undefined, or resolves, when the request fits the contract; rejects with InvalidRequest, or another error for a defect of ours. A
   * promise only where the library's whole way has to be taken.
   */
  check(
    operation: OperationSpec,
    request: Request,
    response: Response,
    parameters: GivenParameters,
  ): Promise<void> | undefined;
  /** What is wrong with one transfer of a batch; nothing when it fits the contract. Null for an optional member is taken out of it. */
  transferFaults(transfer: unknown): readonly FieldError[];
  /** Compiles the validators of all operations but those of the RPC's methods. */
  ready: Promise<void>;
}

type Validated = Parameters<RequestValidator['validate']>;

/** One of the two functions that the library compiles for an operation. */
type Compiled = (data: object) => boolean;

/** The validator of a group of paths: the library's steps, and what its request validator has compiled. */
interface Group {
  steps: readonly RequestHandler[];
  compiled(operation: OperationSpec): readonly [general: Compiled, body: Compiled] | undefined;
}

/** Of an operation, once it has been judged for the first time. */
interface Judge {
  group: Group;
  isPlain: boolean;
  compiled: readonly [general: Compiled, body: Compiled] | undefined;
}

/** Of a document: what is compiled knows nothing of the server that asks, so several in one process share it. */
interface Shared {
  /** What answers are judged by. */
  closed: OpenapiDocument | undefined;
  groups: Map<string, Group>;
}

const shared = new WeakMap<OpenapiDocument, Shared>();

function sharedOf(document: OpenapiDocument): Shared {
  const found = shared.get(document) ?? { closed: undefined, groups: new Map<string, Group>() };
  shared.set(document, found);
  return found;
}

function closedOnce(document: OpenapiDocument): OpenapiDocument {
  return (sharedOf(document).closed ??= closedContract(document));
}

/** Who wants to know of the answer to a request that it does not fit the contract. */
const listeners = new WeakMap<Request, OnViolation>();

/** A query in which the library finds no character that it would refuse, or read in its own way. */
const UNRESERVED_QUERY = /^[A-Za-z0-9._~%=&-]*$/;

export function createValidation(
  app: Express,
  document: OpenapiDocument,
  operations: readonly OperationSpec[],
  onViolation: OnViolation | undefined,
): Validation {
  settleUrlParse();
  lookUpReferences();
  compileLater();
  const judged = onViolation === undefined ? document : closedOnce(document);
  const { groups } = sharedOf(judged);
  const judges = new Map<OperationSpec, Judge>();
  const judgeOf = (operation: OperationSpec): Judge => {
    let judge = judges.get(operation);
    if (judge === undefined) {
      const name = groupOf(judged, operation.path);
      const group = groups.get(name) ?? groupFor(judged, name, groups.size + 1, onViolation !== undefined);
      groups.set(name, group);
      judge = { group, isPlain: isPlain(document, operation), compiled: undefined };
      judges.set(operation, judge);
    }
    return judge;
  };
  /** Whether the compiled functions accept the request; undefined where it takes the whole way to know. */
  const accepts = (
    judge: Judge,
    operation: OperationSpec,
    request: Request,
    { path, query, search }: GivenParameters,
  ): boolean | undefined => {
    if (!judge.isPlain || (search !== undefined && !UNRESERVED_QUERY.test(search))) return undefined;
    judge.compiled ??= judge.group.compiled(operation);
    if (judge.compiled === undefined) return undefined;
    const [general, body] = judge.compiled;
    const data = { query, headers: request.headers, params: path, cookies: undefined, body: request.body as unknown };
    return general(data) && body(data);
  };
  const wholeWay = async (
    { group }: Judge,
    operation: OperationSpec,
    request: Request,
    response: Response,
    query: Record<string, unknown>,
  ): Promise<void> => {
    // Only application/json, whose one allowed parameter says nothing, has come this far.
    if (operation.body) request.headers['content-type'] = 'application/json';
    else delete request.headers['content-type'];
    // Express would parse the query anew, and its own way, at each access.
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true, enumerable: true });
    // HEAD is judged as the GET of its path.
    const { method } = request;
    request.method = operation.method;
    try {
      await run(group.steps, request, response, onViolation);
    } catch (error) {
      throw translate(error, request);
    } finally {
      request.method = method;
    }
  };
  const bothWays = async (
    judge: Judge,
    operation: OperationSpec,
    request: Request,
    response: Response,
    parameters: GivenParameters,
  ): Promise<void> => {
    const refused = await wholeWay(judge, operation, request, response, parameters.queryAgain()).then(
      () => undefined,
      (error: unknown) => error,
    );
    const accepted = accepts(judge, operation, request, parameters);
    if (accepted === undefined) Object.assign(parameters.query, request.query);
    else if (accepted !== (refused === undefined))
      throw new Error(
        `The compiled validators of ${operation.id} ${accepted ? 'accept' : 'refuse'} what the library does not`,
        { cause: refused },
      );
    if (refused !== undefined) throw refused;
  };
  const check: Validation['check'] = (operation, request, response, parameters) => {
    const judge = judgeOf(operation);
    if (onViolation !== undefined) return bothWays(judge, operation, request, response, parameters);
    const accepted = accepts(judge, operation, request, parameters);
    if (accepted === true) return undefined;
    if (accepted === false) Object.assign(parameters.query, parameters.queryAgain());
    return wholeWay(judge, operation, request, response, parameters.query);
  };
  const atBoot = operations.filter(({ rpcMethod }) => rpcMethod === undefined);
  const ready = warmUp(app, atBoot, async (operation, request, response) => {
    const judge = judgeOf(operation);
    await wholeWay(judge, operation, request, response, {});
  }).then(() => {
    const slow = atBoot.find(
      (operation) => isPlain(document, operation) && judgeOf(operation).group.compiled(operation) === undefined,
    );
    if (slow !== undefined)
      throw new Error(`What express-openapi-validator compiled for ${slow.id} cannot be found; is it another version?`);
  });
  return { check, transferFaults: createTransferFaults(judged, operations), ready };
}

const NO_FAULTS: readonly FieldError[] = [];
const SINGLE = { path: '/transactions', schema: '#/components/schemas/TransactionInput' };
const BATCH = { path: '/transactions/batch', schema: 'TransactionBatchInput', member: 'transactions' };

/** By the very schema of a single transfer, compiled once with the library's Ajv and the options that it has for bodies. */
function createTransferFaults(
  document: OpenapiDocument,
  operations: readonly OperationSpec[],
): Validation['transferFaults'] {
  if (document.paths[SINGLE.path] === undefined) return () => NO_FAULTS;
  const slice = sliceContract(document, [SINGLE.path], false);
  const options = {
    strict: false,
    strictNumbers: true,
    strictTuples: true,
    allowUnionTypes: false,
    validateSchema: false,
    useDefaults: true,
    allErrors: true,
  };
  const ajv = createRequestAjv(slice as never, { ...options, formats: FORMATS } as never);
  const fits = ajv.compile({ $ref: SINGLE.schema, components: slice.components });
  const { optionalMembers } = operations.find(({ path, method }) => path === SINGLE.path && method === 'POST') ?? {
    optionalMembers: new Set<string>(),
  };
  return (transfer) => {
    dropOptionalNulls(transfer, optionalMembers);
    if (fits(transfer)) return NO_FAULTS;
    const { errors } = ajvErrorsToValidatorError(400, augmentAjvErrors(fits.errors as never) as never);
    return fieldErrors(
      errors.map(({ path, message }) => ({ path: `/body${path}`, message })),
      { body: transfer },
    );
  };
}

/** Query parameters whose value is text of the caller's own, with spaces and reserved characters. */
const TEXT_PARAMETERS: ReadonlySet<unknown> = new Set(['reference']);

/**
 * The library refuses reserved characters that are not percent-encoded, the `+` with which most clients write a space among them. readQuery has
 * given each value its one meaning already, so in text they pass. The contract does not say so: a client would stop encoding them.
 */
function loosenQueries({ paths, components }: OpenapiDocument): void {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as Record<string, unknown>));
  const parameters = operations.flatMap(
    (operation) => (operation as { parameters?: object[] } | null)?.parameters ?? [],
  );
  for (const parameter of [...parameters, ...Object.values(components.parameters ?? {})] as Record<string, unknown>[]) {
    if (parameter['in'] === 'query' && TEXT_PARAMETERS.has(parameter['name'])) parameter['allowReserved'] = true;
  }
}

/** The transfers of a batch are judged one by one. */
function loosenBatch(slice: OpenapiDocument): void {
  if (slice.paths[BATCH.path] === undefined) return;
  const schema = slice.components.schemas?.[BATCH.schema] as
    | { properties: Record<string, { items: unknown }> }
    | undefined;
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

/**
 * Whether the library does nothing for the operation but call what it compiled: it reads parameters of other types, and
 * bodies with a discriminator, in ways of its own. A repeated parameter is an array before it comes here.
 */
function isPlain(document: OpenapiDocument, { path, method }: OperationSpec): boolean {
  const item = document.paths[path] as { parameters?: unknown[] };
  const operation = document.paths[path]?.[method.toLowerCase()] as { parameters?: unknown[]; requestBody?: unknown };
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolveReference(document, parameter),
  );
  if (
    !parameters.every(
      (parameter) =>
        parameter.schema !== undefined && PLAIN_TYPES.has(resolveReference(document, parameter.schema).type),
    )
  )
    return false;
  const content =
    operation.requestBody === undefined
      ? {}
      : (resolveReference(document, operation.requestBody).content as Record<string, { schema?: unknown }>);
  return Object.values(content).every(
    ({ schema }) => schema === undefined || resolveReference(document, schema).discriminator === undefined,
  );
}

const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'array']);

function groupFor(document: OpenapiDocument, group: string, serial: number, withAnswers: boolean): Group {
  const paths = Object.keys(document.paths).filter((path) => groupOf(document, path) === group);
  const slice = sliceContract(document, paths, withAnswers);
  loosenBatch(slice);
  loosenQueries(slice);
  const validator = new OpenApiValidator({
    apiSpec: slice as never,
    validateRequests: { allErrors: true },
    validateResponses: withAnswers && {
      onError: (fault, _body, request) =>
        listeners.get(request as Request)?.((request as Request).res as Response, fault),
    },
    validateSecurity: false,
    fileUploader: false,
    formats: FORMATS,
  });
  let requests: RequestValidator | undefined;
  // As the library's own, which is private and keeps what it makes to itself. `ready` notices when it is no longer called.
  Reflect.set(validator, 'requestValidationMiddleware', (apiDoc: ConstructorParameters<typeof RequestValidator>[0]) => {
    hideFromWalks(apiDoc);
    const own = new RequestValidator(apiDoc, validator.ajvOpts.request);
    requests = own;
    return (...parameters: Validated) => own.validate(...parameters);
  });
  return {
    steps: validator.installMiddleware(Promise.resolve(describeRoutes(slice, serial))) as RequestHandler[],
    compiled: ({ method, route, body }) => {
      if (requests === undefined) return undefined;
      const key = `${method}-${route}-${body ? 'application/json' : 'not_provided'}`;
      const [general, ofBody] = ['ajv', 'ajvBody'].map((name) =>
        (Reflect.get(requests as object, name) as { getSchema(key: string): Compiled | undefined }).getSchema(key),
      );
      return general && ofBody && [general, ofBody];
    },
  };
}

/** Runs the library's steps one after another, as a router would. */
function run(
  steps: readonly RequestHandler[],
  request: Request,
  response: Response,
  onViolation: OnViolation | undefined,
): Promise<void> {
  if (onViolation !== undefined) listeners.set(request, onViolation);
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

type WholeWay = (operation: OperationSpec, request: Request, response: Response) => Promise<void>;

/** Sends each operation a request that nobody made; only that it is judged matters, not the verdict. */
async function warmUp(app: Express, operations: readonly OperationSpec[], judge: WholeWay): Promise<void> {
  // The library would add a step for each path parameter to the application itself; the parameters have been read when it is asked.
  const own = { enabled: (name: string) => app.enabled(name), param: () => own };
  for (const operation of operations) {
    const request = Object.setPrototypeOf(new IncomingMessage(new Socket()), app.request) as Request;
    const response = Object.setPrototypeOf(new ServerResponse(request), app.response) as Response;
    request.method = operation.method;
    request.url = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
    Object.assign(request, {
      app: own,
      res: response,
      originalUrl: request.url,
      baseUrl: '',
      params: {},
      body: operation.body ? {} : undefined,
    });
    await judge(operation, request, response).catch((error: unknown) => {
      if (!(error instanceof InvalidRequest)) throw error;
    });
  }
}
