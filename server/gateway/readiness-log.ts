/**
 * One line of the log when the service stops being ready, when other checks fail than before, and when it is ready again: the facts of /readyz, for who
 * reads the log afterwards. It says what a probe saw; without probes there is no line.
 */
import type { Clock, Logger } from '../engine/ports.ts';
import type { Readiness } from './types.ts';

const MS_PER_S = 1000;

export interface ReadinessLogParts {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export class ReadinessLog {
  readonly #parts: ReadinessLogParts;
  #failing = '';
  #since: { readonly wall: string; readonly monotonicMs: number } | undefined;

  constructor(parts: ReadinessLogParts) {
    this.#parts = parts;
  }

  note({ checks, code }: Readiness): void {
    // The end is on record where it begins.
    if (code === 'shutting_down') return;
    const { clock, logger } = this.#parts;
    const failed = checks.filter(({ ok }) => !ok);
    // By name: heights and ages in a detail differ at every probe.
    const failing = failed.map(({ name }) => name).join();
    if (failing === this.#failing) return;
    this.#failing = failing;
    if (failed.length > 0) {
      this.#since ??= { wall: new Date(clock.nowMs()).toISOString(), monotonicMs: clock.monotonicMs() };
      const { wall } = this.#since;
      logger.warn(
        { checks: failed.map(({ name }) => name), since: wall },
        `not ready since ${wall}: ${failed.map(({ detail }) => detail).join('; ')}`,
      );
      return;
    }
    const { monotonicMs = 0 } = this.#since ?? {};
    this.#since = undefined;
    const seconds = Math.round((clock.monotonicMs() - monotonicMs) / MS_PER_S);
    logger.info({ seconds }, `ready again after ${seconds} s`);
  }
}
