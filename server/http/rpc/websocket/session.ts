/**
 * The token of a websocket, from its upgrade. It is checked again at every call and every second, because a websocket
 * can outlive its token. A token that is sent must be valid, needed or not, as everywhere under /rpc.
 */
import type { Clock } from '../../../engine/ports.ts';
import type { Gateway, Principal } from '../../../gateway/types.ts';
import { WS_TOKEN_UNCHECKED_MS_MAX } from '../../limits.ts';

import { admit } from '../access.ts';

export type TokenCheck =
  | { kind: 'holds'; principal: Principal | undefined }
  /** The connection is to be closed, for this reason (at most 123 bytes, RFC 6455 section 5.5). */
  | { kind: 'ended'; reason: string }
  /** The token cannot be checked now; `tooLong`: not for WS_TOKEN_UNCHECKED_MS_MAX. */
  | { kind: 'unknown'; reason: string; tooLong: boolean };

export interface SessionParts {
  gateway: Pick<Gateway, 'authenticate'>;
  clock: Clock;
  authorization: string | undefined;
  /** Whether there is no way without a token (RPC_ACCESS=token). */
  required: boolean;
  /** As it was at the upgrade. */
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

  /** Without a token there is nothing to check. */
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
