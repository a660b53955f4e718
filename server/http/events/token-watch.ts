/** Checks the tokens of open streams repeatedly, each once regardless of its number of streams: a stream must not outlive its token. */
import type { Clock, Logger } from '../../engine/ports.ts';
import type { Gateway, Principal } from '../../gateway/types.ts';
import { readBearer } from '../bearer.ts';
import { EVENT_TOKEN_UNCHECKED_MS_MAX } from '../limits.ts';

import type { EventStream } from './event-stream.ts';

interface Watched {
  readonly principal: Principal;
  readonly streams: Set<EventStream>;
  checkedMs: number;
}

export interface TokenWatchParts {
  gateway: Pick<Gateway, 'authenticate'>;
  clock: Clock;
  logger: Logger;
}

export class TokenWatch {
  readonly #parts: TokenWatchParts;
  /** Watched tokens, by the header that carried the token. */
  readonly #watched = new Map<string, Watched>();
  #checking = false;

  constructor(parts: TokenWatchParts) {
    this.#parts = parts;
  }

  add(stream: EventStream): void {
    const header = stream.authorization ?? '';
    const watched = this.#watched.get(header) ?? {
      principal: stream.principal,
      streams: new Set(),
      checkedMs: this.#parts.clock.monotonicMs(),
    };
    watched.streams.add(stream);
    this.#watched.set(header, watched);
  }

  remove(stream: EventStream): void {
    const header = stream.authorization ?? '';
    const watched = this.#watched.get(header);
    watched?.streams.delete(stream);
    if (watched?.streams.size === 0) this.#watched.delete(header);
  }

  /** A slow store is not queried again before it has answered. */
  async check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      for (const [header, watched] of this.#watched) await this.#check(header, watched);
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'the tokens of event streams could not be checked; trying again');
    }
    this.#checking = false;
  }

  async #check(header: string, watched: Watched): Promise<void> {
    const { gateway, clock } = this.#parts;
    const read = readBearer(header);
    const principal = read.ok ? await gateway.authenticate(read.token) : undefined;
    const isUnknown = principal !== undefined && 'ok' in principal;
    if (!isUnknown) watched.checkedMs = clock.monotonicMs();
    const holds = isUnknown
      ? clock.monotonicMs() - watched.checkedMs <= EVENT_TOKEN_UNCHECKED_MS_MAX
      : principal !== undefined && sameRights(principal, watched.principal);
    if (!holds) for (const stream of watched.streams) stream.end('token');
  }
}

/** Wider rights end a stream too: the new stream gets them. */
function sameRights(now: Principal, then: Principal): boolean {
  return now.owner === then.owner && now.scopes.toSorted().join(' ') === then.scopes.toSorted().join(' ');
}
