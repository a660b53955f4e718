/**
 * A copy of spec/ that a test may spoil. Each method fails when there is nothing to spoil, since that would prove nothing.
 *
 * The RPC is most of the contract and takes most of the time of a lint, so a copy has only those of its paths that are
 * wanted. What nothing refers to then is a complaint of contract/no-orphan-files, and of no other rule.
 */
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './contract.ts';

export class SpoiltCopy {
  readonly rootDocument: string;
  readonly #folder: string;

  /** `rpcPaths` are paths such as `/rpc/health`; without any the copy has no file of the RPC. */
  constructor(folder: string, rpcPaths: readonly string[] = []) {
    this.#folder = folder;
    this.rootDocument = join(folder, 'openapi.yaml');
    const isWanted = (file: string) => rpcPaths.length > 0 || !/[/\\](rpc|rpc[_a-z]*\.yaml)$/.test(file);
    cpSync(join(REPOSITORY, 'spec'), folder, { recursive: true, filter: isWanted });
    const index = readFileSync(this.rootDocument, 'utf8');
    const kept = (entry: string, path: string) => (rpcPaths.includes(path) ? entry : '');
    writeFileSync(this.rootDocument, index.replaceAll(/^ {2}(\/rpc[^:]*):\n.*\n/gm, kept));
    if (rpcPaths.length > 0) return;
    // Nothing else takes a token by it.
    this.drop('openapi.yaml', 'basicAuth:');
    this.remove('components/securitySchemes/basicAuth.yaml');
  }

  /** Replaces the first occurrence of a text. */
  replace(file: string, search: string, replacement: string): void {
    const path = join(this.#folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(search)) {
      throw new Error(`${file} does not contain ${JSON.stringify(search)}`);
    }
    writeFileSync(
      path,
      text.replace(search, () => replacement),
    );
  }

  /** Removes the first line that has this text (indentation aside), with the lines below it that are indented deeper. */
  drop(file: string, line: string): void {
    const lines = readFileSync(join(this.#folder, file), 'utf8').split('\n');
    const first = lines.findIndex((candidate) => candidate.trim() === line);
    if (first === -1) {
      throw new Error(`${file} has no line ${JSON.stringify(line)}`);
    }
    const indent = (text: string) => text.length - text.trimStart().length;
    const depth = indent(lines[first] ?? '');
    const rest = lines.slice(first + 1);
    const length = rest.findIndex((candidate) => indent(candidate) <= depth);
    lines.splice(first, 1 + (length === -1 ? rest.length : length));
    writeFileSync(join(this.#folder, file), lines.join('\n'));
  }

  add(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text, { flag: 'wx' });
  }

  rename(from: string, to: string): void {
    renameSync(join(this.#folder, from), join(this.#folder, to));
  }

  remove(file: string): void {
    rmSync(join(this.#folder, file));
  }
}
