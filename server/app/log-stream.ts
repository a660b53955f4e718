/**
 * Where the main thread's log lines go: standard output, the lines of one turn of the event loop in one write call.
 *
 * A write call for each line is a large part of what a line costs (decision 0055), and a turn under load has dozens. A line waits
 * for the end of its turn at most, and not at all when it is a warning or worse, when 64 KiB wait, or when the process
 * exits. The writes are synchronous, so that the line that says why a process died is written before it dies.
 *
 * @module
 */
import { destination, symbols } from 'pino';

const STDOUT = 1;
/** Pino's number for `warn`. From here on a line is written at once. */
const URGENT_LEVEL = 40;
/** A turn that logs more than this writes more than once; it bounds what a turn holds. */
const HELD_CHARACTERS_MAX = 65_536;

/** What pino writes lines to. Pino sets `lastLevel` before each write to a stream that asks for it. */
export interface LineStream {
  lastLevel: number;
  write(line: string): void;
}

/** `write` takes text of whole lines; standard output unless a test gives its own. */
export function createLineStream(write?: (text: string) => unknown): LineStream {
  const stream = write === undefined ? standardOutput() : { write };
  let held = '';
  const flush = (): void => {
    if (held === '') return;
    const text = held;
    held = '';
    stream.write(text);
  };
  process.on('exit', flush);
  return {
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line) {
      if (held === '') setImmediate(flush);
      held += line;
      if (this.lastLevel >= URGENT_LEVEL || held.length >= HELD_CHARACTERS_MAX) flush();
    },
  } as LineStream;
}

/** Writes each line at once, synchronously, and waits where a pipe is full. */
export function standardOutput(): { write(text: string): unknown } {
  return destination({ fd: STDOUT, sync: true });
}
