/**
 * One line that moves while a command waits, on standard error, and only when that is a terminal: a log or a pipe gets
 * nothing of it. Whatever else is printed meanwhile clears the line first (server/cli/output.ts), so that nothing is written over it.
 *
 * @module
 */
import { clearLine, showLine } from './output.ts';

const REDRAW_MS = 250;
const BAR_CHARS = 30;

/** Shows what is waited for until `work` settles. */
export async function withProgress<T>(what: string, work: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const draw = (): void => showLine(`${what}, ${Math.floor((performance.now() - startedMs) / 1000)} s`);
  draw();
  const redraw = setInterval(draw, REDRAW_MS);
  try {
    return await work;
  } finally {
    clearInterval(redraw);
    clearLine();
  }
}

/** A bar that grows, in the same place and on the same terms. */
export interface Bar {
  /** `now`: what is done at the moment, in place of the bar's own name. `more` is put behind the numbers. */
  draw(done: number, all: number, now?: string, more?: string): void;
  clear(): void;
}

export function progressBar(what: string): Bar {
  return {
    draw: (done, all, now = what, more = '') => {
      const filled = all === 0 ? BAR_CHARS : Math.floor((done / all) * BAR_CHARS);
      showLine(`${now} [${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}] ${done} of ${all}${more}`);
    },
    clear: clearLine,
  };
}
