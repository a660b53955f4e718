/**
 * Decodes the text of a table: UTF-8, or UTF-16 with its byte order mark, the two encodings of spreadsheets. Other contents are refused by
 * their own name.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';

export type FileText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line?: number; readonly message: string };

const SAVE_AS = 'Save it as "CSV UTF-8".';
const LF = 0x0a;

/** Other contents by their first bytes. UTF-32 comes before UTF-16, because its mark begins with that of UTF-16. */
const NOT_TEXT: readonly (readonly [hex: string, message: string])[] = [
  ['504b0304', `this is a workbook (.xlsx or .ods), or another ZIP file, and no text. ${SAVE_AS}`],
  ['d0cf11e0', `this is a workbook of an old spreadsheet (.xls) and no text. ${SAVE_AS}`],
  ['1f8b', 'this is a compressed file (gzip). Unpack it first.'],
  ['25504446', 'this is a PDF and no table. Export the payments as "CSV UTF-8".'],
  ['fffe0000', `this is text in UTF-32. ${SAVE_AS}`],
  ['0000feff', `this is text in UTF-32. ${SAVE_AS}`],
];
const MARKS: readonly (readonly [hex: string, encoding: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];
const MARK_BYTES_MAX = 4;

export function decodeText(bytes: Buffer): FileText {
  const start = bytes.subarray(0, MARK_BYTES_MAX).toString('hex');
  const [, message] = NOT_TEXT.find(([hex]) => start.startsWith(hex)) ?? [];
  if (message !== undefined) return { ok: false, message };
  const [, encoding] = MARKS.find(([hex]) => start.startsWith(hex)) ?? [];
  if (encoding === undefined && bytes.includes(0))
    return { ok: false, message: `this is text in UTF-16 without its mark, or no text at all. ${SAVE_AS}` };
  try {
    return { ok: true, text: new TextDecoder(encoding ?? 'utf-8', { fatal: true }).decode(bytes) };
  } catch {
    if (encoding !== undefined && encoding !== 'utf-8')
      return { ok: false, message: `it begins as text in UTF-16 and is damaged or cut off. ${SAVE_AS}` };
    return {
      ok: false,
      line: firstFaultyLine(bytes),
      message: `a character here is not in UTF-8; the file is perhaps in the encoding of an old spreadsheet (Windows-1252). ${SAVE_AS}`,
    };
  }
}

function firstFaultyLine(bytes: Buffer): number {
  let line = 1;
  let from = 0;
  for (;;) {
    const end = bytes.indexOf(LF, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
    line += 1;
  }
}
