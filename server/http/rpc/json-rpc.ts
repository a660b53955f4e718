/**
 * JSON-RPC 2.0 in the dialect of CometBFT (rpc/jsonrpc/server/http_json_handler.go and ws_handler.go, v0.38), shared by `POST /rpc` and the
 * websocket.
 *
 * In three cases a stock node answers HTTP 500 and this service does not: a call without params to a method that has parameters, and an
 * entry that is not a request, are errors of that entry and do not end the whole batch; and a body that is not JSON is the caller's fault
 * (400). A request is also bounded in depth, values and length of its members before any part of it is built (-32600). Every difference is
 * in the table of docs/INTEGRATORS.md, which test/rpc compares with a stock node.
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
  RPC_METHOD_CHARS_MAX,
  RPC_VERSION_CHARS_MAX,
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
import { goPrint, goStringify, rawParts, readGoJson, scanGoJson } from './go-json.ts';
import type { JsonLimit } from './go-json.ts';

/** A call. Without an id it is a notification, which is not carried out and not answered. */
export interface JsonRpcCall {
  id: RpcIdText | undefined;
  method: string;
  params: unknown;
  /** The original text of the params. */
  paramsText: () => string;
}

/** An entry of a batch that is not a request: it gets an error and has no other effect. */
export interface NoCall {
  fault: RpcError;
  method: '';
}

/**
 * `body`: the entries that are requests, for validation against the contract. `status`: of the HTTP answer. A batch that is too large gets
 * the same answer as from a stock node.
 */
export type ReadCalls =
  | { ok: true; body: unknown; calls: readonly (JsonRpcCall | NoCall)[] }
  | { ok: false; status: 200 | 400; error: RpcError };

export type ReadFrame = { ok: true; call: JsonRpcCall; body: Members } | { ok: false; error: RpcError };

type Members = Record<string, unknown>;

/** The caller, with the services for its calls. */
export interface JsonRpcCaller {
  gateway: Pick<Gateway, 'rpc'>;
  access: RpcAccess;
  principal: Principal | undefined;
  inTurn: InTurn;
  /** Origin of the call for the log. */
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

/**
 * Parses one request, or several in an array: the body of `POST /rpc`. `scanned`: the result of scanGoJson, if the caller has it already.
 */
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
  const { value } = read;
  if (!Array.isArray(value)) {
    const call = readCall(value, () => text);
    return call.ok ? { ok: true, body: call.body, calls: [call.call] } : { ok: false, status: 400, error: call.error };
  }
  const entries = value.map((entry, index) => readCall(entry, () => rawParts(text).get(String(index)) ?? ''));
  return {
    ok: true,
    body: entries.flatMap((entry) => (entry.ok ? [entry.body] : [])),
    calls: entries.map((entry) => (entry.ok ? entry.call : noCall(entry.error))),
  };
}

/** CometBFT refuses the whole batch. By JSON-RPC 2.0 section 6 an entry that is not a request gets an error of its own. */
function noCall({ data }: RpcError): NoCall {
  return { fault: { ...INVALID_REQUEST, data: data.replace(PARSE_FAULT, '') }, method: '' };
}

/** Parses one request: the text of a websocket's frame. A batch is refused. */
export function readFrame(text: string): ReadFrame {
  const read = readGoJson(text);
  if (read.ok) return readCall(read.value, () => text);
  return {
    ok: false,
    error: 'fault' in read ? parseError(read.fault) : { ...INVALID_REQUEST, data: LIMITS[read.limit] },
  };
}

/**
 * Parses one request; the error is that of Go's decoder.
 *
 * @param textOf the original text of the request.
 */
