/**
 * Bound of the time that callers wait for a database on another machine.
 *
 * A commit that waits for a standby, or a statement whose server stopped answering, cannot be ended from here: it goes on, and what memory
 * gets from it stays correct. Only the caller stops waiting, and the answer is that the outcome is unknown.
 */
import type { Clock } from '../engine/ports.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../store/errors.ts';
import { STORE_WAIT_MS_MAX } from './limits.ts';

export class StoreWait {
  readonly #clock: Clock;
  /** Writes that have not ended and whose callers have given up. They run one after the other, so another would only wait behind them. */
  #abandoned = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects with StoreOutcomeUnknownError when it takes too long, and at once with StoreUnavailableError while an earlier write does. */
  write<T>(work: () => Promise<T>): Promise<T> {
    if (this.#abandoned > 0) return Promise.reject(new StoreUnavailableError('an earlier write has not ended'));
    const outcome = work();
    return this.#within(outcome, () => {
      this.#abandoned += 1;
      const ended = (): void => void (this.#abandoned -= 1);
      outcome.then(ended, ended);
      return new StoreOutcomeUnknownError(`a write took longer than ${STORE_WAIT_MS_MAX} ms`, {
        cause: undefined,
        rereadable: true,
      });
    });
  }

  /** Rejects with StoreUnavailableError when it takes too long. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#within(work(), () => new StoreUnavailableError(`a read took longer than ${STORE_WAIT_MS_MAX} ms`));
  }

  #within<T>(outcome: Promise<T>, late: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = this.#clock.setTimer(() => reject(late()), STORE_WAIT_MS_MAX);
      outcome.then(
        (value) => {
          timer.cancel();
          resolve(value);
        },
        (error: unknown) => {
          timer.cancel();
          reject(error);
        },
      );
    });
  }
}
