/**
 * Removes invisible characters that change how other text looks, from text of strangers before it reaches a terminal, a log or a page.
 *
 * They are controls (Cc) except tab and line feed, ends of lines and paragraphs, characters that turn the direction of a line (UAX #9), and
 * characters that hide letters in it (tags, annotations, byte order marks). Joiners, which scripts and emoji need, are kept.
 *
 * @module
 */

const CONTROLS = String.raw`(?![\t\n])\p{Cc}`;
const SEPARATORS = String.raw`[\u2028\u2029]`;
const DIRECTIONS = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
const HIDING = String.raw`[\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]`;
const UNSAFE_TEXT = [CONTROLS, SEPARATORS, DIRECTIONS, HIDING].join('|');

const UNSAFE = new RegExp(UNSAFE_TEXT, 'gu');
/** The same without the sequences that colour text (ECMA-48 SGR), which have no other effect. */
const UNSAFE_IN_COLOURS = new RegExp(String.raw`(?!\u001b\[[\d;]*m)(?:${UNSAFE_TEXT})`, 'gu');
const HEX = 16;

/** Replaces each of them with a space. */
export const visibleText = (text: string): string => text.replace(UNSAFE, ' ');

/** Does the same for a line that this program has coloured. */
export const visibleLine = (line: string): string => line.replace(UNSAFE_IN_COLOURS, ' ');

/** Returns JSON with each of them as an escape, which is the same value. Control characters below U+0020 are escapes already. */
export function escapedJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    character === '\r'
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(HEX).padStart(4, '0')}`)
          .join(''),
  );
}
