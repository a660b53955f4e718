/**
 * Progress for the person who waits: one line for each step. On a terminal it counts the seconds; elsewhere it prints plain lines,
 * and repeats one from time to time.
 *
 * @module
 */

export interface Progress {
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  note(line: string): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const REDRAW_MS = 250;
const SIGN_OF_LIFE_MS = 15_000;
/** Back to the start of the line, and clear it (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001B[K';

export function createProgress(output: Output): Progress {
  const terminal = output.isTTY === true;
  return {
    note: (line) => void output.write(`${line}\n`),
    step: async (what, work) => {
      const startedMs = performance.now();
      const seconds = (): number => (performance.now() - startedMs) / 1000;
      const draw = (): void =>
        void output.write(
          terminal ? `${CLEAR_LINE}${what} ... ${seconds().toFixed(0)} s` : `${what} ... ${seconds().toFixed(0)} s\n`,
        );
      if (terminal) draw();
      else output.write(`${what} ...\n`);
      const timer = setInterval(draw, terminal ? REDRAW_MS : SIGN_OF_LIFE_MS);
      const clear = terminal ? CLEAR_LINE : '';
      try {
        const result = await work();
        output.write(`${clear}${what}: ${seconds().toFixed(1)} s\n`);
        return result;
      } catch (error) {
        output.write(`${clear}${what}: failed after ${seconds().toFixed(1)} s\n`);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
  };
}
