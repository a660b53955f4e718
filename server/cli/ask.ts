/** A question to the person at the terminal. @module */
import { createInterface } from 'node:readline';

/** Undefined where there is no terminal to ask at. Anything but y or yes is a no, the end of the input and Ctrl-C too. */
export function asker(): ((question: string) => Promise<boolean>) | undefined {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return (question) =>
    new Promise((resolve) => {
      const lines = createInterface({ input: stdin, output: stderr });
      lines.once('SIGINT', () => lines.close());
      lines.once('close', () => resolve(false));
      lines.question(`${question} [y/N] `, (answer) => {
        resolve(/^y(es)?$/i.test(answer.trim()));
        lines.close();
      });
    });
}
