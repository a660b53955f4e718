/**
 * The token of a websocket, from its upgrade. It is checked again at every call and every second, because a websocket can outlive its
 * token. As everywhere under /rpc, a sent token must be valid even if none is needed.
 */
import type { Clock } from '../../../engine/ports.ts';
import type { Gateway, Principal } from '../../../gateway/types.ts';
import { WS_TOKEN_UNCHECKED_MS_MAX } from '../../limits.ts';

import { admit } from '../access.ts';

export type TokenCheck =
  | { kind: 'holds'; principal: Principal | undefined }
  /** The connection has to be closed, for this reason (at most 123 bytes, RFC 6455 section 5.5). */
  | { kind: 'ended'; reason: string }
  /** The token cannot be checked now; `tooLong`: for longer than WS_TOKEN_UNCHECKED_MS_MAX. */
  | { kind: 'unknown'; reason: string; tooLong: boolean };

export interface SessionParts {
  gateway: Pick<Gateway, 'authenticate'>;
  clock: Clock;
  authorization: string | undefined;
  /** True if a token is required (RPC_ACCESS=token). */
  required: boolean;
  /** The token's rights at the upgrade. */
  principal: Principal | undefined;
}

const scopesOf = (principal: Principal | undefined): string => (principal?.scopes ?? []).toSorted().join(' ');

export class Session {
  readonly #parts: SessionParts;
  #checkedMs: number;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#checkedMs = parts.clock.monotonicMs();
  }

  /** True if there is a token to check. */
  get hasToken(): boolean {
    return this.#parts.principal !== undefined;
  }

  async check(): Promise<TokenCheck> {
    const { gateway, clock, authorization, required, principal } = this.#parts;
    if (principal === undefined) return { kind: 'holds', principal };
    const admitted = await admit(gateway, authorization, required);
    if (!admitted.ok && admitted.problem.code !== 'unauthenticated') {
      const tooLong = clock.monotonicMs() - this.#checkedMs > WS_TOKEN_UNCHECKED_MS_MAX;
      return { kind: 'unknown', reason: 'the token cannot be checked at the moment, try again later', tooLong };
    }
    this.#checkedMs = clock.monotonicMs();
    if (!admitted.ok) return { kind: 'ended', reason: 'the token has expired or was revoked' };
    if (scopesOf(admitted.principal) === scopesOf(principal)) return { kind: 'holds', principal: admitted.principal };
    return { kind: 'ended', reason: 'the scopes of the token have changed: connect again' };
  }
}
