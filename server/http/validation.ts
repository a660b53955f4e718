/**
 * Validates requests, and in tests answers, against the contract: with the middleware of express-openapi-validator, and of a few hot operations
 * (./contract/hot.ts) with functions that are made from the contract when it is generated.
 *
 * The middleware is mounted on each route behind the handler that begins a request, one instance for each tag with that tag's part of the
 * contract, because it tries the paths of its document one after another. Host and Origin, rate, token, scope, media type, JSON bytes and the query's
 * form have been checked when a request comes to it; behind it a handler and an error handler report what it found.
 *
 * - It keeps a validator for every distinct Content-Type, also of requests without a body, so the header is plain JSON or absent.
 * - An instance takes 30 to 170 ms of processor time to make, and each operation some more at its first request, so each is made when it is asked for: all
 *   together would be most of a start. Only that of the probes is made at boot. What the hot operations need is there from the beginning.
 * - Where answers are validated, in the tests, all operations have it, the hot ones beside their functions: a different result is a defect.
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
  /** What stands on the operation's route behind the handler that begins a request; nothing where no request gets there. */
  middleware(operation: OperationSpec): readonly (RequestHandler | ErrorRequestHandler)[];
  /**
   * Undefined, or resolves, when the request fits the contract; rejects with InvalidRequest, or another error for a defect of ours. A promise only
   * where the request goes on, by `next`, to the middleware. Values of the query that are of another type in the contract are turned into it in place.
   */
  check(
    operation: OperationSpec,
    request: Request,
    query: Record<string, unknown>,
    next: NextFunction,
  ): Promise<void> | undefined;
  /** What is wrong with one transfer of a batch; nothing when it fits the contract. Null for an optional member is taken out of it. */
  transferFaults(transfer: unknown): readonly FieldError[];
  /** Resolves when the validators of the probes are compiled. */
  ready: Promise<void>;
}

/** As Ajv makes it. */
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

/** Undefined where the operation is none of the hot ones. */
const functionsOf = ({ id }: OperationSpec): { parameters: Validate; body: Validate } | undefined =>
  Object.hasOwn(hotValidators, id) ? hotValidators[id as HotOperationId] : undefined;

/** Of a document: what is compiled knows nothing of the server that asks, so several in one process share it. */
const shared = new WeakMap<
  OpenapiDocument,
  { closed: OpenapiDocument | undefined; byTag: Map<string, RequestHandler> }
>();

/** Who wants to know of the answer to a request that it does not fit the contract. */
const listeners = new WeakMap<Request, OnViolation>();

/** The tag of what an operator asks as soon as a server listens, and every few seconds from then on. */
const PROBES = 'Health';

/** Called with what the middleware has found; undefined is nothing. */
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
  /** Those that the middleware validates. */
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
  // Express knows an error handler by its four parameters.
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
    // Only application/json, whose one allowed parameter says nothing, has come this far.
    if (operation.body) request.headers['content-type'] = 'application/json';
    else delete request.headers['content-type'];
    // Express would parse the query anew, and its own way, at each access.
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

/** What is wrong with a request of a hot operation; undefined when it fits. */
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

/** In the words and the notation of the contract, as what the middleware finds. */
function worded(
  faults: readonly Fault[],
  parts: { body: unknown; query?: unknown; params?: unknown },
  schemaName: SchemaName,
): FieldError[] {
  return fieldErrors(
    faults.map(({ instancePath, message = '', params }) => {
      const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
      return {
        // A member without a name has no place of its own there.
        path: member === undefined ? instancePath : member && `${instancePath}/${member}`,
        message: params.allowedValues === undefined ? message : `${message}: ${params.allowedValues.join(', ')}`,
      };
    }),
    parts,
    schemaName,
  );
}

/** Of a hot operation where answers are validated: what the middleware finds, which must be what its functions found. */
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
    // The functions validate what is under /body.
    if (validateOne(transfer as object)) return NO_FAULTS;
    const faults = (validateOne.errors ?? []).map((fault) => ({
      ...fault,
      instancePath: `/body${fault.instancePath}`,
    }));
    return worded(faults, { body: transfer }, schemaName);
  };
}

/** The middleware for some operations, made when the first request comes. */
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

/** Sends each operation a request that no one made; only that it is validated matters, not the result. */
async function warmUp(
  app: Express,
  operations: readonly OperationSpec[],
  validatorOf: (operation: OperationSpec) => RequestHandler,
): Promise<void> {
  // The middleware adds a step for each path parameter to the application of the first request. There the parameters have been read.
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
