/**
 * The environment of every suite: Node's as jest has it, and an end of the worker that says what keeps it.
 *
 * jest gives a worker 500 ms from the end of the run to the end of its process, then kills it and warns that a test may have left something
 * open, but says neither what nor which. On a busy machine workers that had run many suites were seen to be gone only seconds after their last
 * event, with nothing open. So a worker ends without tidying its heap as soon as nothing keeps it; one that is kept says by what, and by which files.
 *
 * @module
 */
import { writeSync } from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';
import { leftOpen, type ActiveAfter } from './left-open.ts';

/** First member of the message with which a worker is told to end: CHILD_MESSAGE_END of jest-worker. */
const END_MESSAGE = 2;
const STDERR = 2;
/** What is closing when the last suite ends, such as a socket, is closed by then; jest kills after 500 ms. */
const CLOSING_MS = 250;

// Node.js opens these two at their first use: they are the worker's, not the first file's.
void process.stdout;
void process.stderr;
/** What was active at the start, and when each file had ended. A worker loads this module once. */
const history: ActiveAfter[] = [{ active: process.getActiveResourcesInfo() }];

function onMessage(message: unknown): void {
  if (!Array.isArray(message) || message[0] !== END_MESSAGE) return;
  // A listener keeps the channel, and with it the process.
  process.off('message', onMessage);
  process.once('beforeExit', () => process.exit());
  // Keeps nothing itself: it fires only where something else does.
  setTimeout(() => {
    const lines = leftOpen([...history, { active: process.getActiveResourcesInfo() }]);
    writeSync(
      STDERR,
      `A worker of jest cannot end. In its process are still active:\n${lines.map((line) => `  ${line}\n`).join('')}`,
    );
  }, CLOSING_MS).unref();
}

// Where jest runs its suites in its own process, there is no worker to end.
if (process.env['JEST_WORKER_ID'] !== undefined && process.send !== undefined) process.on('message', onMessage);

export default class WatchedEnvironment extends TestEnvironment {
  readonly #file: string;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.#file = context.testPath;
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    history.push({ file: this.#file, active: process.getActiveResourcesInfo() });
  }
}
