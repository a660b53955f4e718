/**
 * Ends a command that failed: with sentences on standard error or, with --json, one document on standard output, and an exit code. Only a
 * defect has a stack trace.
 *
 * @module
 */
import { damageIn } from '../app/damaged-database.ts';
import { DatabaseUnreachableError } from '../app/database-error.ts';
import { ExplainedError } from '../app/explained-error.ts';
import { NoRoomError } from '../app/start-error.ts';
import { EXIT, type ExitName } from './exit-codes.ts';
import type { Failure, FailureFacts } from './failure-facts.ts';
import { printError, printLine, wantsJson } from './output.ts';

/** A fault that the person at the terminal caused or has to correct; the message is complete. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: ExitName;
  readonly facts: FailureFacts;

  constructor(message: string, exit: ExitName = 'usage', facts: FailureFacts = {}) {
    super(message);
    this.exit = exit;
    this.facts = facts;
  }
}

/** @returns undefined for a defect. */
export async function failureOf(error: unknown): Promise<Failure | undefined> {
  if (error instanceof CommandError)
    return { exit: error.exit, message: error.message, facts: { code: error.exit, ...error.facts } };
  if (error instanceof DatabaseUnreachableError)
    return { exit: 'unreachable', message: error.message, facts: { code: 'database_unreachable', retriable: true } };
  if (error instanceof NoRoomError)
    return { exit: 'unexpected', message: error.message, facts: { code: 'no_room', retriable: true } };
  if (error instanceof ExplainedError) return { exit: 'usage', message: error.message, facts: { code: 'usage' } };
  const damage = damageIn(error);
  if (damage !== undefined)
    return { exit: 'usage', message: `A database in DATA_DIR ${damage}.`, facts: { code: 'database_damaged' } };
  const { clientFailureOf } = await import('./client-failure.ts');
  return clientFailureOf(error);
}

export function reportFailure({ exit, message, facts }: Failure): void {
  if (wantsJson()) printLine(JSON.stringify({ error: { ...facts, message, exitCode: EXIT[exit] } }, undefined, 2));
  else printError(message);
}

/** Runs a command's action. An unexpected error is a defect and keeps its stack trace, by which it can be found. */
export async function runCommand(action: () => Promise<void> | void): Promise<void> {
  try {
    await action();
  } catch (error) {
    const failure = await failureOf(error);
    if (failure) reportFailure(failure);
    else {
      printError(error);
      if (wantsJson()) reportFailure({ exit: 'unexpected', message: String(error), facts: { code: 'unexpected' } });
    }
    // Running threads and timers would keep the process alive.
    process.exit(EXIT[failure?.exit ?? 'unexpected']);
  }
}
