/** Sends requests to the service. Paths are relative to the page, so that it works behind a path prefix. */
import type * as Contract from '../../../../client/src/contract.ts';
import { NO_ANSWER, Problem, problemOf } from './problem.ts';
import { refuseToken, token } from './session.ts';

export type Chain = Contract.Chain;
export type Transaction = Contract.Transaction;
export type TransactionDetail = Contract.TransactionDetail;
export type Receipt = Contract.Receipt;
export type Account = Contract.Account;

/** Longer than any wait that the service offers, which is 30 s. */
const ANSWER_MS_MAX = 40_000;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call {
  readonly query?: Query;
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** An answer without an end: only its signal ends it. */
  readonly isEndless?: boolean;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** @throws Problem for every answer that is not a success, and if no answer arrives. */
export async function call(
  path: string,
  { query, method = 'GET', body, headers, signal, isEndless = false }: Call = {},
): Promise<Response> {
  const bearer = token();
  const timeout = AbortSignal.timeout(ANSWER_MS_MAX);
  const init: RequestInit = {
    method,
    headers: {
      Accept: 'application/json',
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: isEndless && signal ? signal : signal ? AbortSignal.any([signal, timeout]) : timeout,
    cache: 'no-store',
  };
  let response: Response;
  try {
    response = await fetch(pathOf(path, query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(NO_ANSWER, 'The service does not answer. Is it running, and is this machine connected to it?');
  }
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.text());
  // The token was revoked or has expired while the page is open. A token that is only tried has a header of its own.
  if (problem.code === 'unauthenticated' && bearer !== undefined && headers?.['Authorization'] === undefined)
    refuseToken(bearer);
  throw problem;
}

export async function ask<T>(path: string, options?: Call): Promise<Answer<T>> {
  const response = await call(path, options);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as T,
  };
}

export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await ask<T>(path, { ...(query && { query }), ...(signal && { signal }) })).body;
}

/** Calls a method of the chain's RPC, which usually needs no token. */
export async function rpc<T>(method: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await get<{ result: T }>(`rpc/${method}`, query, signal)).result;
}
