/**
 * Parses CSV by RFC 4180 and in the form of spreadsheets: cells separated by a comma, semicolon or tab, quotes doubled within quotes, lines
 * that end in CRLF, LF or CR.
 *
 * @module
 */

export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface CsvRecord {
  /** The line at which it begins, counted from 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** False for the last line of a file that may be cut off. */
  readonly hasEnd: boolean;
}

/** A line that is not CSV. The parser continues after it. */
export interface CsvFault {
  readonly line: number;
  readonly message: string;
}

export interface ParsedCsv {
  readonly records: readonly CsvRecord[];
  readonly faults: readonly CsvFault[];
}

const NO_END = 'a quote is opened and not closed: every line below would belong to this cell. Add the missing quote.';
const BESIDE_QUOTES =
  'there is text outside the quotes of a cell: put the whole cell in quotes, and write a quote within it twice.';

/** Parses the records of a text. Lines without any content are left out. */
export function parseCsv(text: string, delimiter: Delimiter = ','): ParsedCsv {
  const records: CsvRecord[] = [];
  const faults: CsvFault[] = [];
  const isSpace = (at: number): boolean => text[at] === ' ' || (text[at] === '\t' && delimiter !== '\t');
  const isEnd = (at: number): boolean => at >= text.length || text[at] === '\n' || text[at] === '\r';
  let at = 0;
  let line = 1;
  /** Skips the end of a line: CRLF is one. */
  const passEnd = (): void => {
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    line += 1;
  };
  while (at < text.length) {
    const first = line;
    const fields: string[] = [];
    let message = '';
    for (;;) {
      let begin = at;
      while (isSpace(begin)) begin += 1;
      if (text[begin] === '"') {
        let field = '';
        at = begin + 1;
        while (at < text.length && !(text[at] === '"' && text[at + 1] !== '"')) {
          const from = at;
          if (text[at] === '"') at += 2;
          else if (isEnd(at)) passEnd();
          else at += 1;
          field += text[from] === '"' ? '"' : text.slice(from, at);
        }
        if (at >= text.length) message = NO_END;
        at += 1;
        while (isSpace(at)) at += 1;
        fields.push(field);
      } else {
        const from = at;
        while (!isEnd(at) && text[at] !== delimiter && text[at] !== '"') at += 1;
        fields.push(text.slice(from, at));
      }
      if (text[at] !== delimiter || at >= text.length) break;
      at += 1;
    }
    if (message === '' && !isEnd(at)) {
      message = BESIDE_QUOTES;
      while (!isEnd(at)) at += 1;
    }
    const hasEnd = at < text.length;
    if (hasEnd) passEnd();
    if (message !== '') faults.push({ line: first, message });
    else if (fields.some((field) => field.trim() !== '')) records.push({ line: first, fields, hasEnd });
  }
  return { records, faults };
}

export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\n`;
}
