/** Scripts that complete command lines in a shell. Each contains all its data: pressing a key starts no process. @module */
import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { commandsOf, type CompletedCommand } from './tree.ts';
import { zshScript } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** @returns the script, with a line feed at its end. */
export function completionOf(shell: Shell, program: Command): string {
  return SCRIPTS[shell](commandsOf(program));
}
