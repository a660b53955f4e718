/** What the commands that write keys and genesis files have in common: none overwrites a file, because a key that is gone is gone. @module */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { CommandError } from './failure.ts';

export const prefixOption = (): Option =>
  new Option('--prefix <prefix>', 'address prefix of the network: txl in production, txlt for tests')
    .choices(['txl', 'txlt'])
    .default('txl');

/** The path, once no file is there. */
export function newFile(file: string): string {
  if (existsSync(file)) throw new CommandError(`${file} exists already and is not overwritten.`);
  return path.resolve(file);
}
