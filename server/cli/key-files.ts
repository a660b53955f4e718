/** What the commands that write keys and genesis files have in common: none overwrites a file, because a key that is gone is gone. @module */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { CommandError } from './failure.ts';

export const prefixOption = (): Option =>
  new Option('--prefix <prefix>', 'address prefix of the network: txl in production, txlt for tests')
    .choices(['txl', 'txlt'])
    .default('txl');

/** The path, once nothing has this name. Writing it looks again: this is said before the work. */
export function newFile(file: string): string {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true)
    throw new CommandError(
      `${file} is a symbolic link, and a new file is not written through one. Name the file itself, or remove the link.`,
    );
  if (there !== undefined) throw new CommandError(`${file} exists already and is not overwritten.`);
  return path.resolve(file);
}
