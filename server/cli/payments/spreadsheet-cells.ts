/**
 * Recognises cells that a spreadsheet has changed: to a number in short form, a date or a formula. A refused cell gets the reason and the
 * remedy.
 *
 * @module
 */

const AS_TEXT = 'Format the column as text, enter the value again, and save the file again.';

/** `1.2E+05`, or with a comma: its other digits are lost. */
const SHORT_FORM = /^[+-]?[0-9]([.,][0-9]+)?E[+-][0-9]{2,}$/i;
/** `#N/A`, `#REF!`, or `#` signs in place of a number that is too wide for its column. */
const ERROR_VALUE = /^#(N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!|NV|BEZUG!|WERT!|#+)$/;

/** Returns the fault of a cell that a spreadsheet has damaged, in any column: even a reference that would otherwise be accepted. */
export function spoiltCell(cell: string): string | undefined {
  if (SHORT_FORM.test(cell))
    return `${JSON.stringify(cell)} is a number that a spreadsheet has shortened, and its digits are lost. ${AS_TEXT}`;
  if (ERROR_VALUE.test(cell))
    return `${JSON.stringify(cell)} is what a spreadsheet shows for a formula that failed or a column that is too narrow. Enter the value itself.`;
  return undefined;
}

const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/^=/, 'This is a formula of a spreadsheet: save the value alone.'],
  [/^['`’]/, 'A spreadsheet put an apostrophe before it: take it out.'],
  [/^(true|false|wahr|falsch)$/i, `A spreadsheet made it a truth value. ${AS_TEXT}`],
  [/^[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}( [0-9:]+)?$/, `A spreadsheet made it a date. ${AS_TEXT}`],
  [/^[0-9]{1,3}([ .,'’\u00a0\u202f][0-9]{3})+$/, 'Take the separators between its digits out.'],
  [/^[0-9]+[.,]0+$/, `A spreadsheet added decimal places. ${AS_TEXT}`],
  [/[\u200b-\u200f\u2028-\u202f\u2060\ufeff\u00a0\u00ad]/, 'It has invisible characters: type it again.'],
  [/[“”„«»]/, 'It has typographic quotes: take them out.'],
  [/\n|\r/, 'It has a line break within the cell: take it out.'],
];

/** The remedy for a refused cell; empty if no spreadsheet caused it. */
export function hintFor(cell: string): string {
  const [, hint] = HINTS.find(([pattern]) => pattern.test(cell)) ?? [];
  return hint === undefined ? '' : ` ${hint}`;
}
