/**
 * Ctrl-C while something is under way: the command ends at once but says first what is known, above all whether a
 * transfer may have been sent.
 *
 * @module
 */
import { CommandError } from './failure.ts';

/** One for the process: a command may ask for it in several places. */
let controller: AbortController | undefined;

/**
 * A signal that SIGINT and SIGTERM abort. The client ends with an unknown outcome when something was sent already, and
 * with this reason otherwise.
 */
export function interruption(): AbortSignal {
  if (controller) return controller.signal;
  const aborting = (controller = new AbortController());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () =>
      aborting.abort(new CommandError(`Interrupted by ${signal}.`, 'unknown', { code: 'interrupted' })),
    );
  }
  return aborting.signal;
}
