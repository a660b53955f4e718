/** State of the ledger service: working, draining, or stopped by a fault after which it must not go on. */
import type { Logger } from '../engine/ports.ts';
import { StoreOutcomeUnknownError } from '../store/errors.ts';
import { refuse } from './refusals.ts';
import type { Refusal } from './types.ts';

export interface LifecycleEvents {
  /** Once, when it stops working for good. */
  onFault(): void;
  /** The process has to end. */
  onFatal(error: Error): void;
  /** A commit may or may not have been made, and a read of the store can show which. */
  onUnknown(): void;
}

export class Lifecycle {
  readonly #logger: Logger;
  readonly #events: LifecycleEvents;
  #fault: string | undefined;
  #accepting = true;

  constructor(logger: Logger, events: LifecycleEvents) {
    this.#logger = logger;
    this.#events = events;
  }

  get accepting(): boolean {
    return this.#accepting;
  }

  /** The reason why the chain is no longer followed, for good. */
  get fault(): string | undefined {
    return this.#fault;
  }

  stopAccepting(): void {
    this.#accepting = false;
  }

  /** The chain and the store contradict each other: nothing is settled or accepted from now on. */
  fail(detail: string): void {
    this.#logger.error({ detail }, 'the gateway stops: what it keeps and what the chain says do not fit');
    if (this.#fault !== undefined) return;
    this.#fault = detail;
    this.#events.onFault();
  }

  /** After a commit whose outcome is unknown memory may be ahead of the disk or behind it. */
  watch(error: unknown): void {
    if (!(error instanceof StoreOutcomeUnknownError)) return;
    if (error.rereadable) return this.#events.onUnknown();
    this.fail('the outcome of a commit is unknown');
    this.#events.onFatal(error);
  }

  /** Memory is unusable, and a new process can go on: this one has to end. */
  end(error: Error): void {
    if (this.#fault !== undefined) return;
    this.fail(error.message);
    this.#events.onFatal(error);
  }

  /** The reason why new work is refused, if it is. */
  refusal(): Refusal | undefined {
    if (!this.#accepting)
      return refuse(
        'shutting_down',
        'The service is shutting down. Send the request again in a moment, over a new connection.',
        { retryAfterS: 1 },
      );
    if (this.#fault !== undefined)
      return refuse(
        'engine_unavailable',
        'The service has stopped following the chain and takes nothing new. Wait until its operator has repaired it.',
      );
    return undefined;
  }
}
