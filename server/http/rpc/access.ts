/**
 * Who may use the chain's RPC.
 *
 * Stock light clients and wallets send no header of ours, so reading is open unless the operator wants a token for it;
 * broadcasting needs a token with `rpc:broadcast` through every door, unless the operator has opened the RPC. A token
 * that is sent must be good, needed or not: silence about a revoked one would look like consent.
 */
import type { RpcMethod } from '../../gateway/rpc/port.ts';
import type { Gateway, Principal, Scope, Sentence } from '../../gateway/types.ts';

import { scopeChallenge } from '../bearer.ts';
import { problemOfRefusal } from '../problem/problem.ts';
import type { ProblemInit } from '../problem/problem.ts';

import { readRpcToken, rpcChallenge } from './credentials.ts';

/** `open`: no token at all. `reads`: a token to broadcast. `token`: a token for everything. */
export type RpcAccess = 'open' | 'reads' | 'token';

export const BROADCAST_SCOPE: Scope = 'rpc:broadcast';

export function isBroadcast(method: RpcMethod): boolean {
  return method.startsWith('broadcast_');
}

export type Admitted = { ok: true; principal: Principal | undefined } | { ok: false; problem: ProblemInit };

/** Judges the token of a request; `required` where there is no way without one. */
export async function admit(
  gateway: Pick<Gateway, 'authenticate'>,
  authorization: string | undefined,
  required: boolean,
): Promise<Admitted> {
  const read = readRpcToken(authorization);
  const sent = read.ok || read.reason === 'malformed';
  if (!sent && !required) return { ok: true, principal: undefined };
  const principal = read.ok ? await gateway.authenticate(read.token) : undefined;
  if (principal !== undefined)
    return 'ok' in principal ? { ok: false, problem: problemOfRefusal(principal) } : { ok: true, principal };
  const detail: Sentence = sent
    ? 'The token is unknown, expired or revoked. Ask the operator for a new one.'
    : 'This operation needs Authorization: Bearer with a token that the operator made for you, or Basic with the token as the password.';
  return {
    ok: false,
    problem: { code: 'unauthenticated', detail, headers: { 'WWW-Authenticate': rpcChallenge(sent) } },
  };
}

export function mayBroadcast(access: RpcAccess, principal: Principal | undefined): boolean {
  return access === 'open' || principal?.scopes.includes(BROADCAST_SCOPE) === true;
}

export function scopeRefused(operationId: string): ProblemInit {
  return {
    code: 'insufficient_scope',
    detail: `The token lacks the scope ${BROADCAST_SCOPE}, which ${operationId} needs. Use a token that has it.`,
    headers: { 'WWW-Authenticate': scopeChallenge([BROADCAST_SCOPE]) },
  };
}
