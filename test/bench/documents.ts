/** Blocks of a document that a program writes: between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function replaceBlock(document: string, name: string, text: string): string {
  const start = `<!-- ${name} -->`;
  const end = `<!-- /${name} -->`;
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the document has no block ${name}`);
  return `${document.slice(0, from + start.length)}\n\n${text.trim()}\n\n${document.slice(to)}`;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
