/**
 * One line that moves while a command waits, on standard error, and only when that is a terminal: a log or a pipe gets
 * nothing of it.
 *
 * @module
 */
import { wantsJson } from './output.ts';

const REDRAW_MS = 250;
const BAR_CHARS = 30;
/** Back to the start of the line, and clear it (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001B[K';

/** Shows what is waited for until `work` settles. */
export async function withProgress<T>(what: string, work: Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY || wantsJson()) return work;
  const startedMs = performance.now();
  const draw = (): void => {
    stderr.write(`${CLEAR_LINE}${what}, ${Math.floor((performance.now() - startedMs) / 1000)} s`);
  };
  draw();
  const redraw = setInterval(draw, REDRAW_MS);
  try {
    return await work;
  } finally {
    clearInterval(redraw);
    stderr.write(CLEAR_LINE);
  }
}

/** A bar that grows, in the same place and on the same terms. */
export interface Bar {
  /** `now`: what is done at the moment, in place of the bar's own name. `more` is put behind the numbers. */
  draw(done: number, all: number, now?: string, more?: string): void;
  clear(): void;
}

export function progressBar(what: string): Bar {
  const { stderr } = process;
  const shown = stderr.isTTY && !wantsJson();
  return {
    draw: (done, all, now = what, more = '') => {
      const filled = all === 0 ? BAR_CHARS : Math.floor((done / all) * BAR_CHARS);
      if (shown) stderr.write(`${CLEAR_LINE}${now} [${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}] ${done} of ${all}${more}`);
    },
    clear: () => void (shown && stderr.write(CLEAR_LINE)),
  };
}
