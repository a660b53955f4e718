/**
 * The examples at the end of a command's help. Each is a line for a shell. test/cli/help.test.ts runs them all, so the shown examples work.
 *
 * @module
 */
import type { Command } from 'commander';

export function withExamples(command: Command, ...lines: readonly [string, ...string[]]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n'));
}
