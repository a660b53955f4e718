/**
 * Parses JSON that moves or explains money as the service parses a body: with exactly one meaning, or not at all. `JSON.parse` would accept
 * 1e3 and 1000.0 as 1000, the last of two members with the same name, and the nearest double of a longer number: then a payment could
 * differ from the text in the file.
 *
 * @module
 */
import { readFileSync, statSync } from 'node:fs';
import { readStrictJson } from '../platform/strict-json.ts';
import { CommandError } from './failure.ts';

/** Far above the largest file that is parsed here, a genesis of 64 MiB, whose bytes are bounded before. */
const VALUES_MAX = 4_000_000;

/** Place of a fault: names of members, and numbers of items from 0, from the outside in. */
export type JsonPath = readonly (string | number)[];

export type StrictText = { ok: true; value: unknown } | { ok: false; detail: string; path: JsonPath };

/** The offset after the closing quote of the string that begins at `from`; the end of the text if it is not closed. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function nameOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // The fault is in the name itself.
    return quoted.replace(/^"|"$/g, '');
  }
}

/** The path to a place before which the text is valid JSON. */
function pathTo(text: string, place: number): JsonPath {
  const path: (string | number)[] = [];
  const isNext: boolean[] = [];
  for (let at = 0; at <= place && at < text.length; at += 1) {
    const c = text[at];
    if (c === '"') {
      const end = endOfString(text, at);
      // After a bracket or a comma comes a name, and after a colon a value.
      if (isNext.at(-1) === true) {
        path[path.length - 1] = nameOf(text.slice(at, end));
        isNext[isNext.length - 1] = false;
      }
      at = end - 1;
    } else if (at === place) break;
    else if (c === '{' || c === '[') {
      path.push(c === '{' ? '' : 0);
      isNext.push(c === '{');
    } else if (c === '}' || c === ']') {
      path.pop();
      isNext.pop();
    } else if (c === ',') {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
      else {
        path[path.length - 1] = '';
        isNext[isNext.length - 1] = true;
      }
    }
  }
  return path.filter((part) => part !== '');
}

export function readStrictText(bytes: Buffer, what: 'body' | 'file', valuesMax?: number): StrictText {
  const read = readStrictJson(bytes, { what, ...(valuesMax === undefined ? {} : { valuesMax }) });
  if (read.ok) return read;
  return { ok: false, detail: read.detail, path: read.at === undefined ? [] : pathTo(bytes.toString('utf8'), read.at) };
}

const shown = (name: string): string => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));

/** Formats a path: `item 3, member amount`. Items are counted from 1, as people count rows. */
function wordsOf(path: JsonPath): string {
  const items = typeof path[0] === 'number' ? [`item ${path[0] + 1}`] : [];
  const rest = path.slice(items.length).map((part) => (typeof part === 'number' ? String(part) : shown(part)));
  return [...items, ...(rest.length === 0 ? [] : [`member ${rest.join('.')}`])].join(', ');
}

/**
 * @param code code of the failure with --json.
 * @throws CommandError that names the file, the item and the member.
 */
export function parseStrict(file: string, bytes: Buffer, code = 'usage'): unknown {
  const read = readStrictText(bytes, 'file', VALUES_MAX);
  if (read.ok) return read.value;
  const where = wordsOf(read.path);
  throw new CommandError(`${file}${where === '' ? '' : `, ${where}`}: ${read.detail} Nothing was done.`, 'usage', {
    code,
  });
}

/** @throws CommandError for a file that cannot be read, is larger than the bound, or has more than one meaning. */
export function readStrictFile(file: string, bytesMax: number, code?: string): unknown {
  let bytes: Buffer;
  try {
    const { size } = statSync(file);
    if (size > bytesMax) throw new Error(`it has ${size} bytes, expected at most ${bytesMax}`);
    bytes = readFileSync(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  return parseStrict(file, bytes, code);
}
