/** Colours, where a person reads and wants them. @module */
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

const OFF = /^(0|false)$/;

/** FORCE_COLOR and NO_COLOR as other tools read them (no-color.org): the first decides where both are set. */
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

/** By the first word: `disabled (gone)` is disabled. */
export const statusStyle = (status: string): Style | undefined => STATUS_STYLES[status.split(' ')[0] as string];
