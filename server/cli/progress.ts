/**
 * Shows one changing line while a command waits, on standard error, and only if that is a terminal, not a log or a pipe. Any other output
 * clears the line first (server/cli/output.ts), so that no text is mixed with it.
 *
 * @module
 */
import { clearLine, showLine } from './output.ts';

const REDRAW_MS = 250;
const BAR_CHARS = 30;

/** Shows the awaited thing until `work` settles. */
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

/** A progress bar, in the same place and under the same conditions. */
export interface Bar {
  /** `now`: the current work, in place of the bar's own name. `more` is appended to the numbers. */
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

const SECONDS_A_MINUTE = 60;
/** Before this time the pace means little. */
const ESTIMATE_AFTER_MS = 2000;

/** Formats the speed and the remaining time. */
export function pace(done: number, all: number, elapsedMs: number): string {
  const perSecond = (done * 1000) / Math.max(elapsedMs, 1);
  const rate = `, ${Math.round(perSecond)} a second`;
  if (elapsedMs < ESTIMATE_AFTER_MS || done === 0 || done >= all) return rate;
  const left = Math.ceil((all - done) / perSecond);
  return `${rate}, ${left < 2 * SECONDS_A_MINUTE ? `${left} s` : `${Math.ceil(left / SECONDS_A_MINUTE)} min`} left`;
}
