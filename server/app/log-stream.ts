/**
 * Writes the log lines of the HTTP threads: to standard output, the lines of one turn of the event loop in one write call.
 *
 * A write call for each line is a large part of what a line costs (decision 0055), and a turn under load has dozens. A line waits at most
 * for the end of its turn. It does not wait if it is a warning or worse, if 64 KiB are waiting, or if the process exits; at the exit the
 * main thread writes the lines of the other threads too (log-mirror.ts). The writes are synchronous, so that the line with the reason of a
 * crash is written before the process ends.
 *
 * @module
 */
import { destination, symbols } from 'pino';
import { MirroredLines, type LineMirror } from './log-mirror.ts';

const STDOUT = 1;
/** Pino's number for `warn`. A line of this level or above is written at once. */
const URGENT_LEVEL = 40;
/** A turn that logs more than this writes more than once; it bounds the text that is held. */
const HELD_CHARACTERS_MAX = 65_536;

/** The stream that pino writes lines to. Pino sets `lastLevel` before each write to a stream that needs it. */
export interface LineStream {
  lastLevel: number;
  write(line: string): void;
}

/**
 * @param write receives text of whole lines; standard output unless a test passes its own.
 * @param mirror only of a thread other than the main one.
 */
export function createLineStream(write?: (text: string) => unknown, mirror?: LineMirror): LineStream {
  const mirrored = mirror && new MirroredLines(mirror);
  const stream = write === undefined ? standardOutput() : { write };
  let held = '';
  const flush = (): void => {
    if (held === '') return;
    const text = held;
    held = '';
    if (mirrored === undefined) stream.write(text);
    else mirrored.written(() => stream.write(text));
  };
  process.on('exit', flush);
  return {
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line) {
      if (held === '') setImmediate(flush);
      // If there is no room, the waiting lines are written, and then this line.
      if (mirrored?.add(line) === false) {
        flush();
        stream.write(line);
        return;
      }
      held += line;
      if (this.lastLevel >= URGENT_LEVEL || held.length >= HELD_CHARACTERS_MAX) flush();
    },
  } as LineStream;
}

/** Writes each line at once, synchronously, and waits where a pipe is full. */
export function standardOutput(): { write(text: string): unknown } {
  return destination({ fd: STDOUT, sync: true });
}

/** At the exit of the process, writes what another thread holds. */
export function writeLinesAtExit(mirror: LineMirror): void {
  process.on('exit', () => {
    const text = new MirroredLines(mirror).take();
    if (text !== '') standardOutput().write(text);
  });
}
