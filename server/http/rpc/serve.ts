/**
 * The RPC over plain HTTP: `GET` and `POST /rpc/{method}`, typed and validated by the contract, and JSON-RPC at `POST /rpc`.
 *
 * The order of checks is that of every operation. Different are the rule for tokens, and a method's own 400, 404 and 503, which are in
 * CometBFT's envelope. Arguments are parsed by CometBFT's rules before they are validated by the contract, so that a wrong one gets the
 * error text that its clients expect.
 */
import { RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcMethod } from '../../gateway/rpc/port.ts';

import type { Logger } from '../../engine/ports.ts';
import type { Gateway } from '../../gateway/types.ts';

import { hashOfCall } from '../access-log.ts';
import { SERVER_BUSY } from '../answer.ts';
import { limitAddress, limitFurther, limitToken } from '../charge.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { COST_FAILED_AUTHENTICATION, costOfBytes, costOfMethod, costOfOperation } from '../cost.ts';
import type { Exchange } from '../exchange.ts';
import { RPC_BODY_BYTES_MAX, RPC_PLAIN_BODY_BYTES_MAX, TURN_BODY_BYTES_MAX } from '../limits.ts';
import { dropOptionalNulls } from '../nulls.ts';
import {
  ANONYMOUS,
  classOfMethod,
  isSearch,
  PAGE,
  PAYMENT,
  type RequestClass,
  ROW,
  SEARCH,
} from '../limits/classes.ts';
import type { Searches } from '../limits/searches.ts';
import { GONE, negotiate, readBytes, searchOf, takeQuery, turnOf, validate } from '../pipeline.ts';
import type { PipelineParts } from '../pipeline.ts';
import type { ProblemInit } from '../problem/problem.ts';
import type { RefusalLog } from '../refusal-log.ts';
import { readStrictJson } from '../../platform/strict-json.ts';
import { traceparentOf } from '../traceparent.ts';

import { admit, isBroadcast, lackedScope, scopeRefused } from './access.ts';
import type { RpcAccess } from './access.ts';
import { argumentsOfJson, argumentsOfQuery } from './arguments.ts';
import type { ReadArguments } from './arguments.ts';
import { errorText, INVALID_PARAMS, NO_ID, outcomeText } from './envelope.ts';
import { scanGoJson } from './go-json.ts';
import { answerCalls, isRpcMethod, readCalls } from './json-rpc.ts';
import type { JsonRpcCall, NoCall } from './json-rpc.ts';

export interface RpcParts extends PipelineParts {
  searches: Searches;
  access: RpcAccess;
  logger: Logger;
  refusals: RefusalLog;
}

/** Methods with an argument that may be large: a transaction, also as the data of a query, or evidence. */
const TAKES_BYTES: ReadonlySet<RpcMethod> = new Set([
  'abci_query',
  'broadcast_evidence',
  'broadcast_tx_async',
  'broadcast_tx_commit',
  'broadcast_tx_sync',
  'check_tx',
]);

/** A refusal with the error text of the method. */
interface Refused {
  status: 400;
  text: string;
}

export async function serveRpc(exchange: Exchange, operation: OperationSpec, parts: RpcParts): Promise<void> {
  const { answers } = parts;
  try {
    const cost = costOfOperation(operation);
    const refused = limitAddress(exchange, cost, parts.rateLimits) ?? (await authorise(exchange, operation, parts));
    if (refused !== undefined) return await answers.refuse(exchange, refused);
    const early = limitToken(exchange, cost, parts.rateLimits) ?? negotiate(exchange, operation);
    if (early !== undefined) return await answers.refuse(exchange, early);
    exchange.class = classOfRequest(exchange, operation, parts.access);
    // A caller who may broadcast is never refused because of unread answers of others: the called method is known only later.
    const mayPay =
      operation.rpcMethod === undefined && lackedScope(parts.access, 'broadcast', exchange.principal) === undefined;
    if (!mayPay && parts.connections.isFullFor(exchange.caller, exchange.class))
      return await answers.refuse(exchange, SERVER_BUSY);
    await turnOf(exchange, parts.answers);
    await (operation.rpcMethod === undefined
      ? serveJsonRpc(exchange, operation, parts)
      : serveMethod(exchange, operation, operation.rpcMethod, parts));
  } catch (error) {
    if (error !== GONE) answers.defect(exchange, error);
  }
}

