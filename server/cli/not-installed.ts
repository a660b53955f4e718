/** A package that is not there: the installation was left out, or was made by a program that does not know the workspaces of this checkout. @module */
import { fileURLToPath } from 'node:url';

/**
 * @param error of the first import that needs packages.
 * @returns what to do.
 * @throws the error itself when it is another one.
 */
export function notInstalled(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const name = /^Cannot find package '([^']+)'/.exec(message)?.[1];
  if (code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error;
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  return `The package ${name}, which this needs, is not installed. Run \`npm install\` in ${folder}; pnpm and yarn with its node-modules linker do as well, Plug'n'Play does not.`;
}
