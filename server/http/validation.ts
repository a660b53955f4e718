/**
 * Validates requests, and in tests answers, against the contract: with the middleware of express-openapi-validator, and for a few hot
 * operations (./contract/hot.ts) with functions that are generated from the contract.
 *
 * The middleware is mounted on each route behind the handler that begins a request, one instance for each tag with that tag's part of the
 * contract, because it tries the paths of its document one after another. Host and Origin, rate, token, scope, media type, JSON bytes and
 * the query's form are checked before it; a handler and an error handler behind it report its result.
 *
 * - It keeps a validator for every distinct Content-Type, also of requests without a body, so the header is plain JSON or absent.
 * - An instance takes 30 to 170 ms of processor time to make, and each operation some more at its first request. So each is made on demand:
 *   all together would be most of a start. Only that of the probes is made at boot. The functions of the hot operations are always ready.
 * - If answers are validated, in the tests, all operations use the middleware, the hot ones beside their functions: a different result is a
 *   defect.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { Router } from 'express';
import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { HOT_VALIDATORS, validateTransfer } from '../../generated/validators.ts';
import type { FieldError } from '../gateway/types.ts';
import type { OpenapiDocument } from './contract/bundle.ts';
import { closedContract } from './contract/closed.ts';
import { FORMATS } from './contract/formats.ts';
import type { HotOperationId } from './contract/hot.ts';
import type { OperationSpec } from './contract/operations.ts';
import { sliceContract } from './contract/slice.ts';
import { schemaNameAt } from './contract/schema-names.ts';
import { fieldErrors, type SchemaName } from './field-errors.ts';
import { dropOptionalNulls } from './nulls.ts';

/** Faults of a request that the validator found. */
export class InvalidRequest extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super('The request does not fit the contract.');
    this.errors = errors;
  }
}

/** Called with the library's description of an answer that does not match the contract. */
export type OnViolation = (response: Response, fault: Error) => void;

export interface Validation {
  /**
   * The handlers on the operation's route behind the one that begins a request; empty if the middleware receives no request of this
   * operation.
   */
  middleware(operation: OperationSpec): readonly (RequestHandler | ErrorRequestHandler)[];
  /**
   * Validates a request: undefined, or resolves, if it matches the contract; rejects with InvalidRequest, or with another error for a
   * defect of ours. Returns a promise only if `next` passes the request to the middleware. Values of the query are converted in place to
   * their type in the contract.
   */
  check(
    operation: OperationSpec,
    request: Request,
    query: Record<string, unknown>,
    next: NextFunction,
  ): Promise<void> | undefined;
  /** Returns the faults of one transfer of a batch; none if it matches the contract. Null for an optional member is removed from it. */
  transferFaults(transfer: unknown): readonly FieldError[];
  /** Resolves when the validators of the probes are compiled. */
  ready: Promise<void>;
}

/** A function as Ajv makes it. */
interface Validate {
  (data: object): boolean;
  errors?: readonly Fault[] | null;
}
interface Fault {
  instancePath: string;
  keyword: string;
  message?: string;
  params: {
    missingProperty?: string;
    additionalProperty?: string;
    unevaluatedProperty?: string;
    allowedValues?: unknown[];
  };
}

const hotValidators: Record<HotOperationId, { parameters: Validate; body: Validate }> = HOT_VALIDATORS;
const validateOne: Validate = validateTransfer;

/** Undefined if the operation is not a hot one. */
const functionsOf = ({ id }: OperationSpec): { parameters: Validate; body: Validate } | undefined =>
  Object.hasOwn(hotValidators, id) ? hotValidators[id as HotOperationId] : undefined;

/** Validators by document: they are independent of the server, so that several servers in one process share them. */
const shared = new WeakMap<
  OpenapiDocument,
  { closed: OpenapiDocument | undefined; byTag: Map<string, RequestHandler> }
>();

/** Listeners for violations of the contract by the answer to a request. */
const listeners = new WeakMap<Request, OnViolation>();

/** The tag of the operations that an operator requests as soon as a server listens, and every few seconds afterwards. */
const PROBES = 'Health';

