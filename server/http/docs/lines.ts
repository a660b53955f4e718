/** Splits a Markdown text into lines and sections, interpreting only its fences. */

/** Splits before each heading of the second level. */
export function sectionsOf(source: string): string[] {
  const sections: string[][] = [[]];
  for (const { text, isCode } of linesOf(source)) {
    if (!isCode && text.startsWith('## ')) sections.push([]);
    sections.at(-1)?.push(text);
  }
  return sections.map((lines) => lines.join('\n'));
}

/** The lines of a text; `isCode` marks lines within a fence and its two ends. */
export function* linesOf(source: string): Generator<{ readonly text: string; readonly isCode: boolean }> {
  let fence: string | undefined;
  for (const text of source.split('\n')) {
    const [mark] = /^`{3,}/.exec(text) ?? [];
    yield { text, isCode: fence !== undefined || mark !== undefined };
    if (fence === undefined) fence = mark;
    else if (mark !== undefined && mark.length >= fence.length) fence = undefined;
  }
}