/**
 * The class before a JSON-RPC body is parsed, when its methods are still unknown. With open access everyone may broadcast, so everyone's
 * body may be read as a row.
 */
function classOfRequest({ principal }: Exchange, { rpcMethod }: OperationSpec, access: RpcAccess): RequestClass {
  if (rpcMethod !== undefined) return classOfMethod(rpcMethod, principal !== undefined);
  return principal !== undefined || access === 'open' ? ROW : ANONYMOUS;
}

/** The class for the bytes of a batch: that of its most expensive kind of call. */
function classOfCalls(calls: readonly (JsonRpcCall | NoCall)[], isKnown: boolean): RequestClass {
  if (calls.some(({ method }) => isSearch(method))) return SEARCH;
  if (calls.every(({ method }) => isRpcMethod(method) && isBroadcast(method))) return PAYMENT;
  return isKnown ? PAGE : ANONYMOUS;
}

async function authorise(
  exchange: Exchange,
  operation: OperationSpec,
  { gateway, access }: RpcParts,
): Promise<ProblemInit | undefined> {
  const broadcasts = operation.rpcMethod !== undefined && isBroadcast(operation.rpcMethod);
  const required = access === 'token' || (access === 'reads' && broadcasts);
  const admitted = await admit(gateway, exchange.request.headers.authorization, required);
  if (!admitted.ok) {
    if (admitted.problem.code === 'unauthenticated') exchange.rate?.charge(COST_FAILED_AUTHENTICATION);
    return admitted.problem;
  }
  exchange.principal = admitted.principal;
  // The calls of JSON-RPC are checked one by one.
  if (operation.rpcMethod === undefined) return undefined;
  const lacked = lackedScope(access, broadcasts ? 'broadcast' : 'read', admitted.principal);
  return lacked === undefined ? undefined : scopeRefused(operation.id, lacked);
}

async function serveMethod(
  exchange: Exchange,
  operation: OperationSpec,
  method: RpcMethod,
  parts: RpcParts,
): Promise<void> {
  const { answers, gateway } = parts;
  const read = operation.body
    ? await argumentsOfBody(exchange, operation, method, parts)
    : argumentsOfSearch(exchange, method);
  if ('code' in read) return answers.problem(exchange, read);
  if ('text' in read) return answers.envelope(exchange, read.status, read.text);
  const unread = takeQuery(exchange, operation, searchWithoutEmpty(exchange, operation));
  if (unread !== undefined) return answers.problem(exchange, unread);
  const unfit = await validate(exchange, operation, parts);
  if (unfit !== undefined && !isJudgedByMethod(exchange, operation, unfit)) return answers.problem(exchange, unfit);
  exchange.txHash = hashOfCall(method, read.args);
  const call = (): ReturnType<Gateway['rpc']> => gateway.rpc(method, read.args, exchange.principal);
  // Its turn was taken in `serveRpc`.
  const outcome = isSearch(method)
    ? await parts.searches.run(exchange.caller, call, (bytes) => exchange.reserve(bytes))
    : await call();
  if ('code' in outcome) return answers.reply(exchange, { refusal: outcome });
  const status = outcome.ok ? 200 : outcome.status;
  if (status === 500) return answers.defect(exchange, new Error(`${method} failed`));
  answers.envelope(exchange, status, outcomeText(NO_ID, outcome));
}

/** Removes parameters of the method without a value, which CometBFT treats as absent. */
function searchWithoutEmpty({ request }: Exchange, { query }: OperationSpec): string | undefined {
  return searchOf(request.url)
    ?.split('&')
    .filter((pair) => !query.has(pair.replace(/=$/, '')))
    .join('&');
}

/**
 * True if the method itself checks the query string, with its own error texts, as over JSON-RPC. That is the case for every query string
 * that CometBFT can parse: the contract's patterns describe sensible values, and only its required parameters are enforced.
 */
