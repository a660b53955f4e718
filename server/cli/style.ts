/** Colours, for output that a person reads and that allows them. @module */
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

const OFF = /^(0|false)$/;

/** FORCE_COLOR and NO_COLOR as in other tools (no-color.org): FORCE_COLOR has precedence. */
export function hasColours(stream: { isTTY?: boolean } = process.stdout): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: without, TERM: terminal } = process.env;
  if (forced !== undefined) return !OFF.test(forced);
  return !without && terminal !== 'dumb' && stream.isTTY === true;
}

export function styled(style: Style | undefined, text: string): string {
  return style === undefined || !hasColours() ? text : styleText(style, text, { validateStream: false });
}

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  committed: 'green',
  enabled: 'green',
  pending: 'yellow',
  failed: 'red',
  expired: 'magenta',
  cancelled: 'gray',
  disabled: 'red',
  revoked: 'gray',
};

/** By the first word: `disabled (gone)` has the style of `disabled`. */
export const statusStyle = (status: string): Style | undefined => STATUS_STYLES[status.split(' ')[0] as string];
