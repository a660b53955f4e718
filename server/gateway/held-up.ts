/**
 * Senders whose transfers wait for a nonce that no pending transfer has: it was never sent, or a database that was set back has lost it.
 * Only that transfer, sent again, or a cancel of the waiting ones lets them go on, so the log names them for the operator.
 */
import type { Clock, Logger } from '../engine/ports.ts';
import type { HeldUpSender, PendingIndex } from './dispatch/pending-index.ts';
import { HELD_UP_LOG_MS_MIN, HELD_UP_NAMED_MAX } from './limits.ts';

export interface HeldUpParts {
  readonly pending: Pick<PendingIndex, 'heldUp'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export class HeldUpLog {
  readonly #parts: HeldUpParts;
  /** As of the last check: the nonce that each of them waits for. */
  #seen: ReadonlyMap<string, number> = new Map();
  #lookedAtMs: number | undefined;
  #lastLine = '';

  constructor(parts: HeldUpParts) {
    this.#parts = parts;
  }

  /** All of them, as after a start or a take-over. */
  name(): void {
    const now = this.#look();
    this.#log([...now]);
  }

  /**
   * Senders that still wait for the nonce of the last check; checks only from time to time. A transfer that overtakes another for a moment
   * is not among them.
   */
  nameLasting(): void {
    if (this.#lookedAtMs !== undefined && this.#parts.clock.monotonicMs() - this.#lookedAtMs < HELD_UP_LOG_MS_MIN)
      return;
    const before = this.#seen;
    const now = this.#look();
    this.#log([...now].filter(([from, nonce]) => before.get(from) === nonce));
  }

  #look(): ReadonlyMap<string, number> {
    this.#lookedAtMs = this.#parts.clock.monotonicMs();
    const senders: Iterable<HeldUpSender> = this.#parts.pending.heldUp();
    this.#seen = new Map([...senders].map(({ from, nonce }) => [from, nonce]));
    return this.#seen;
  }

  #log(senders: readonly (readonly [from: string, nonce: number])[]): void {
    const named = senders.slice(0, HELD_UP_NAMED_MAX).map(([from, nonce]) => `${from} waits for nonce ${nonce}`);
    const line = `${senders.length}\n${named.join()}`;
    if (line === this.#lastLine) return;
    this.#lastLine = line;
    if (senders.length > 0)
      this.#parts.logger.warn(
        { senders: senders.length, named },
        'transfers wait for a nonce that no transfer here has: it was not sent, or was lost in a fail-over; its sender has to send it again',
      );
  }
}
