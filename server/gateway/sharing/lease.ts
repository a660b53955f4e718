/**
 * Leader election: the lease by which one of several gateways dispatches and follows.
 *
 * It saves work and guarantees nothing: a holder may be paused at any step and go on after its lease ended elsewhere. So that this is rare,
 * the holder counts from the moment before its request, by its own monotonic clock, and considers the lease lost a margin before another
 * gateway can have it.
 */
import type { Clock, Logger, Timer } from '../../engine/ports.ts';
import type { StoreSharing } from '../../store/index.ts';
import { LEASE_DROP_MS_MAX, LEASE_MARGIN_MS, LEASE_RENEW_MS, LEASE_TTL_MS, SHARING_RETRY_MS } from '../limits.ts';

/** One name for both tasks: the gateway that applies the last block first can decide what is still to be sent. */
export const DISPATCH_LEASE = 'dispatch';

/** Lease of the gateway that delivers webhooks: one that neither dispatches nor follows can. */
export const WEBHOOKS_LEASE = 'webhooks';

export interface LeaseParts {
  /** DISPATCH_LEASE unless it is another. */
  name?: string;
  sharing: Pick<StoreSharing, 'holdLease' | 'dropLease'>;
  holder: string;
  clock: Clock;
  logger: Logger;
  /** True when it is to be taken from another holder, which does not do the work. */
  isNeglected?(): boolean;
  onTaken(): void;
  onLost(): void;
}

export class Lease {
  readonly #parts: LeaseParts;
  #held = false;
  /**
   * True when another gateway had it at the last request. Before that, and while the database does not answer, the work may be undone for
   * other reasons.
   */
  #isAnothers = false;
  #stopped = false;
  #asking: Promise<void> = Promise.resolve();
  #next: Timer | undefined;
  #end: Timer | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Resolves after the first attempt, however it ended. */
  start(): Promise<void> {
    return this.#ask();
  }

  /** Gives the lease back and takes it no more. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#next?.cancel();
    this.#lose();
    const { name = DISPATCH_LEASE, sharing, holder, clock, logger } = this.#parts;
    // A renewal under way could take it again after it was dropped.
    const dropped = this.#asking
      .then(() => sharing.dropLease(name, holder))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the lease could not be given back; it runs out by itself'),
      );
    let patience: Timer | undefined;
    const enough = new Promise<void>((resolve) => (patience = clock.setTimer(resolve, LEASE_DROP_MS_MAX)));
    await Promise.race([dropped, enough]);
    patience?.cancel();
  }

  #ask(): Promise<void> {
    this.#asking = this.#attempt();
    return this.#asking;
  }

  async #attempt(): Promise<void> {
    const { name = DISPATCH_LEASE, sharing, holder, clock, logger, isNeglected } = this.#parts;
    const endsMs = clock.monotonicMs() + LEASE_TTL_MS - LEASE_MARGIN_MS;
    let pauseMs = LEASE_RENEW_MS;
    try {
      const ours = await sharing.holdLease(name, holder, LEASE_TTL_MS, this.#isAnothers && isNeglected?.() === true);
      this.#isAnothers = !ours;
      if (this.#stopped) return;
      // An answer that took too long shows nothing about now.
      if (ours && clock.monotonicMs() < endsMs) this.#hold(endsMs);
      else this.#lose();
    } catch (error) {
      this.#isAnothers = false;
      logger.warn({ err: error, held: this.#held }, 'the lease could not be asked for');
      pauseMs = SHARING_RETRY_MS;
    }
    if (!this.#stopped) this.#next = clock.setTimer(() => void this.#ask(), pauseMs);
  }

  #hold(endsMs: number): void {
    const { clock, onTaken } = this.#parts;
    this.#end?.cancel();
    this.#end = clock.setTimer(() => this.#lose(), endsMs - clock.monotonicMs());
    if (this.#held) return;
    this.#held = true;
    onTaken();
  }

  #lose(): void {
    this.#end?.cancel();
    if (!this.#held) return;
    this.#held = false;
    this.#parts.onLost();
  }
}
