/** `1 balance`, `2 balances`: for nouns that take an s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