/** Called with the result of the middleware; undefined means no fault. */
type OnResult = (error: unknown) => void;

export function createValidation(
  app: Express,
  document: OpenapiDocument,
  operations: readonly OperationSpec[],
  onViolation: OnViolation | undefined,
): Validation {
  const withAnswers = onViolation !== undefined;
  const known = shared.get(document) ?? { closed: undefined, byTag: new Map<string, RequestHandler>() };
  shared.set(document, known);
  const contract = withAnswers ? (known.closed ??= closedContract(document)) : document;
  /** The operations that the middleware validates. */
  const mounted = operations.filter((operation) => withAnswers || functionsOf(operation) === undefined);
  const validatorOf = ({ tag }: OperationSpec): RequestHandler => {
    const key = `${tag}${withAnswers ? ' with answers' : ''}`;
    const validator =
      known.byTag.get(key) ??
      validatorFor(
        contract,
        mounted.filter((operation) => operation.tag === tag),
        withAnswers,
      );
    known.byTag.set(key, validator);
    return validator;
  };
  const namesOf =
    (operation: OperationSpec): SchemaName =>
    (steps) =>
      schemaNameAt(document, operation, steps);
  const waiting = new WeakMap<Request, OnResult>();
  const onValid: RequestHandler = (request) => waiting.get(request)?.(undefined);
  // Express recognises an error handler by its four parameters.
  const onInvalid: ErrorRequestHandler = (error: unknown, request, response, next) => {
    const onResult = waiting.get(request);
    if (onResult !== undefined) onResult(error);
    // Found when the request was answered: an answer that the library cannot validate.
    else if (onViolation !== undefined) onViolation(response, error as Error);
    else next(error);
  };

  const byMiddleware = async (
    operation: OperationSpec,
    request: Request,
    query: Record<string, unknown>,
    next: NextFunction,
  ): Promise<void> => {
    if (onViolation !== undefined) listeners.set(request, onViolation);
    // HEAD is validated as the GET of its path.
    const { method } = request;
    request.method = operation.method;
    // Only application/json reaches this point; its one allowed parameter has no effect.
    if (operation.body) request.headers['content-type'] = 'application/json';
    else delete request.headers['content-type'];
    // Express would parse the query again, and in another way, at each access.
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true, enumerable: true });
    const error = await new Promise<unknown>((resolve) => {
      waiting.set(request, resolve);
      next();
    });
    waiting.delete(request);
    request.method = method;
    if (error instanceof OpenApiValidator.error.BadRequest)
      throw new InvalidRequest(fieldErrors(error.errors, request, namesOf(operation)));
    if (error !== undefined) throw error;
  };

  return {
    middleware: (operation) => (mounted.includes(operation) ? [validatorOf(operation), onValid, onInvalid] : []),
    check: (operation, request, query, next) => {
      const functions = functionsOf(operation);
      if (functions === undefined) return byMiddleware(operation, request, query, next);
      if (!withAnswers) {
        const faults = faultsOf(functions, request, query, namesOf(operation));
        return faults === undefined ? undefined : Promise.reject(new InvalidRequest(faults));
      }
      return bothAgree(
        operation,
        faultsOf(functions, request, structuredClone(query), namesOf(operation)),
        byMiddleware(operation, request, query, next),
      );
    },
    transferFaults: transferFaultsOf(document, operations),
    ready: warmUp(
      app,
      mounted.filter(({ tag }) => tag === PROBES),
      validatorOf,
    ),
  };
}

/** Returns the faults of a request of a hot operation; undefined if it has none. */
function faultsOf(
  { parameters, body }: { parameters: Validate; body: Validate },
  request: Request,
  query: Record<string, unknown>,
  schemaName: SchemaName,
): readonly FieldError[] | undefined {
  const data = { query, headers: request.headers, params: request.params, body: request.body as unknown };
  const parametersFit = parameters(data);
  if (body(data) && parametersFit) return undefined;
  return worded([...(parametersFit ? [] : (parameters.errors ?? [])), ...(body.errors ?? [])], data, schemaName);
}

