/**
 * The command line: runs one command and ends with its exit code.
 *
 * @module
 */
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { reportFailure } from './failure.ts';
import { wantsJson } from './output.ts';
import { commandOf, createProgram } from './program.ts';
import { asksForServer } from './server-names.js';

/** Ends quietly when the reader of the output stops, as in `txledger list | head`: that is not an error. */
function endWithReader(): void {
  if (process.stdout.listenerCount('error') > 0) return;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.ok);
  });
}

export async function run(): Promise<void> {
  if (!asksForServer(process.argv.slice(2))) endWithReader();
  try {
    const program = await createProgram(commandOf(process.argv.slice(2)));
    await program.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // --help and --version end here too, with 0. For people commander has printed every other message already.
    if (error.exitCode !== 0 && wantsJson())
      reportFailure({ exit: 'usage', message: error.message.replace(/^error: /, ''), facts: { code: 'usage' } });
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}
