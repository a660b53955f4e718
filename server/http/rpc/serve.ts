/**
 * The RPC over plain HTTP: `GET` and `POST /rpc/{method}`, typed and validated by the contract, and JSON-RPC at
 * `POST /rpc`.
 *
 * The order of judgement is that of every operation; what differs is who needs a token, and that a method's own 400,
 * 404 and 503 are in CometBFT's envelope. Arguments are read by CometBFT's rules before the contract is asked, so that a
 * wrong one is told in the words that its clients know.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

import { PAGE_BYTES_MAX, RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcMethod } from '../../gateway/rpc/port.ts';

import type { Logger } from '../../engine/ports.ts';

import { hashOfCall } from '../access-log.ts';
import { limitAddress, limitFurther, limitToken } from '../charge.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { COST_FAILED_AUTHENTICATION, costOfBytes, costOfMethod, costOfOperation } from '../cost.ts';
import type { Exchange } from '../exchange.ts';
import {
  RPC_BATCH_ANSWER_BYTES_MAX,
  RPC_BODY_BYTES_MAX,
  RPC_PLAIN_BODY_BYTES_MAX,
  TURN_BODY_BYTES_MAX,
} from '../limits.ts';
import { dropOptionalNulls } from '../nulls.ts';
import { GONE, negotiate, readBytes, searchOf, takeQuery, validate } from '../pipeline.ts';
import type { PipelineParts } from '../pipeline.ts';
import type { ProblemInit } from '../problem/problem.ts';
import { clientKey } from '../rate-limit.ts';
import { readStrictJson } from '../strict-json.ts';
import { traceparentOf } from '../traceparent.ts';

import { admit, isBroadcast, mayBroadcast, scopeRefused } from './access.ts';
import type { RpcAccess } from './access.ts';
import { argumentsOfJson, argumentsOfQuery } from './arguments.ts';
import type { ReadArguments } from './arguments.ts';
import { errorText, INVALID_PARAMS, NO_ID, outcomeText } from './envelope.ts';
import { scanGoJson } from './go-json.ts';
import { answerCalls, isRpcMethod, readCalls } from './json-rpc.ts';
import type { JsonRpcCall } from './json-rpc.ts';

export interface RpcParts extends PipelineParts {
  access: RpcAccess;
  logger: Logger;
}

/** Methods whose argument may be large: a transaction, also as the data of a query, or evidence. */
const TAKES_BYTES: ReadonlySet<RpcMethod> = new Set([
  'abci_query',
  'broadcast_evidence',
  'broadcast_tx_async',
  'broadcast_tx_commit',
  'broadcast_tx_sync',
  'check_tx',
]);

/** Refused in a method's own words. */
interface Refused {
  status: 400;
  text: string;
}

export async function serveRpc(exchange: Exchange, operation: OperationSpec, parts: RpcParts): Promise<void> {
  const { answers } = parts;
  try {
    const cost = costOfOperation(operation);
    const refused = limitAddress(exchange, cost, parts.rateLimits) ?? (await authorise(exchange, operation, parts));
    if (refused !== undefined) return answers.problem(exchange, refused);
    const early = limitToken(exchange, cost, parts.rateLimits) ?? negotiate(exchange, operation);
    if (early !== undefined) return answers.problem(exchange, early);
    await (operation.rpcMethod === undefined
      ? serveJsonRpc(exchange, operation, parts)
      : serveMethod(exchange, operation, operation.rpcMethod, parts));
  } catch (error) {
    if (error !== GONE) answers.defect(exchange, error);
  }
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
  return broadcasts && !mayBroadcast(access, admitted.principal) ? scopeRefused(operation.id) : undefined;
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
  const unfit = takeQuery(exchange, operation) ?? (await validate(exchange, operation, parts));
  if (unfit !== undefined) return answers.problem(exchange, unfit);
  exchange.txHash = hashOfCall(method, read.args);
  if (!exchange.reserve(expectedBytes(method))) return answers.busy(exchange);
  const outcome = await gateway.rpc(method, read.args, exchange.principal, clientKey(exchange.client ?? ''));
  if ('code' in outcome) return answers.reply(exchange, { refusal: outcome });
  const status = outcome.ok ? 200 : outcome.status;
  if (status === 500) return answers.defect(exchange, new Error(`${method} failed`));
  answers.envelope(exchange, status, outcomeText(NO_ID, outcome));
}

/** A page in the making is in memory as decoded blocks, as items, as text, and as copies of three threads: four at once of an address took 40 MiB, eight 230. */
const COPIES_WHILE_MADE = 8;