/** Converts faults to the words and the notation of the contract, as for the middleware. */
function worded(
  faults: readonly Fault[],
  parts: { body: unknown; query?: unknown; params?: unknown },
  schemaName: SchemaName,
): FieldError[] {
  return fieldErrors(
    faults.map(({ instancePath, message = '', params }) => {
      const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
      return {
        // In Ajv's path a member without a name has no place of its own.
        path: member === undefined ? instancePath : member && `${instancePath}/${member}`,
        message: params.allowedValues === undefined ? message : `${message}: ${params.allowedValues.join(', ')}`,
      };
    }),
    parts,
    schemaName,
  );
}

/** For a hot operation when answers are validated: the middleware must have the same result as its functions. */
async function bothAgree(
  { id }: OperationSpec,
  faults: readonly FieldError[] | undefined,
  byMiddleware: Promise<void>,
): Promise<void> {
  const refused: unknown = await byMiddleware.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refused !== undefined && !(refused instanceof InvalidRequest)) throw refused;
  if (!isDeepStrictEqual(refused?.errors, faults))
    throw new Error(
      `The functions of ${id} find ${JSON.stringify(faults)}, and express-openapi-validator ${JSON.stringify(refused?.errors)}`,
    );
  if (refused !== undefined) throw refused;
}

const NO_FAULTS: readonly FieldError[] = [];

function transferFaultsOf(
  document: OpenapiDocument,
  operations: readonly OperationSpec[],
): Validation['transferFaults'] {
  const submit = operations.find(({ id }) => id === 'submitTransaction');
  const optionalMembers = submit?.optionalMembers ?? new Set<string>();
  const schemaName: SchemaName = (steps) => (submit === undefined ? undefined : schemaNameAt(document, submit, steps));
  return (transfer) => {
    dropOptionalNulls(transfer, optionalMembers);
    // The functions validate the value below /body.
    if (validateOne(transfer as object)) return NO_FAULTS;
    const faults = (validateOne.errors ?? []).map((fault) => ({
      ...fault,
      instancePath: `/body${fault.instancePath}`,
    }));
    return worded(faults, { body: transfer }, schemaName);
  };
}

/** Returns the middleware for some operations; it is made at the first request. */
function validatorFor(
  document: OpenapiDocument,
  operations: readonly OperationSpec[],
  withAnswers: boolean,
): RequestHandler {
  let router: Router | undefined;
  return (request, response, next) => {
    router ??= Router().use(
      OpenApiValidator.middleware({
        apiSpec: sliceContract(document, operations, withAnswers) as never,
        // The contract has its own lint.
        validateApiSpec: false,
        validateRequests: { allErrors: true },
        validateResponses: withAnswers && {
          onError: (fault, _body, request) => listeners.get(request)?.(request.res as Response, fault),
        },
        // Tokens were checked before.
        validateSecurity: false,
        fileUploader: false,
        formats: FORMATS,
      }) as RequestHandler[],
    );
    router(request, response, next);
  };
}

/** Validates an artificial request for each operation; the result is irrelevant. */
async function warmUp(
  app: Express,
  operations: readonly OperationSpec[],
  validatorOf: (operation: OperationSpec) => RequestHandler,
): Promise<void> {
  // The middleware adds a step for each path parameter to the application of the first request. On that application the parameters have
  // been read.
  const own = { enabled: (name: string) => app.enabled(name), param: () => own };
  for (const operation of operations) {
    const request = Object.setPrototypeOf(new IncomingMessage(new Socket()), app.request) as Request;
    const response = Object.setPrototypeOf(new ServerResponse(request), app.response) as Response;
    const url = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
    const { method, body } = operation;
    const headers = body ? { 'content-type': 'application/json' } : {};
    Object.assign(request, {
      app: own,
      res: response,
      method,
      url,
      originalUrl: url,
      baseUrl: '',
      params: {},
      headers,
    });
    Object.defineProperty(request, 'query', { value: {}, writable: true, configurable: true });
    if (body) request.body = {};
    const error = await new Promise<unknown>((resolve) => validatorOf(operation)(request, response, resolve));
    if (error !== undefined && !(error instanceof OpenApiValidator.error.BadRequest)) throw error;
  }
}
