/**
 * The steps of a request of an operation, in the contract's order of checks; the first step that fails sends the answer:
 *
 *   (Host and Origin, then the route, were checked before) -> rate of the address -> token -> scope -> rate of the token
 *   -> media type and size -> JSON bytes -> query and schema -> height reached -> handler
 *
 * One function per operation instead of a chain of Express layers: the order is visible in one place, and no step can be inserted between
 * two others or forgotten on one route.
 */
import type { Request } from 'express';

import type { Clock } from '../engine/ports.ts';
import { ACCOUNTS_MAX, BATCH_TRANSFERS_MAX } from '../gateway/limits.ts';
import type { Gateway, Principal, Refusal, Sentence } from '../gateway/types.ts';
import { readStrictJson } from '../platform/strict-json.ts';

import type { Answers, AnyReply } from './answer.ts';
import { challenge, readBearer, scopeChallenge } from './bearer.ts';
import { readBody } from './body.ts';
import { SERVER_BUSY } from './answer.ts';
import { limitAddress, limitFurther, limitToken } from './charge.ts';
import type { Connections } from './connections/connections.ts';
import type { OperationSpec } from './contract/operations.ts';
import { COST_FAILED_AUTHENTICATION, costOfAccounts, costOfBatch, costOfBytes, costOfOperation } from './cost.ts';
import type { Exchange } from './exchange.ts';
import { BATCH_BODY_BYTES_MAX, BATCH_RESULT_BYTES_MAX, BODY_BYTES_MAX, SMALL_ANSWER_BYTES_MAX } from './limits.ts';
import { accepts, isIdentityEncoding, isJsonMediaType, preferred } from './media-type.ts';
import { dropOptionalNulls } from './nulls.ts';
import { describeFaults } from './problem/describe-faults.ts';
import { problemOfRefusal } from './problem/problem.ts';
import type { ProblemInit } from './problem/problem.ts';
import { readQuery } from './query.ts';
import type { RateLimits } from './rate-limit.ts';
import { InvalidRequest } from './validation.ts';
import type { Validation } from './validation.ts';

export interface PipelineParts {
  gateway: Gateway;
  answers: Answers;
  validation: Validation;
  /** The classes whose budgets of unsent bytes must have room for another answer. */
  connections: Pick<Connections, 'isFullFor'>;
  rateLimits: RateLimits | undefined;
  clock: Clock;
}

/** A handler without its types, which were checked where the table of handlers was built. */
export type AnyHandler = (call: {
  path: unknown;
  query: unknown;
  header: unknown;
  body: unknown;
  principal: unknown;
  readonly mediaType: string;
  requestId: string;
  readonly signal: AbortSignal;
}) => Promise<AnyReply>;

type Step = (
  exchange: Exchange,
  operation: OperationSpec,
  parts: PipelineParts,
) => Promise<ProblemInit | undefined> | ProblemInit | undefined;

/** Thrown when the client has disconnected; it is dropped without a log line. */
export const GONE = Symbol('gone');

export async function serve(
  exchange: Exchange,
  operation: OperationSpec,
  handler: AnyHandler,
  parts: PipelineParts,
): Promise<void> {
  const { answers, connections } = parts;
  try {
    // The caller is identified first: a request that is refused here takes a turn of anonymous requests, for any target.
    const found = identify(exchange, operation, parts);
    const unknown = found instanceof Promise ? await found : found;
    if (unknown !== undefined) return await answers.refuse(exchange, unknown);
    if (connections.isFullFor(exchange.caller, exchange.class) && !exchange.isAlwaysSent)
      return await answers.refuse(exchange, SERVER_BUSY);
    // Probes cost next to nothing, and must not wait behind callers who keep the thread busy.
    const turn = isProbe(operation) ? undefined : turnOf(exchange, answers);
    if (turn !== undefined) await turn;
    for (const step of STEPS) {
      const outcome = step(exchange, operation, parts);
      const refused = outcome instanceof Promise ? await outcome : outcome;
      if (refused !== undefined) return answers.problem(exchange, refused);
    }
    const call = new ValidCall(exchange, operation);
    await answers.reply(
      exchange,
      await (exchange.span === undefined ? handler(call) : exchange.span.run(() => handler(call))),
    );
  } catch (error) {
    if (error !== GONE) answers.defect(exchange, error);
  }
}

const isProbe = (operation: OperationSpec): boolean => costOfOperation(operation) === 0;

/** Takes the turn of an identified request; rejects with GONE if the client has disconnected. */
export const turnOf = (exchange: Exchange, answers: Answers): Promise<void> | undefined =>
  answers.turn(exchange)?.then(() => {
    if (exchange.response.destroyed) throw GONE;
  });

