/** Warning of a development server at every start when other machines may reach it (`--public-dev`). @module */

export const PUBLIC_DEV_WARNING =
  'PUBLIC DEVELOPMENT SERVER: other machines may reach it, and everybody knows the keys of its accounts. Never keep anything of value on it, and never put it on the Internet.';

const RED = '\u001B[1;31m';
const PLAIN = '\u001B[0m';

/**
 * Red even without a terminal: people read a container's log. NO_COLOR (https://no-color.org) and a terminal without colours are respected.
 */
export function inRed(text: string, { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>): string {
  return (NO_COLOR ?? '') !== '' || TERM === 'dumb' ? text : `${RED}${text}${PLAIN}`;
}
