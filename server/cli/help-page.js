/**
 * Prints `txledger --help` without loading the program: the list of commands would need most of its modules, and on an old Node.js a second
 * process. The page is in generated/cli-help.json, and this file prints it as the program would.
 *
 * Plain JavaScript: an old Node.js can run it too. A test compares its output with the program's, at several widths.
 *
 * @module
 */
import { readFileSync } from 'node:fs';

/** The width at which commander wraps if the output is not a terminal. */
const COLUMNS_DEFAULT = 80;
/** Below this width commander does not wrap. */
const COLUMNS_TO_WRAP_MIN = 40;
const INDENT = 2;
const GAP = 2;

/** @param {readonly string[]} words of the command line */
export const asksForHelpPage = (words) => words.length === 1 && (words[0] === '--help' || words[0] === '-h');

/** Breaks a line before the word that does not fit. */
function wrapped(text, columns) {
  if (columns < COLUMNS_TO_WRAP_MIN) return [text];
  const lines = [''];
  for (const word of text.match(/\s*\S+/g) ?? []) {
    const line = lines[lines.length - 1];
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length <= columns) lines[lines.length - 1] = line + word;
    else lines.push(word.trimStart());
  }
  return lines;
}

/** @param {{ usage: string, description: string, groups: { title: string, items: [string, string][] }[], after: string }} page */
export function helpPage({ usage, description, groups, after }, columns = COLUMNS_DEFAULT) {
  const termColumns = Math.max(...groups.flatMap(({ items }) => items.map(([term]) => term.length)));
  const indent = ' '.repeat(INDENT + termColumns + GAP);
  const item = ([term, text]) =>
    `${' '.repeat(INDENT)}${term.padEnd(termColumns + GAP)}${wrapped(text, columns - indent.length).join(`\n${indent}`)}`;
  const blocks = groups.map(({ title, items }) => `${title}\n${items.map(item).join('\n')}\n`);
  return [`${usage}\n`, `${wrapped(description, columns).join('\n')}\n`, ...blocks, after].join('\n');
}

/** @returns true if it was printed; false if the page is missing, and the program itself has to print its help. */
export function printHelpPage() {
  let page;
  try {
    page = JSON.parse(readFileSync(new URL('../../generated/cli-help.json', import.meta.url), 'utf8'));
  } catch {
    return false;
  }
  process.stdout.write(helpPage(page, process.stdout.isTTY ? process.stdout.columns : undefined));
  return true;
}
