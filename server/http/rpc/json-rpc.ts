/**
 * JSON-RPC 2.0 as CometBFT reads and answers it (rpc/jsonrpc/server/http_json_handler.go and ws_handler.go, v0.38),
 * shared by `POST /rpc` and the websocket.
 *
 * Two things differ, both where a stock node answers HTTP 500: a call without params to a method that has parameters is
 * an error of its entry instead of the end of the whole batch, and a body that is not JSON is the caller's fault (400).
 */
import { RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcError, RpcMethod } from '../../gateway/rpc/port.ts';
import type { Gateway, Principal } from '../../gateway/types.ts';

import { RPC_BATCH_ANSWER_BYTES_MAX } from '../limits.ts';

import { isBroadcast, mayBroadcast } from './access.ts';
import type { RpcAccess } from './access.ts';
import { argumentsOfJson, jsonKind } from './arguments.ts';
import { BROADCAST_REFUSED, errorText, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, outcomeText, parseError, SERVER_ERROR } from './envelope.ts';
import type { RpcIdText } from './envelope.ts';
import { goStringify, goSyntaxFault } from './go-json.ts';

/** Undefined id: a notification, which is not carried out and not answered. */
export interface JsonRpcCall {
  id: RpcIdText | undefined;
  method: string;
  params: unknown;
}

export type ReadCalls = { ok: true; body: unknown; calls: readonly JsonRpcCall[] } | { ok: false; error: RpcError };

/** Who calls, and through whom. */
export interface JsonRpcCaller {
  gateway: Gateway;
  access: RpcAccess;
  principal: Principal | undefined;
}

const BATCH_TOO_LONG: RpcError = { ...SERVER_ERROR, data: `the answers before this one are longer than ${RPC_BATCH_ANSWER_BYTES_MAX} bytes; send this request alone` };

const REQUEST_STRUCT = String.raw`struct { JSONRPC string "json:\"jsonrpc\""; ID interface {} "json:\"id,omitempty\""; Method string "json:\"method\""; Params json.RawMessage "json:\"params\"" }`;

/** One request, or several in an array. */
export function readCalls(text: string): ReadCalls {
  const fault = goSyntaxFault(text);
  if (fault !== undefined) return { ok: false, error: parseError(fault) };
  const body: unknown = JSON.parse(text);
  if (!Array.isArray(body)) {
    const read = readCall(body);
    return typeof read === 'string' ? { ok: false, error: parseError(read) } : { ok: true, body, calls: [read] };
  }
  const calls: JsonRpcCall[] = [];
  for (const entry of body) {
    const read = readCall(entry);
    // CometBFT then tries to read the array as one request, and says what comes of that.
    if (typeof read === 'string') return { ok: false, error: parseError(`json: cannot unmarshal array into Go value of type ${REQUEST_STRUCT}`) };
    calls.push(read);
  }
  return { ok: true, body, calls };
}

/** A string is what Go's decoder has against it. */
export function readCall(value: unknown): JsonRpcCall | string {
  // To Go a null is an empty struct.
  if (value === null) return { id: undefined, method: '', params: undefined };
  if (typeof value !== 'object' || Array.isArray(value)) return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${REQUEST_STRUCT}`;
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  for (const [name, field] of [['jsonrpc', jsonrpc], ['method', method]] as const) {
    if (field !== undefined && field !== null && typeof field !== 'string') {
      return `json: cannot unmarshal ${jsonKind(field)} into Go struct field .${name} of type string`;
    }
  }
  const call = { method: typeof method === 'string' ? method : '', params };
  if (id === undefined || id === null) return { ...call, id: undefined };
  if (typeof id === 'string') return { ...call, id: goStringify(id) };
  // The fraction is cut off.
  if (typeof id === 'number') return { ...call, id: String(BigInt(Math.trunc(id))) };
  const type = { bool: 'bool', array: '[]interface {}', object: 'map[string]interface {}' }[jsonKind(id)];
  return `json-rpc ID (${goStringify(id)}) is of unknown type (${type})`;
}

export function isRpcMethod(name: string): name is RpcMethod {
  return Object.hasOwn(RPC_METHODS, name);
}

/** The text of the answer; undefined for a notification. */
export async function answerCall(caller: JsonRpcCaller, { id, method, params }: JsonRpcCall): Promise<string | undefined> {
  if (id === undefined) return undefined;
  if (!isRpcMethod(method)) return errorText(id, METHOD_NOT_FOUND);
  if (isBroadcast(method) && !mayBroadcast(caller.access, caller.principal)) return errorText(id, BROADCAST_REFUSED);
  const spec = RPC_METHODS[method];
  if (params === undefined) {
    if (spec.params.length > 0) return errorText(id, { ...INTERNAL_ERROR, data: 'reflect: Call with too few input arguments' });
    return outcomeText(id, await caller.gateway.rpc(method, {}, caller.principal));
  }
  const read = argumentsOfJson(spec, params);
  if (!read.ok) return errorText(id, { ...INVALID_PARAMS, data: read.error });
  return outcomeText(id, await caller.gateway.rpc(method, read.args, caller.principal));
}

/** The text of the answer to all of them: one object, an array, or nothing. In order, one after another. */
export async function answerCalls(caller: JsonRpcCaller, calls: readonly JsonRpcCall[]): Promise<string> {
  const answers: string[] = [];
  let bytes = 0;
  for (const call of calls) {
    const answer = bytes > RPC_BATCH_ANSWER_BYTES_MAX && call.id !== undefined ? errorText(call.id, BATCH_TOO_LONG) : await answerCall(caller, call);
    if (answer === undefined) continue;
    answers.push(answer);
    bytes += answer.length;
  }
  return answers.length > 1 ? `[${answers.join(',')}]` : (answers[0] ?? '');
}