/** Checks the rate of the address, the token and the scope. */
const identify: Step = (exchange, operation, parts) =>
  limitAddress(exchange, costOfOperation(operation), parts.rateLimits) ??
  (operation.scopes === undefined ? undefined : authenticate(exchange, operation, parts));

const authenticate: Step = (exchange, operation, { gateway }) => {
  const read = readBearer(exchange.request.headers.authorization);
  const principal = read.ok ? gateway.authenticate(read.token) : undefined;
  const sent = read.ok || read.reason === 'malformed';
  // A token in the cache is checked without a promise, because every payment passes here. The look-up of another token takes no turn: every
  // token leaves the cache after 2 s, so with turns payments would wait behind unknown callers. Unknown tokens have a short queue of their
  // own in the gateway.
  return principal instanceof Promise
    ? principal.then((found) => authorise(exchange, operation, found, sent))
    : authorise(exchange, operation, principal, sent);
};

function authorise(
  exchange: Exchange,
  operation: OperationSpec,
  principal: Principal | Refusal | undefined,
  sent: boolean,
): ProblemInit | undefined {
  if (principal === undefined) {
    exchange.rate?.charge(COST_FAILED_AUTHENTICATION);
    const detail: Sentence = sent
      ? 'The bearer token is unknown, expired or revoked. Ask the operator for a new one.'
      : 'This operation needs Authorization: Bearer with a token that the operator made for you.';
    return { code: 'unauthenticated', detail, headers: { 'WWW-Authenticate': challenge(sent) } };
  }
  if ('ok' in principal) return problemOfRefusal(principal);
  exchange.principal = principal;
  const missing = operation.scopes?.filter((scope) => !principal.scopes.includes(scope)) ?? [];
  if (missing.length === 0) return undefined;
  return {
    code: 'insufficient_scope',
    detail: `The token lacks the scope ${missing.join(', ')}, which ${operation.id} needs. Use a token that has it.`,
    headers: { 'WWW-Authenticate': scopeChallenge(operation.scopes ?? []) },
  };
}

export const negotiate = ({ request }: Exchange, operation: OperationSpec): ProblemInit | undefined => {
  if (accepts(request.headers.accept, operation.produces)) return undefined;
  return {
    code: 'not_acceptable',
    detail: `The Accept header rules out ${operation.produces.join(' and ')}, the only form of this answer. Leave Accept out, or allow that form.`,
  };
};

/** Reads the bytes of a JSON body. `mayBeUntyped`: a body without a Content-Type is JSON too. */
export async function readBytes(
  exchange: Exchange,
  bytesMax: number,
  mayBeUntyped = false,
): Promise<{ ok: true; bytes: Buffer } | { ok: false; problem: ProblemInit }> {
  const { request, response } = exchange;
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  if (!isJsonMediaType(contentType) && !(mayBeUntyped && contentType === undefined)) {
    const got =
      contentType === undefined ? 'no Content-Type' : `Content-Type ${JSON.stringify(contentType.slice(0, 100))}`;
    return refusedBody({
      code: 'unsupported_media_type',
      detail: `The body must be application/json in UTF-8; the request has ${got}. Send Content-Type: application/json.`,
    });
  }
  if (!isIdentityEncoding(contentEncoding)) {
    return refusedBody({
      code: 'unsupported_media_type',
      detail: 'The body must be sent as it is, without a Content-Encoding.',
    });
  }
  // A body that may be long reserves its room while it arrives, because slowly sent bytes are held meanwhile.
  const mayBeLong = bytesMax > BODY_BYTES_MAX;
  const read = await readBody(request, response, bytesMax, mayBeLong ? (bytes) => exchange.keepBody(bytes) : undefined);
  if (mayBeLong) exchange.keepBody(0);
  if (!read.ok) {
    if (read.reason === 'gone') throw GONE;
    if (read.reason === 'busy') return refusedBody(SERVER_BUSY);
    return refusedBody({
      code: 'body_too_large',
      detail: `The body is larger than ${bytesMax} bytes, the most that this operation takes. Send a smaller one.`,
    });
  }
  return read;
}

const refusedBody = (problem: ProblemInit): { ok: false; problem: ProblemInit } => ({ ok: false, problem });

/** The only operation with a large body, a charge by its content, and a part of the answer for each item. */
const isBatch = ({ id }: OperationSpec): boolean => id === 'submitTransactionBatch';

const takeBody: Step = async (exchange, operation, { rateLimits, answers }) => {
  const { optionalMembers } = operation;
  const batch = isBatch(operation);
  const read = await readBytes(exchange, batch ? BATCH_BODY_BYTES_MAX : BODY_BYTES_MAX);
  if (!read.ok) return read.problem;
  // Parsing the text of a large batch takes as long as a turn.
  if (batch) await turnOf(exchange, answers);
  const limited = batch ? limitFurther(exchange, costOfBytes(read.bytes.length), rateLimits) : undefined;
  if (limited !== undefined) return limited;
  const json = readStrictJson(read.bytes);
  if (!json.ok) return { code: 'malformed_json', detail: json.detail };
  dropOptionalNulls(json.value, optionalMembers);
  exchange.request.body = json.value;
  return batch ? chargeBatch(exchange, json.value, rateLimits) : undefined;
};

