/**
 * One line that moves while a command waits, on standard error, and only when that is a terminal: a log or a pipe gets
 * nothing of it.
 *
 * @module
 */
import { wantsJson } from './output.ts';

const REDRAW_MS = 250;
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
