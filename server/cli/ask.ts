/** Asks the person at the terminal a question. @module */
import { createInterface } from 'node:readline';

/** Undefined without a terminal. Only y and yes agree; everything else declines, including the end of the input and Ctrl-C. */
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