/** Charges a batch before its transfers are examined, and reserves room for the answer: an accepted transfer has to be acknowledged. */
function chargeBatch(exchange: Exchange, body: unknown, rateLimits: RateLimits | undefined): ProblemInit | undefined {
  const { transactions } = (typeof body === 'object' && body !== null ? body : {}) as { transactions?: unknown };
  // The schema refuses a body that is not a list, or is longer than a batch may be.
  const transfers = Array.isArray(transactions) ? Math.min(transactions.length, BATCH_TRANSFERS_MAX) : 0;
  const limited = limitFurther(exchange, costOfBatch(transfers), rateLimits);
  if (limited !== undefined) return limited;
  const bytes = transfers * BATCH_RESULT_BYTES_MAX;
  // A small answer is always sent.
  return bytes <= SMALL_ANSWER_BYTES_MAX || exchange.reserve(bytes) || exchange.over ? undefined : SERVER_BUSY;
}

export const takeQuery = (
  exchange: Exchange,
  operation: OperationSpec,
  search = searchOf(exchange.request.url),
): ProblemInit | undefined => {
  const read = readQuery(search ?? '', operation.query);
  if (!read.ok)
    return {
      code: 'invalid_request',
      detail: describeFaults([read.error], operation.parameterHelp),
      errors: [read.error],
    };
  exchange.query = read.query;
  return undefined;
};

/** Validates a request. Returns a promise only if the request goes to the middleware of the validator, or is refused. */
export const validate = (
  { request, query, next }: Exchange,
  operation: OperationSpec,
  { validation }: PipelineParts,
): Promise<ProblemInit | undefined> | undefined =>
  validation.check(operation, request, query, next)?.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof InvalidRequest)) throw error;
      return {
        code: 'invalid_request',
        detail: describeFaults(error.errors, operation.parameterHelp),
        errors: error.errors,
      };
    },
  );

/** The number of requested accounts is known after the query is parsed, and is charged before the accounts are read. */
const chargeAccounts: Step = (exchange, { id }, { rateLimits }) => {
  const { address } = exchange.query as { address?: unknown };
  if (id !== 'listAccounts' || !Array.isArray(address)) return undefined;
  // The schema refuses a longer list.
  return limitFurther(exchange, costOfAccounts(Math.min(address.length, ACCOUNTS_MAX)), rateLimits);
};

/** The header with the lowest block that the answer may reflect. */
const HEIGHT_MIN = 'Ledger-Height-Min';

/** Waits for that block. */
const reachHeight: Step = ({ request }, { headers }, { gateway }) => {
  const asked = request.headers['ledger-height-min'];
  if (typeof asked !== 'string' || !headers.includes(HEIGHT_MIN)) return undefined;
  return gateway.reach(Number(asked)).then((refusal) => refusal && problemOfRefusal(refusal));
};

/** Steps that an operation does not need are skipped because of its contract, not by a list of exceptions. */
const STEPS: readonly Step[] = [
  (exchange, operation, { rateLimits }) => limitToken(exchange, costOfOperation(operation), rateLimits),
  negotiate,
  (exchange, operation, parts) => (operation.body ? takeBody(exchange, operation, parts) : undefined),
  (exchange, operation) => takeQuery(exchange, operation),
  chargeAccounts,
  validate,
  reachHeight,
];

/** The argument of a handler: `Call` in typed/types.ts, without its types. */
class ValidCall {
  readonly path: unknown;
  readonly query: unknown;
  readonly header: unknown;
  readonly body: unknown;
  readonly principal: unknown;
  readonly requestId: string;
  readonly #exchange: Exchange;
  readonly #operation: OperationSpec;

  constructor(exchange: Exchange, operation: OperationSpec) {
    const { request } = exchange;
    this.#operation = operation;
    this.path = request.params;
    this.query = exchange.query;
    this.header = operation.headers.length === 0 ? NO_HEADERS : headersOf(request, operation);
    this.body = request.body;
    this.principal = exchange.principal;
    this.requestId = exchange.requestId;
    this.#exchange = exchange;
  }

  get mediaType(): string {
    return preferred(this.#exchange.request.headers.accept, this.#operation.produces);
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

function headersOf(request: Request, operation: OperationSpec): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of operation.headers) {
    const value = request.headers[name.toLowerCase()];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

export function searchOf(url: string): string | undefined {
  const at = url.indexOf('?');
  return at < 0 ? undefined : url.slice(at + 1);
}
