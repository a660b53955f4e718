/**
 * How a command ends when it cannot do what was asked: one or more sentences on standard error, no stack trace, and an
 * exit code that a supervisor understands.
 *
 * @module
 */
import { EXIT_CONFIG, EXIT_DIED } from '../app/lifetime.ts';
import { DataDirError } from '../app/data-dir.ts';
import { ListenError } from '../app/listen.ts';
import { MaterialsError } from '../app/materials.ts';
import { SecretFileError } from '../app/secret-file.ts';
import { StartError } from '../app/start-error.ts';

/** What the person at the terminal did or has to do; the message is all there is to say. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const EXPLAINED = [CommandError, DataDirError, ListenError, MaterialsError, SecretFileError, StartError];

/** Runs a command's action. Anything unexpected keeps its stack trace: it is a defect, and that is how it is found. */
export async function runCommand(action: () => Promise<void> | void): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (EXPLAINED.some((type) => error instanceof type)) {
      console.error((error as Error).message);
      // Threads and timers may be running already, and they would keep the process alive.
      process.exit(EXIT_CONFIG);
    }
    console.error(error);
    process.exit(EXIT_DIED);
  }
}
