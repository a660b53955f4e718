/**
 * A copy of spec/ that a test may spoil. Each method fails when there is nothing to spoil, since that would prove nothing.
 * A place is a file (`openapi.yaml`) or a part of one (`chain.yaml#/schemas/Chain`), which is the text from the line of its name to the
 * next part.
 *
 * The RPC is most of the contract and takes most of the time of a lint, so a copy has only those of its paths that are
 * wanted. What nothing refers to then is a complaint of contract/no-orphans, and of no other rule.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './contract.ts';

export class SpoiltCopy {
  readonly rootDocument: string;
  readonly #folder: string;

  /** `rpcPaths` are paths such as `/rpc/health`; without any the copy has no file of the RPC. */
  constructor(folder: string, rpcPaths: readonly string[] = []) {
    this.#folder = folder;
    this.rootDocument = join(folder, 'openapi.yaml');
    const isWanted = (file: string) => rpcPaths.length > 0 || !/[/\\]rpc[-a-z]*\.yaml$/.test(file);
    cpSync(join(REPOSITORY, 'spec'), folder, { recursive: true, filter: isWanted });
    const index = readFileSync(this.rootDocument, 'utf8');
    const kept = (entry: string, path: string) => (rpcPaths.includes(path) ? entry : '');
    const withPaths = index.replaceAll(/^ {2}(\/rpc[^:]*): .*\n/gm, kept);
    // Without the RPC nothing else takes a token by basicAuth, and no tag is one of its.
    const withoutRpc = withPaths.replaceAll(/^.*(?:'rpc[-a-z]*\.yaml#).*\n/gm, '');
    writeFileSync(this.rootDocument, rpcPaths.length > 0 ? withPaths : withoutRpc);
  }

  /** Replaces the first occurrence of a text. */
  replace(place: string, search: string, replacement: string): void {
    this.#change(place, (text) => {
      if (!text.includes(search)) {
        throw new Error(`${place} does not contain ${JSON.stringify(search)}`);
      }
      return text.replace(search, () => replacement);
    });
  }

  /** Removes the first line that begins with this text (indentation aside), with the lines below it that are indented deeper. */
  drop(place: string, line: string): void {
    this.#change(place, (text) => {
      const lines = text.split('\n');
      const first = lines.findIndex((candidate) => candidate.trim().startsWith(line));
      if (first === -1) {
        throw new Error(`${place} has no line ${JSON.stringify(line)}`);
      }
      const indent = (of: string) => of.length - of.trimStart().length;
      const depth = indent(lines[first] ?? '');
      const rest = lines.slice(first + 1);
      const length = rest.findIndex((candidate) => candidate.trim() === '' || indent(candidate) <= depth);
      lines.splice(first, 1 + (length === -1 ? rest.length : length));
      return lines.join('\n');
    });
  }

  /** Adds a part to a section of a file: `add('chain.yaml', 'schemas', ...)`, with the part indented as it stands there. */
  add(file: string, section: string, part: string): void {
    this.replace(file, `\n${section}:\n`, `\n${section}:\n${part}`);
  }

  /** Gives a part another name, in its file and wherever the contract refers to it. */
  rename(place: string, name: string): void {
    const [file = '', , section = '', old = ''] = place.split(/[#/]/);
    this.replace(place, `  ${old}:\n`, `  ${name}:\n`);
    for (const other of readdirSync(this.#folder).filter((entry) => entry.endsWith('.yaml'))) {
      const path = join(this.#folder, other);
      const prefix = other === file ? '' : file;
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replaceAll(`'${prefix}#/${section}/${old}'`, `'${prefix}#/${section}/${name}'`));
    }
  }

  remove(file: string): void {
    rmSync(join(this.#folder, file));
  }

  #change(place: string, change: (text: string) => string): void {
    const [file = '', pointer] = place.split('#');
    const path = join(this.#folder, file);
    const text = readFileSync(path, 'utf8');
    const [start, end] = pointer === undefined ? [0, text.length] : extentOf(text, pointer, place);
    writeFileSync(path, text.slice(0, start) + change(text.slice(start, end)) + text.slice(end));
  }
}

/** Where the part at a pointer such as `/schemas/Chain` or `/paths/~1chain` begins and ends in the text of its file. */
function extentOf(text: string, pointer: string, place: string): [number, number] {
  const [, section, name] = pointer.split('/').map((key) => key.replaceAll('~1', '/'));
  const head = text.indexOf(`\n${section}:\n`);
  const start = head === -1 ? -1 : text.indexOf(`\n  ${name}:\n`, head);
  if (start === -1) {
    throw new Error(`${place} does not exist`);
  }
  const next = /\n(?: {2})?(?=\S)/g;
  next.lastIndex = start + 1;
  const end = next.exec(text)?.index ?? text.length;
  return [start + 1, end + 1];
}
