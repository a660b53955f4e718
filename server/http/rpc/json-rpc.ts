/**
 * JSON-RPC 2.0 as CometBFT reads and answers it (rpc/jsonrpc/server/http_json_handler.go and ws_handler.go, v0.38),
 * shared by `POST /rpc` and the websocket.
 *
 * Two things differ where a stock node answers HTTP 500: a call without params to a method that has parameters is an
 * error of its entry instead of the end of the whole batch, and a body that is not JSON is the caller's fault (400).
 * And a request is bounded in depth, values and length of its id before anything of it is built (-32600).
 */
import { RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcArguments, RpcError, RpcMethod } from '../../gateway/rpc/port.ts';
import type { Gateway, Principal } from '../../gateway/types.ts';

import { logBroadcast } from '../access-log.ts';
import type { CallOrigin } from '../access-log.ts';
import {
  RPC_BATCH_ANSWER_BYTES_MAX,
  RPC_BATCH_MAX,
  RPC_ID_CHARS_MAX,
  RPC_JSON_DEPTH_MAX,
  RPC_JSON_VALUES_MAX,
  SMALL_ANSWER_BYTES_MAX,
} from '../limits.ts';
import { type InTurn, NO_ROOM } from '../limits/searches.ts';

import { isBroadcast, lackedScope } from './access.ts';
import type { RpcAccess } from './access.ts';
import { argumentsOfJson, jsonKind } from './arguments.ts';
import {
  BROADCAST_REFUSED,
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  outcomeText,
  parseError,
  READ_REFUSED,
  SERVER_ERROR,
} from './envelope.ts';
import type { RpcIdText } from './envelope.ts';
import { goStringify, readGoJson, scanGoJson, textOfInfinity } from './go-json.ts';
import type { JsonLimit } from './go-json.ts';

/** Undefined id: a notification, which is not carried out and not answered. */
export interface JsonRpcCall {
  id: RpcIdText | undefined;
  method: string;
  params: unknown;
}

/** `status`: of the HTTP answer. A batch that is too large is answered as a stock node answers it. */
export type ReadCalls =
  | { ok: true; body: unknown; calls: readonly JsonRpcCall[] }
  | { ok: false; status: 200 | 400; error: RpcError };

export type ReadFrame = { ok: true; call: JsonRpcCall } | { ok: false; error: RpcError };

/** Who calls, and through whom. */
export interface JsonRpcCaller {
  gateway: Pick<Gateway, 'rpc'>;
  access: RpcAccess;
  principal: Principal | undefined;
  inTurn: InTurn;
  /** For the log. */
  origin: CallOrigin;
}

const BATCH_TOO_LONG: RpcError = {
  ...SERVER_ERROR,
  data: `the answers before this one are longer than ${RPC_BATCH_ANSWER_BYTES_MAX} bytes; send this request alone`,
};

const REQUEST_STRUCT = String.raw`struct { JSONRPC string "json:\"jsonrpc\""; ID interface {} "json:\"id,omitempty\""; Method string "json:\"method\""; Params json.RawMessage "json:\"params\"" }`;

const LIMITS: Readonly<Record<JsonLimit, string>> = {
  depth: `the request is nested deeper than ${RPC_JSON_DEPTH_MAX} levels`,
  values: `the request has more than ${RPC_JSON_VALUES_MAX} values`,
  entries: `batch request exceeds maximum (${RPC_BATCH_MAX}) allowed number of requests`,
};

/** One request, or several in an array: the body of `POST /rpc`. `scanned`: what scanGoJson said of it, where that was asked before. */
export function readCalls(text: string, scanned = scanGoJson(text)): ReadCalls {
  const read = readGoJson(text, scanned);
  if (!read.ok) {
    if ('fault' in read) return { ok: false, status: 400, error: parseError(read.fault) };
    return {
      ok: false,
      status: read.limit === 'entries' ? 200 : 400,
      error: { ...INVALID_REQUEST, data: LIMITS[read.limit] },
    };
  }
  const { value: body } = read;
  if (!Array.isArray(body)) {
    const call = readCall(body, text);
    return call.ok ? { ok: true, body, calls: [call.call] } : { ok: false, status: 400, error: call.error };
  }
  const calls: JsonRpcCall[] = [];
  for (const entry of body) {
    const call = readCall(entry, text);
    // CometBFT then tries to read the array as one request, and says what comes of that.
    if (!call.ok)
      return {
        ok: false,
        status: 400,
        error: parseError(`json: cannot unmarshal array into Go value of type ${REQUEST_STRUCT}`),
      };
    calls.push(call.call);
  }
  return { ok: true, body, calls };
}

/** One request: the text of a websocket's frame. A batch is refused. */
export function readFrame(text: string): ReadFrame {
  const read = readGoJson(text);
  if (read.ok) return readCall(read.value, text);
  return {
    ok: false,
    error: 'fault' in read ? parseError(read.fault) : { ...INVALID_REQUEST, data: LIMITS[read.limit] },
  };
}