function isJudgedByMethod({ query }: Exchange, { body }: OperationSpec, { errors = [] }: ProblemInit): boolean {
  const named = errors.map(({ pointer }) => /^#\/query\/(.+)$/.exec(pointer)?.[1]);
  return !body && named.length > 0 && named.every((name) => name !== undefined && name in query);
}

type Arguments = Extract<ReadArguments, { ok: true }> | Refused | ProblemInit;

function argumentsOfSearch(exchange: Exchange, method: RpcMethod): Arguments {
  return orRefused(argumentsOfQuery(RPC_METHODS[method], new URLSearchParams(searchOf(exchange.request.url) ?? '')));
}

async function argumentsOfBody(
  exchange: Exchange,
  operation: OperationSpec,
  method: RpcMethod,
  parts: RpcParts,
): Promise<Arguments> {
  const read = await readBytes(exchange, TAKES_BYTES.has(method) ? RPC_BODY_BYTES_MAX : RPC_PLAIN_BODY_BYTES_MAX);
  if (!read.ok) return read.problem;
  const limited = limitFurther(exchange, costOfBytes(read.bytes.length), parts.rateLimits);
  if (limited !== undefined) return limited;
  if (read.bytes.length > TURN_BODY_BYTES_MAX) await turnOf(exchange, parts.answers);
  const json = readStrictJson(read.bytes);
  if (!json.ok) return { code: 'malformed_json', detail: json.detail };
  dropOptionalNulls(json.value, operation.optionalMembers);
  exchange.request.body = json.value;
  return orRefused(argumentsOfJson(RPC_METHODS[method], json.value, () => read.bytes.toString()));
}

function orRefused(read: ReadArguments): Arguments {
  return read.ok ? read : { status: 400, text: errorText(NO_ID, { ...INVALID_PARAMS, data: read.error }) };
}

async function serveJsonRpc(exchange: Exchange, operation: OperationSpec, parts: RpcParts): Promise<void> {
  const { answers, gateway, access, logger, refusals, clock } = parts;
  const read = await readBytes(exchange, RPC_BODY_BYTES_MAX, true);
  if (!read.ok) return answers.problem(exchange, read.problem);
  const tooMuch = limitFurther(exchange, costOfBytes(read.bytes.length), parts.rateLimits);
  if (tooMuch !== undefined) return answers.problem(exchange, tooMuch);
  // Other requests are answered between the steps for a large body, each of which takes some milliseconds.
  const isLarge = read.bytes.length > TURN_BODY_BYTES_MAX;
  if (isLarge) await turnOf(exchange, answers);
  // Go's decoder replaces bytes that are not UTF-8, and so does this call.
  const text = read.bytes.toString('utf8');
  const scanned = scanGoJson(text);
  if (isLarge) await turnOf(exchange, answers);
  const calls = readCalls(text, scanned);
  if (!calls.ok) return answers.envelope(exchange, calls.status, errorText(undefined, calls.error));
  const cost = calls.calls.reduce((sum, { method }) => sum + costOfMethod(method), 0);
  const limited = limitFurther(exchange, cost, parts.rateLimits);
  if (limited !== undefined) return answers.problem(exchange, limited);
  if (isLarge) await turnOf(exchange, answers);
  exchange.request.body = calls.body;
  const unfit = takeQuery(exchange, operation) ?? (await validate(exchange, operation, parts));
  if (unfit !== undefined) return answers.problem(exchange, unfit);
  exchange.class = classOfCalls(calls.calls, exchange.principal !== undefined);
  const { requestId, client, principal, request } = exchange;
  const origin = {
    logger,
    refusals,
    clock,
    requestId,
    client,
    route: exchange.route,
    traceparent: traceparentOf(request.headers['traceparent']),
  };
  const inTurn = parts.searches.inTurn(exchange.caller, principal !== undefined, (bytes) => exchange.reserve(bytes));
  const keep = (bytes: number): boolean => exchange.keep(bytes);
  const answer = await answerCalls({ gateway, access, principal, inTurn, origin }, calls.calls, keep);
  // There was room for each part of the answer, and a broadcast may have been carried out.
  exchange.mustSend = true;
  if (answer === '') exchange.send(200, 'text/plain; charset=utf-8', '', {});
  else answers.envelope(exchange, 200, answer);
}