function readCall(value: unknown, textOf: () => string): ReadFrame {
  // For Go, null is an empty struct.
  if (value === null) return { ok: true, call: NOTIFICATION, body: {} };
  if (typeof value !== 'object' || Array.isArray(value))
    return refused(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${REQUEST_STRUCT}`);
  const body = membersOf(value as Members);
  const { jsonrpc, id, method, params } = body;
  for (const [name, field, charsMax] of [
    ['jsonrpc', jsonrpc, RPC_VERSION_CHARS_MAX],
    ['method', method, RPC_METHOD_CHARS_MAX],
  ] as const) {
    if (field === undefined) continue;
    if (typeof field !== 'string')
      return refused(`json: cannot unmarshal ${jsonKind(field)} into Go struct field .${name} of type string`);
    if (field.length > charsMax) return invalid(`${name} is longer than ${charsMax} characters`);
  }
  const call = {
    method: typeof method === 'string' ? method : '',
    params,
    paramsText: () => rawMember(textOf(), 'params'),
  };
  if (id === undefined) return { ok: true, call: { ...call, id: undefined }, body };
  if (typeof id === 'string') {
    if (id.length > RPC_ID_CHARS_MAX) return invalid(`the id is longer than ${RPC_ID_CHARS_MAX} characters`);
    return { ok: true, call: { ...call, id: goStringify(id.toWellFormed()) }, body };
  }
  if (typeof id === 'number') {
    // Go's text but not its code, because this is JSON, though not a request (JSON-RPC 2.0 section 5.1).
    if (!Number.isFinite(id))
      return invalid(
        `json: cannot unmarshal number ${rawMember(textOf(), 'id')} into Go struct field .id of type float64`,
      );
    // The fraction is cut off.
    const whole = Math.trunc(id);
    if (!Number.isSafeInteger(whole)) return invalid('the id is a number beyond 2^53 - 1; send it as text');
    return { ok: true, call: { ...call, id: String(BigInt(whole)) }, body };
  }
  const type = { bool: 'bool', array: '[]interface {}', object: 'map[string]interface {}' }[jsonKind(id)];
  return refused(`json-rpc ID (${goPrint(id)}) is of unknown type (${type})`);
}

const NOTIFICATION: JsonRpcCall = { id: undefined, method: '', params: undefined, paramsText: () => '' };
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** Go matches the members of a struct in any case, and ignores null; null params are an empty map. */
function membersOf(given: Members): Members {
  const members: Members = {};
  for (const [name, value] of Object.entries(given)) {
    const plain = name.toLowerCase();
    if (MEMBERS.has(plain) && (value !== null || plain === 'params')) members[plain] = value;
  }
  return members;
}

function rawMember(text: string, member: string): string {
  const parts = rawParts(text);
  return parts.get(member) ?? [...parts].find(([name]) => name.toLowerCase() === member)?.[1] ?? '';
}

const invalid = (data: string): ReadFrame => ({ ok: false, error: { ...INVALID_REQUEST, data } });

const PARSE_FAULT = parseError('').data;
const refused = (fault: string): ReadFrame => ({ ok: false, error: parseError(fault) });

export function isRpcMethod(name: string): name is RpcMethod {
  return Object.hasOwn(RPC_METHODS, name);
}

/** Returns the text of the answer; undefined for a notification. */
export async function answerCall(
  caller: JsonRpcCaller,
  { id, method, params, paramsText }: JsonRpcCall,
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
  const read = argumentsOfJson(spec, params, paramsText);
  if (!read.ok) return errorText(id, { ...INVALID_PARAMS, data: read.error });
  return outcomeText(id, await carryOut(caller, method, read.args));
}

/**
 * Carries out a call. A broadcast has a log line of its own, because the line of its request, or of its websocket, covers all calls
 * together.
 */
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
 * Carries out all calls in order, one after another, and returns the text of the answer: one object, an array, or nothing.
 *
 * @param keep reserves room for bytes of answers; false if there is no room. The result of a broadcast is reported even then.
 */
export async function answerCalls(
  caller: JsonRpcCaller,
  calls: readonly (JsonRpcCall | NoCall)[],
  keep: (bytes: number) => boolean,
): Promise<string> {
  const answers: string[] = [];
  let bytes = 0;
  for (const call of calls) {
    if ('fault' in call) {
      answers.push(errorText(undefined, call.fault));
      continue;
    }
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
