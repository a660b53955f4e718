/** The sentences of a contract that promise something without exception. */

const ABSOLUTE = /\b(never|always|once|exactly|at least)\b/i;
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'cause', 'resolution']);
/** Not part of a sentence. */
const CODE_BLOCK = /```[^]*?```/g;

function sentencesIn(text: string): string[] {
  return text
    .replaceAll(CODE_BLOCK, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?])\s+(?=[A-Z`*"])/)
    .map((sentence) => sentence.trim());
}

/** Those with never, always, once, exactly or at least, each once, in the order in which the contract has them. */
export function promisedIn(document: unknown): string[] {
  const found = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'example' || name === 'examples') continue;
      if (typeof value === 'string' && TEXTS.has(name)) {
        for (const sentence of sentencesIn(value)) if (ABSOLUTE.test(sentence)) found.add(sentence);
      } else look(value);
    }
  };
  look(document);
  return [...found];
}
