/**
 * Access rules of the chain's RPC.
 *
 * The RPC shows every payment with its nonce and signature, so under `serve` reading needs a token with `transactions:read`, as GET
 * /transactions does. Stock light clients and wallets send no token: for them the operator opens the reads, which are open in development.
 * Broadcasting needs a token with `rpc:broadcast` on every transport, unless the operator has opened the RPC. A sent token must be valid,
 * even if none is needed: otherwise the holder of a revoked token would not notice that it is revoked.
 */
import type { RpcMethod } from '../../gateway/rpc/port.ts';
import type { Gateway, Principal, Scope, Sentence } from '../../gateway/types.ts';

import { scopeChallenge } from '../bearer.ts';
import { problemOfRefusal } from '../problem/problem.ts';
import type { ProblemInit } from '../problem/problem.ts';

import { readRpcToken, rpcChallenge } from './credentials.ts';

/** `open`: no token is needed. `reads`: broadcasts need a token. `token`: every method needs one. */
export type RpcAccess = 'open' | 'reads' | 'token';

export const BROADCAST_SCOPE: Scope = 'rpc:broadcast';
export const READ_SCOPE: Scope = 'transactions:read';

export function isBroadcast(method: RpcMethod): boolean {
  return method.startsWith('broadcast_');
}

export type Admitted = { ok: true; principal: Principal | undefined } | { ok: false; problem: ProblemInit };

/** Checks the token of a request; `required`: a request without a token is refused. */
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

/** Returns the scope that the caller lacks to broadcast or to read (subscriptions included); undefined if it lacks none. */
export function lackedScope(
  access: RpcAccess,
  kind: 'broadcast' | 'read',
  principal: Principal | undefined,
): Scope | undefined {
  const isFree = kind === 'broadcast' ? access === 'open' : access !== 'token';
  const scope = kind === 'broadcast' ? BROADCAST_SCOPE : READ_SCOPE;
  return isFree || principal?.scopes.includes(scope) === true ? undefined : scope;
}

export function scopeRefused(operationId: string, scope: Scope): ProblemInit {
  return {
    code: 'insufficient_scope',
    detail: `The token lacks the scope ${scope}, which ${operationId} needs. Use a token that has it.`,
    headers: { 'WWW-Authenticate': scopeChallenge([scope]) },
  };
}
