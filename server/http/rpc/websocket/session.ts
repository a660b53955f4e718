/**
 * Whose websocket it is: the token of the upgrade, judged again at every call and every second, because a websocket
 * outlives what was true when it was opened. A token that is sent must hold, needed or not, as everywhere under /rpc.
 */
import type { Clock } from '../../../engine/ports.ts';
import type { Gateway, Principal } from '../../../gateway/types.ts';
import { WS_UNJUDGED_MS_MAX } from '../../limits.ts';

import { admit } from '../access.ts';

export type Judged =
  | { kind: 'holds'; principal: Principal | undefined }
  /** The connection is to be closed, for this reason (at most 123 bytes, RFC 6455 section 5.5). */
  | { kind: 'ended'; reason: string }
  /** Nobody could say now; `tooLong`: nobody could for as long as that may be. */
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
  #judgedMs: number;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#judgedMs = parts.clock.monotonicMs();
  }

  /** Where no token was sent there is nothing to judge. */
  get hasToken(): boolean {
    return this.#parts.principal !== undefined;
  }

  async judge(): Promise<Judged> {
    const { gateway, clock, authorization, required, principal } = this.#parts;
    if (principal === undefined) return { kind: 'holds', principal };
    const admitted = await admit(gateway, authorization, required);
    if (!admitted.ok && admitted.problem.code !== 'unauthenticated') {
      const tooLong = clock.monotonicMs() - this.#judgedMs > WS_UNJUDGED_MS_MAX;
      return { kind: 'unknown', reason: 'the token cannot be checked at the moment, try again later', tooLong };
    }
    this.#judgedMs = clock.monotonicMs();
    if (!admitted.ok) return { kind: 'ended', reason: 'the token has expired or was revoked' };
    if (scopesOf(admitted.principal) === scopesOf(principal)) return { kind: 'holds', principal: admitted.principal };
    return { kind: 'ended', reason: 'the scopes of the token have changed: connect again' };
  }
}
