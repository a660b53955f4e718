/**
 * The RPC over plain HTTP: `GET` and `POST /rpc/{method}`, typed and validated by the contract, and JSON-RPC at
 * `POST /rpc`.
 *
 * The order of judgement is that of every operation; what differs is who needs a token, and that a method's own 400,
 * 404 and 503 are in CometBFT's envelope. Arguments are read by CometBFT's rules before the contract is asked, so that a
 * wrong one is told in the words that its clients know.
 */
import { PAGE_BYTES_MAX, RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcMethod } from '../../gateway/rpc/port.ts';

import type { OperationSpec } from '../contract/operations.ts';
import type { Exchange } from '../exchange.ts';
import { RPC_BATCH_ANSWER_BYTES_MAX, RPC_BATCH_MAX, RPC_BODY_BYTES_MAX } from '../limits.ts';
import { GONE, limitRate, negotiate, readBytes, searchOf, takeQuery, validate } from '../pipeline.ts';
import type { PipelineParts } from '../pipeline.ts';
import type { ProblemInit } from '../problem/problem.ts';
import { readStrictJson } from '../strict-json.ts';

import { admit, isBroadcast, mayBroadcast, scopeRefused } from './access.ts';
import type { RpcAccess } from './access.ts';
import { argumentsOfJson, argumentsOfQuery } from './arguments.ts';
import type { ReadArguments } from './arguments.ts';
import { errorText, INVALID_PARAMS, INVALID_REQUEST, NO_ID, outcomeText } from './envelope.ts';
import { answerCalls, readCalls } from './json-rpc.ts';

export interface RpcParts extends PipelineParts {
  access: RpcAccess;
}

/** Refused in a method's own words. */
interface Refused {
  status: 400;
  text: string;
}

export async function serveRpc(exchange: Exchange, operation: OperationSpec, parts: RpcParts): Promise<void> {
  const { answers } = parts;
  try {
    const refused = await authorise(exchange, operation, parts);
    if (refused !== undefined) return answers.problem(exchange, refused);
    const early = (await limitRate(exchange, operation, parts)) ?? negotiate(exchange, operation);
    if (early !== undefined) return answers.problem(exchange, early);
    await (operation.rpcMethod === undefined ? serveJsonRpc(exchange, operation, parts) : serveMethod(exchange, operation, operation.rpcMethod, parts));
  } catch (error) {
    if (error !== GONE) answers.defect(exchange, error);
  }
}

async function authorise(exchange: Exchange, operation: OperationSpec, { gateway, access }: RpcParts): Promise<ProblemInit | undefined> {
  const broadcasts = operation.rpcMethod !== undefined && isBroadcast(operation.rpcMethod);
  const required = access === 'token' || (access === 'reads' && broadcasts);
  const admitted = await admit(gateway, exchange.request.headers.authorization, required);
  if (!admitted.ok) return admitted.problem;
  exchange.principal = admitted.principal;
  return broadcasts && !mayBroadcast(access, admitted.principal) ? scopeRefused(operation.id) : undefined;
}

async function serveMethod(exchange: Exchange, operation: OperationSpec, method: RpcMethod, parts: RpcParts): Promise<void> {
  const { answers, gateway } = parts;
  const read = operation.body ? await argumentsOfBody(exchange, method) : argumentsOfSearch(exchange, method);
  if ('code' in read) return answers.problem(exchange, read);
  if ('text' in read) return answers.envelope(exchange, read.status, read.text);
  const unfit = takeQuery(exchange, operation) ?? (await validate(exchange, operation, parts));
  if (unfit !== undefined) return answers.problem(exchange, unfit);
  if (!exchange.reserve(expectedBytes(method))) return answers.busy(exchange);
  const outcome = await gateway.rpc(method, read.args, exchange.principal);
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

type Arguments = Extract<ReadArguments, { ok: true }> | Refused | ProblemInit;

function argumentsOfSearch(exchange: Exchange, method: RpcMethod): Arguments {
  return orRefused(argumentsOfQuery(RPC_METHODS[method], new URLSearchParams(searchOf(exchange.request.url) ?? '')));
}

async function argumentsOfBody(exchange: Exchange, method: RpcMethod): Promise<Arguments> {
  const read = await readBytes(exchange, RPC_BODY_BYTES_MAX);
  if (!read.ok) return read.problem;
  const json = readStrictJson(read.bytes);
  if (!json.ok) return { code: 'malformed_json', detail: json.detail };
  exchange.request.body = json.value;
  return orRefused(argumentsOfJson(RPC_METHODS[method], json.value));
}

function orRefused(read: ReadArguments): Arguments {
  return read.ok ? read : { status: 400, text: errorText(NO_ID, { ...INVALID_PARAMS, data: read.error }) };
}

async function serveJsonRpc(exchange: Exchange, operation: OperationSpec, parts: RpcParts): Promise<void> {
  const { answers, gateway, access } = parts;
  const read = await readBytes(exchange, RPC_BODY_BYTES_MAX);
  if (!read.ok) return answers.problem(exchange, read.problem);
  // Go's decoder replaces what is not UTF-8, as this does.
  const calls = readCalls(read.bytes.toString('utf8'));
  if (!calls.ok) return answers.envelope(exchange, 400, errorText(undefined, calls.error));
  exchange.request.body = calls.body;
  const unfit = takeQuery(exchange, operation) ?? (await validate(exchange, operation, parts));
  if (unfit !== undefined) return answers.problem(exchange, unfit);
  if (calls.calls.length > RPC_BATCH_MAX) {
    const data = `batch request exceeds maximum (${RPC_BATCH_MAX}) allowed number of requests`;
    return answers.envelope(exchange, 200, errorText(undefined, { ...INVALID_REQUEST, data }));
  }
  const wanted = calls.calls.reduce((sum, call) => sum + expectedBytes(call.method), 0);
  if (!exchange.reserve(Math.min(wanted, COPIES_WHILE_MADE * RPC_BATCH_ANSWER_BYTES_MAX))) return answers.busy(exchange);
  const text = await answerCalls({ gateway, access, principal: exchange.principal }, calls.calls);
  if (text === '') exchange.send(200, 'text/plain; charset=utf-8', '', {});
  else answers.envelope(exchange, 200, text);
}
