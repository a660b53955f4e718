/** The commands in the form that a completion needs: words and kinds of values, without code. @module */
import type { Argument, Command, Option } from 'commander';
import { DEVELOPMENT_ACCOUNTS_COUNT } from '../../app/dev-accounts.ts';
import { valuesOf } from '../values.ts';

/** The kind of value of an option or an argument. */
export type Value =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'folder' | 'anything' };

export interface CompletedOption {
  /** `--url`; `-h` is left out. */
  readonly name: string;
  readonly description: string;
  /** Undefined for a flag. */
  readonly value: Value | undefined;
}

export interface CompletedCommand {
  /** The words after `txledger`; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Kind of its first argument. */
  readonly argument: Value | undefined;
}

const ACCOUNTS = Array.from({ length: DEVELOPMENT_ACCOUNTS_COUNT }, (_, index) => `dev-${index}`);
/** Kinds of values by the name of the value in the help. Addresses cannot be listed, but the names of development accounts can. */
const BY_NAME: readonly (readonly [RegExp, Value])[] = [
  [/^<?(file|trust)>?$/, { kind: 'file' }],
  [/^<?(folder|dir)>?$/, { kind: 'folder' }],
  [/^<?(account|sender|receiver|address|account or hash)>?$/, { kind: 'words', words: ACCOUNTS }],
];

function valueOf(name: string, words: readonly string[]): Value {
  if (words.length > 0) return { kind: 'words', words };
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? { kind: 'anything' };
}

function completedOption(option: Option): CompletedOption {
  const [, name] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? [];
  return {
    name: option.long as string,
    description: option.description,
    value: name === undefined ? undefined : valueOf(name, valuesOf(option)),
  };
}

const completedArgument = (argument: Argument | undefined): Value | undefined =>
  argument && valueOf(argument.name(), argument.argChoices ?? []);

/** Returns the program first, then every command below it. */
export function commandsOf(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  const options = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== undefined)
    .map(completedOption);
  const own: CompletedCommand = {
    path,
    description: command.description(),
    subcommands: children.map((child) => ({ name: child.name(), description: child.description() })),
    options,
    argument: completedArgument(command.registeredArguments[0]),
  };
  return [own, ...children.flatMap((child) => commandsOf(child, [...path, child.name()]))];
}
