/** Sentences of the contract, to quote where a page must have the same text as the contract. */

/** Members of the contract with text for people. */
const READ: ReadonlySet<string> = new Set(['description', 'summary']);
const CODE_BLOCK = /```[^]*?```/g;
/** The name of a paragraph, such as "**Sending again.**", which is not part of its first sentence. */
const LABEL = /^\*\*[^*]+[.]\*\*\s+/;

/** Every text of the document for people, with its place. Examples are data and left out. */
export function textsOf(document: unknown): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'example' || name === 'examples') continue;
      if (typeof value === 'string' && READ.has(name)) found.push(value);
      else look(value);
    }
  };
  look(document);
  return found;
}

/** The sentences of a text in Markdown, each on one line, without code blocks, emphasis and the names of paragraphs. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(CODE_BLOCK, '\n\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph
        .trim()
        .replace(LABEL, '')
        .replaceAll('**', '')
        .replaceAll(/\s+/g, ' ')
        .split(/(?<=[.!?])\s+(?=[A-Z`"])/),
    )
    .filter((sentence) => sentence !== '');
}

export class Quotes {
  readonly sentences: ReadonlySet<string>;

  constructor(texts: readonly string[]) {
    this.sentences = new Set(texts.flatMap(sentencesOf));
  }

  /** The one sentence with this beginning. Throws when the contract has none, or several. */
  sentence(beginning: string): string {
    const found = [...this.sentences].filter((sentence) => sentence.startsWith(beginning));
    const [sentence] = found;
    if (sentence === undefined || found.length > 1)
      throw new Error(
        `The contract has ${found.length} sentences that begin with "${beginning}", and a page quotes it. Quote what the contract says instead, or begin with more of it.`,
      );
    return sentence;
  }
}
