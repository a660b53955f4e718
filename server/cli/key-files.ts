/**
 * Shared by the commands that write keys and genesis files: none of them overwrites a file, because a lost key cannot be recovered.
 *
 * @module
 */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { CommandError } from './failure.ts';

export const prefixOption = (): Option =>
  new Option('--prefix <prefix>', 'address prefix of the network: txl in production, txlt for tests')
    .choices(['txl', 'txlt'])
    .default('txl');

/** Returns the path if the file does not exist. The write checks that again; this check reports it before the work. */
export function newFile(file: string): string {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true)
    throw new CommandError(
      `${file} is a symbolic link, and a new file is not written through one. Name the file itself, or remove the link.`,
    );
  if (there !== undefined) throw new CommandError(`${file} exists already and is not overwritten.`);
  return path.resolve(file);
}
