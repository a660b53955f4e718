/** The values of options, for the completion of shells: commander does not have those that a parser of our own reads. @module */
import type { Option } from 'commander';

const known = new WeakMap<Option, readonly string[]>();

export function withValues(option: Option, values: readonly string[]): Option {
  known.set(option, values);
  return option;
}

export const valuesOf = (option: Option): readonly string[] => known.get(option) ?? option.argChoices ?? [];
