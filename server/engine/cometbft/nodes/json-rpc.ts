/**
 * JSON-RPC 2.0 as CometBFT's server implements it (rpc/jsonrpc/server/http_json_handler.go, v0.38).
 *
 * One request or a batch of one is answered by an object, a larger batch by a list in the same order, and a batch that is too large by one
 * error without an id. CometBFT writes an answer without spaces and with "result" last, so the text of a result can be cut out unchanged.
 */
import type { RpcError } from '../../port.ts';
import { NodeFailure } from './node-port.ts';

export interface NodeCall {
  method: string;
  /** Text of the object of parameters. An absent object makes some of CometBFT's methods panic, so it is always there. */
  params: string;
}

/** The text of "result", or the error as the node wrote it. */
export type NodeAnswer = { ok: true; json: string } | { ok: false; error: RpcError };

/** The same with the result parsed; undefined is for a batch that the node rejects as too large. */
export type ReadAnswer = { ok: true; result: unknown } | { ok: false; error: RpcError };

interface Envelope {
  id?: unknown;
  result?: unknown;
  error?: { code?: unknown; message?: unknown; data?: unknown };
}

const SINGLE_ID = 1;
const RESULT_PREFIX = `{"jsonrpc":"2.0","id":${SINGLE_ID},"result":`;
const BATCH_TOO_LARGE = /^batch request exceeds maximum \((\d+)\) allowed number of requests$/;

function requestText(id: number, { method, params }: NodeCall): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

export function singleBody(call: NodeCall): string {
  return requestText(SINGLE_ID, call);
}

export function batchBody(calls: readonly NodeCall[]): string {
  return `[${calls.map((call, i) => requestText(i + 1, call)).join(',')}]`;
}

function unreadable(text: string): NodeFailure {
  return new NodeFailure('unreadable', `the answer is none of a CometBFT node: ${JSON.stringify(text.slice(0, 80))}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(text);
  }
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

function errorOf({ error }: Envelope): RpcError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  return {
    code: typeof error.code === 'number' ? error.code : -32603,
    message: textOr(error.message, 'Internal error'),
    data: textOr(error.data, ''),
  };
}

/** Reads the answer to one request. Throws NodeFailure at anything else. */
export function readSingle(text: string): NodeAnswer {
  const envelope = parse(text) as Envelope | null;
  if (typeof envelope !== 'object' || envelope === null) throw unreadable(text);
  const error = errorOf(envelope);
  if (error !== undefined) return { ok: false, error };
  if (!text.startsWith(RESULT_PREFIX)) throw unreadable(text);
  return { ok: true, json: text.slice(RESULT_PREFIX.length, text.lastIndexOf('}')) };
}

/**
 * Reads the answers to a batch, in order; a number when the node accepts only so many requests at once. Throws NodeFailure at anything
 * else.
 */
export function readBatch(text: string, count: number): ReadAnswer[] | number {
  const parsed = parse(text);
  const envelopes = (Array.isArray(parsed) ? parsed : [parsed]) as (Envelope | null)[];
  const refusal = envelopes.length === 1 && envelopes[0] ? errorOf(envelopes[0]) : undefined;
  const most = BATCH_TOO_LARGE.exec(refusal?.data ?? '')?.[1];
  if (most !== undefined) return Number(most);
  if (envelopes.length !== count) throw unreadable(text);
  return envelopes.map((envelope, i) => {
    if (typeof envelope !== 'object' || envelope === null || envelope.id !== i + 1) throw unreadable(text);
    const error = errorOf(envelope);
    if (error !== undefined) return { ok: false, error };
    if (envelope.result === undefined) throw unreadable(text);
    return { ok: true, result: envelope.result };
  });
}
