/** The values that an option takes, for the completion of shells: those that commander is not told, because a parser of our own reads them. @module */
import type { Option } from 'commander';

const known = new WeakMap<Option, readonly string[]>();

export function withValues(option: Option, values: readonly string[]): Option {
  known.set(option, values);
  return option;
}

export const valuesOf = (option: Option): readonly string[] => known.get(option) ?? option.argChoices ?? [];
