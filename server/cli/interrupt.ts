/**
 * Handles Ctrl-C during work: the command ends at once but first reports the known facts, above all whether a transfer may have been sent.
 *
 * @module
 */
import { CommandError } from './failure.ts';

/** One for the process, because a command may need it in several places. */
let controller: AbortController | undefined;

/**
 * Returns a signal that SIGINT and SIGTERM abort. The client ends with an unknown outcome if a request was already sent, and otherwise with
 * this reason.
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
