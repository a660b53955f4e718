/**
 * The end of the process: a signal drains it, a defect ends it at once, and both are logged.
 *
 * @module
 */
import type { Clock, Logger } from '../engine/ports.ts';

/** Exit codes of the server commands. */
export const EXIT_OK = 0;
/** The process started and then failed, or has a defect: a supervisor should start it again. */
export const EXIT_DIED = 1;
/** The configuration, a key or DATA_DIR is wrong: starting again changes nothing. */
export const EXIT_CONFIG = 2;

/** A drain that takes longer than this, after the delay before it, is cut off. All stores survive that, as they survive kill -9. */
export const EXIT_MS_MAX = 9_500;

export interface LifetimeOptions {
  clock: Clock;
  logger: Logger;
  /**
   * Runs between the signal and the drain, so that a balancer gets 503 from /readyz before its requests are refused (DRAIN_DELAY_S):
   * /readyz changes, and everything else continues for `delayMs`. If it is undefined, the drain begins at once.
   */
  notice?: { delayMs: number; announce: () => Promise<void> } | undefined;
  /** Ends all parts in order. */
  drain: () => Promise<void>;
  exit: (code: number) => void;
  /** Source of the signals; the process in production. */
  signals: { on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown };
}

/**
 * The first SIGTERM or SIGINT announces the end, drains after the delay and exits with 0; further ones are ignored meanwhile, because
 * supervisors and terminals send several (npm forwards the SIGINT that the terminal has already sent).
 */
export function endOnSignal(options: LifetimeOptions): void {
  const { clock, logger, notice, drain, exit, signals } = options;
  let ending = false;
  const begin = (signal: string): void => {
    logger.info({ signal }, 'draining: requests in flight finish, new ones are refused');
    clock.setTimer(() => {
      logger.warn({ drainMsMax: EXIT_MS_MAX }, 'the drain took too long and is cut off; every store survives that');
      exit(EXIT_OK);
    }, EXIT_MS_MAX);
    drain().then(
      () => {
        logger.info({}, 'drained');
        exit(EXIT_OK);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'the drain failed');
        exit(EXIT_DIED);
      },
    );
  };
  const onSignal = (signal: string): void => {
    if (ending) {
      logger.info({ signal }, 'ending already; the signal is ignored');
      return;
    }
    ending = true;
    if (notice === undefined || notice.delayMs === 0) return begin(signal);
    const { delayMs, announce } = notice;
    logger.info({ signal, delayMs }, 'ending soon: /readyz answers 503, everything else is served as before');
    announce().catch((error: unknown) => logger.error({ err: error }, 'the end could not be announced'));
    clock.setTimer(() => begin(signal), delayMs);
  };
  signals.on('SIGTERM', () => onSignal('SIGTERM'));
  signals.on('SIGINT', () => onSignal('SIGINT'));
}
