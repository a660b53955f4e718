/** CSV by RFC 4180: commas, quotes doubled within quotes, lines that end in CRLF or LF. @module */

/** The records of a text, or where it cannot be read. Empty lines are skipped; `line` is counted from 1. */
export function parseCsv(
  text: string,
): { ok: true; records: { line: number; fields: string[] }[] } | { ok: false; line: number } {
  const records: { line: number; fields: string[] }[] = [];
  let fields: string[] = [];
  let line = 1;
  let first = 1;
  let at = text.startsWith('\u{FEFF}') ? 1 : 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    let field = '';
    if (quoted) {
      for (at += 1; ; at += 1) {
        if (at >= text.length) return { ok: false, line: first };
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        if (text[at] === '\n') line += 1;
        field += text[at];
      }
      at += 1;
    } else {
      const start = at;
      while (at < text.length && !/[",\r\n]/.test(text[at] as string)) at += 1;
      field = text.slice(start, at);
    }
    fields.push(field);
    if (text[at] === ',') {
      at += 1;
      // A comma at the very end begins an empty field.
      if (at === text.length) fields.push('');
      else if (text[at] !== '\n' && text[at] !== '\r') continue;
      else fields.push('');
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    if (at < text.length && text[at] !== '\n') return { ok: false, line };
    at += 1;
    line += 1;
    if (fields.length > 1 || fields[0] !== '') records.push({ line: first, fields });
    fields = [];
    first = line;
  }
  return { ok: true, records };
}

export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\n`;
}