/** The error is what Go's decoder has against it. */
function readCall(value: unknown, text: string): ReadFrame {
  // To Go a null is an empty struct.
  if (value === null) return { ok: true, call: { id: undefined, method: '', params: undefined } };
  if (typeof value !== 'object' || Array.isArray(value))
    return refused(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${REQUEST_STRUCT}`);
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  for (const [name, field] of [
    ['jsonrpc', jsonrpc],
    ['method', method],
  ] as const) {
    if (field !== undefined && field !== null && typeof field !== 'string') {
      return refused(`json: cannot unmarshal ${jsonKind(field)} into Go struct field .${name} of type string`);
    }
  }
  const call = { method: typeof method === 'string' ? method : '', params };
  if (id === undefined || id === null) return { ok: true, call: { ...call, id: undefined } };
  if (typeof id === 'string') {
    if (id.length > RPC_ID_CHARS_MAX)
      return { ok: false, error: { ...INVALID_REQUEST, data: `the id is longer than ${RPC_ID_CHARS_MAX} characters` } };
    return { ok: true, call: { ...call, id: goStringify(id) } };
  }
  if (typeof id === 'number') {
    // Go's words, but not its code: this is JSON, and no request (JSON-RPC 2.0 section 5.1).
    if (!Number.isFinite(id))
      return {
        ok: false,
        error: {
          ...INVALID_REQUEST,
          data: `json: cannot unmarshal number ${textOfInfinity(text, 'id')} into Go struct field .id of type float64`,
        },
      };
    // The fraction is cut off.
    return { ok: true, call: { ...call, id: String(BigInt(Math.trunc(id))) } };
  }
  const type = { bool: 'bool', array: '[]interface {}', object: 'map[string]interface {}' }[jsonKind(id)];
  return refused(`json-rpc ID (${goStringify(id)}) is of unknown type (${type})`);
}

const refused = (fault: string): ReadFrame => ({ ok: false, error: parseError(fault) });

export function isRpcMethod(name: string): name is RpcMethod {
  return Object.hasOwn(RPC_METHODS, name);
}

/** The text of the answer; undefined for a notification. */
export async function answerCall(
  caller: JsonRpcCaller,
  { id, method, params }: JsonRpcCall,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  if (!isRpcMethod(method)) return errorText(id, METHOD_NOT_FOUND);
  const kind = isBroadcast(method) ? 'broadcast' : 'read';
  if (lackedScope(caller.access, kind, caller.principal) !== undefined) {
    if (kind === 'read') return errorText(id, READ_REFUSED);
    const { origin, principal } = caller;
    logBroadcast(origin, { method, principal, startedMs: origin.clock.monotonicMs(), outcome: 'refused' });
    return errorText(id, BROADCAST_REFUSED);
  }
  const spec = RPC_METHODS[method];
  if (params === undefined) {
    if (spec.params.length > 0)
      return errorText(id, { ...INTERNAL_ERROR, data: 'reflect: Call with too few input arguments' });
    return outcomeText(id, await carryOut(caller, method, {}));
  }
  const read = argumentsOfJson(spec, params);
  if (!read.ok) return errorText(id, { ...INVALID_PARAMS, data: read.error });
  return outcomeText(id, await carryOut(caller, method, read.args));
}

/** A broadcast has its own line in the log: the line of its request, or of its websocket, covers all calls together. */
async function carryOut(
  { gateway, principal, inTurn, origin }: JsonRpcCaller,
  method: RpcMethod,
  args: RpcArguments,
): ReturnType<Gateway['rpc']> {
  const call = (): ReturnType<Gateway['rpc']> => gateway.rpc(method, args, principal);
  if (!isBroadcast(method)) return await inTurn(method, call);
  const startedMs = origin.clock.monotonicMs();
  const outcome = await inTurn(method, call);
  logBroadcast(origin, { method, args, principal, startedMs, outcome });
  return outcome;
}

/**
 * The text of the answer to all of them: one object, an array, or nothing. In order, one after another.
 *
 * @param keep room for so many bytes of answers; false: there is none. What a broadcast did is told all the same.
 */
export async function answerCalls(
  caller: JsonRpcCaller,
  calls: readonly JsonRpcCall[],
  keep: (bytes: number) => boolean,
): Promise<string> {
  const answers: string[] = [];
  let bytes = 0;
  for (const call of calls) {
    const answer =
      bytes > RPC_BATCH_ANSWER_BYTES_MAX && call.id !== undefined
        ? errorText(call.id, BATCH_TOO_LONG)
        : await answerCall(caller, call);
    if (answer === undefined) continue;
    const fits =
      keep(bytes + answer.length) ||
      answer.length <= SMALL_ANSWER_BYTES_MAX ||
      (isRpcMethod(call.method) && isBroadcast(call.method));
    answers.push(fits || call.id === undefined ? answer : outcomeText(call.id, NO_ROOM));
    bytes += fits ? answer.length : 0;
  }
  return answers.length > 1 ? `[${answers.join(',')}]` : (answers[0] ?? '');
}