/** What room an answer needs before it is made. Searches fill their pages; what else can be long is known when it is there. */
function expectedBytes(method: string): number {
  return method === 'block_search' || method === 'tx_search' ? COPIES_WHILE_MADE * PAGE_BYTES_MAX : 0;
}

/**
 * Once a broadcast was carried out its hash must be answered: a batch with one has room for the whole answer before it begins. That is
 * RPC_BATCH_ANSWER_BYTES_MAX and the last answer that goes beyond it.
 */
function expectedBytesOfAll(calls: readonly JsonRpcCall[]): number {
  const bytes = calls.reduce((sum, { method }) => sum + expectedBytes(method), 0);
  const broadcasts = calls.length > 1 && calls.some(({ method }) => isRpcMethod(method) && isBroadcast(method));
  return Math.min(
    Math.max(bytes, broadcasts ? 2 * RPC_BATCH_ANSWER_BYTES_MAX : 0),
    COPIES_WHILE_MADE * RPC_BATCH_ANSWER_BYTES_MAX,
  );
}

type Arguments = Extract<ReadArguments, { ok: true }> | Refused | ProblemInit;

function argumentsOfSearch(exchange: Exchange, method: RpcMethod): Arguments {
  return orRefused(argumentsOfQuery(RPC_METHODS[method], new URLSearchParams(searchOf(exchange.request.url) ?? '')));
}

async function argumentsOfBody(
  exchange: Exchange,
  operation: OperationSpec,
  method: RpcMethod,
  { rateLimits }: RpcParts,
): Promise<Arguments> {
  const read = await readBytes(exchange, TAKES_BYTES.has(method) ? RPC_BODY_BYTES_MAX : RPC_PLAIN_BODY_BYTES_MAX);
  if (!read.ok) return read.problem;
  const limited = limitFurther(exchange, costOfBytes(read.bytes.length), rateLimits);
  if (limited !== undefined) return limited;
  if (read.bytes.length > TURN_BODY_BYTES_MAX) await nextTurn();
  const json = readStrictJson(read.bytes);
  if (!json.ok) return { code: 'malformed_json', detail: json.detail };
  dropOptionalNulls(json.value, operation.optionalMembers);
  exchange.request.body = json.value;
  return orRefused(argumentsOfJson(RPC_METHODS[method], json.value));
}

function orRefused(read: ReadArguments): Arguments {
  return read.ok ? read : { status: 400, text: errorText(NO_ID, { ...INVALID_PARAMS, data: read.error }) };
}

async function serveJsonRpc(exchange: Exchange, operation: OperationSpec, parts: RpcParts): Promise<void> {
  const { answers, gateway, access, logger, clock } = parts;
  const read = await readBytes(exchange, RPC_BODY_BYTES_MAX);
  if (!read.ok) return answers.problem(exchange, read.problem);
  const tooMuch = limitFurther(exchange, costOfBytes(read.bytes.length), parts.rateLimits);
  if (tooMuch !== undefined) return answers.problem(exchange, tooMuch);
  // Others are answered between the steps of a large body, each of which takes some milliseconds.
  const pause = read.bytes.length > TURN_BODY_BYTES_MAX ? nextTurn : undefined;
  await pause?.();
  // Go's decoder replaces what is not UTF-8, as this does.
  const text = read.bytes.toString('utf8');
  const scanned = scanGoJson(text);
  await pause?.();
  const calls = readCalls(text, scanned);
  if (!calls.ok) return answers.envelope(exchange, calls.status, errorText(undefined, calls.error));
  const cost = calls.calls.reduce((sum, { method }) => sum + costOfMethod(method), 0);
  const limited = limitFurther(exchange, cost, parts.rateLimits);
  if (limited !== undefined) return answers.problem(exchange, limited);
  await pause?.();
  exchange.request.body = calls.body;
  const unfit = takeQuery(exchange, operation) ?? (await validate(exchange, operation, parts));
  if (unfit !== undefined) return answers.problem(exchange, unfit);
  if (!exchange.reserve(expectedBytesOfAll(calls.calls))) return answers.busy(exchange);
  const { requestId, client, principal, request } = exchange;
  const origin = {
    logger,
    clock,
    requestId,
    client,
    route: exchange.route,
    traceparent: traceparentOf(request.headers['traceparent']),
  };
  const answer = await answerCalls(
    { gateway, access, principal, client: clientKey(client ?? ''), origin },
    calls.calls,
  );
  if (answer === '') exchange.send(200, 'text/plain; charset=utf-8', '', {});
  else answers.envelope(exchange, 200, answer);
}
