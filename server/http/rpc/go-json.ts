/**
 * JSON as Go's encoding/json speaks of it: the same text for the same value, the same words for the same fault.
 *
 * Clients of CometBFT match error texts, so what a stock node says of a malformed body is said here too. One scan over the
 * text, by the states of Go's encoding/json/scanner.go, looks for the first fault and keeps to bounds of its own, without
 * recursion and without building anything; only what has passed it is built, by one JSON.parse. So a text of 500,000
 * integers costs what its first RPC_JSON_VALUES_MAX cost.
 */
import { RPC_BATCH_MAX, RPC_JSON_DEPTH_MAX, RPC_JSON_VALUES_MAX } from '../limits.ts';

/** `limit`: the text may be JSON, but is more of it than is looked at. */
export type GoJson = { ok: true; value: unknown } | { ok: false; fault: string } | { ok: false; limit: JsonLimit };

/** What there is too much of; `entries` are those of an array that is the whole text. */
export type JsonLimit = 'depth' | 'values' | 'entries';

/** What Go says of text that is nested too deep for it; its own bound is 10,000. */
export const DEPTH_FAULT = "invalid character '[' exceeded max depth";

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const NEEDS_CARE = /[\\\u0000-\u001f]/;
const ESCAPED = /[<>&\u2028\u2029]/g;

/** Go escapes what could end a script element, and the two line separators of Unicode. */
export function goStringify(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export type JsonFailure = Exclude<GoJson, { ok: true }>;

/** The first fault, or the limit that is passed first; undefined when the text can be built. `entriesMax`: of an array that is the whole text. */
export function scanGoJson(text: string, entriesMax = RPC_BATCH_MAX): JsonFailure | undefined {
  return new Scan(text, entriesMax).run();
}

/** `scanned`: what scanGoJson said of the text, where that was asked before. */
export function readGoJson(text: string, scanned = scanGoJson(text)): GoJson {
  return scanned ?? { ok: true, value: JSON.parse(text) };
}

/**
 * How the first number was written that no double can hold, such as 1e400: JSON.parse makes Infinity of it, and Go an
 * error that repeats it. The text has been read by readGoJson, so it is no larger than its bounds.
 */
export function textOfInfinity(text: string, key: string): string {
  let written = 'Infinity';
  JSON.parse(text, function look(this: unknown, name: string, value: unknown, context?: { source: string }): unknown {
    if (name === key && typeof value === 'number' && !Number.isFinite(value) && context !== undefined)
      written = context.source;
    return value;
  } as (this: unknown, name: string, value: unknown) => unknown);
  return written;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const SPACE = 0x20;

/** Stands for the end of the text, where charCodeAt gives NaN. */
const END = 'unexpected end of JSON input';

/** Undefined: no fault. */
type Found = JsonFailure | undefined;

class Scan {
  readonly #text: string;
  readonly #entriesMax: number;
  /** No backslash and no control character anywhere, the usual case: then a string ends at the next quote. */
  readonly #isSimple: boolean;
  /** For each level that is open, whether it is an object. */
  readonly #objects = new Uint8Array(RPC_JSON_DEPTH_MAX);
  #depth = 0;
  #values = 0;
  #entries = 0;
  #at = 0;

  constructor(text: string, entriesMax: number) {
    this.#text = text;
    this.#entriesMax = entriesMax;
    this.#isSimple = !NEEDS_CARE.test(text);
  }

  run(): Found {
    for (;;) {
      const open = this.#value();
      if (typeof open === 'object') return open;
      if (open) continue;
      // A value is complete: so may be any number of levels around it.
      for (;;) {
        this.#space();
        if (this.#depth === 0)
          return this.#at < this.#text.length ? this.#unexpected('after top-level value') : undefined;
        const isObject = this.#objects[this.#depth - 1] === 1;
        const c = this.#text.charCodeAt(this.#at);
        if (c !== COMMA && c !== (isObject ? BRACE_END : BRACKET_END))
          return this.#unexpected(isObject ? 'after object key:value pair' : 'after array element');
        this.#at += 1;
        if (c === COMMA) {
          const fault = isObject ? this.#key() : undefined;
          if (fault !== undefined) return fault;
          break;
        }
        this.#depth -= 1;
      }
    }
  }

  /** True: a container was opened and its first value comes next. False: a value was read to its end. */
  #value(): boolean | JsonFailure {
    this.#space();
    const c = this.#text.charCodeAt(this.#at);
    this.#values += 1;
    if (this.#values > RPC_JSON_VALUES_MAX) return { ok: false, limit: 'values' };
    if (this.#depth === 1 && this.#objects[0] === 0) {
      this.#entries += 1;
      // The bracket that ends the array is no entry; an empty array never comes here.
      if (this.#entries > this.#entriesMax) return { ok: false, limit: 'entries' };
    }
    if (c === BRACE || c === BRACKET) return this.#open(c === BRACE);
    return this.#scalar(c) ?? false;
  }

  #open(isObject: boolean): boolean | JsonFailure {
    if (this.#depth >= RPC_JSON_DEPTH_MAX) return { ok: false, limit: 'depth' };
    this.#objects[this.#depth] = isObject ? 1 : 0;
    this.#depth += 1;
    this.#at += 1;
    this.#space();
    if (this.#text.charCodeAt(this.#at) === (isObject ? BRACE_END : BRACKET_END)) {
      this.#at += 1;
      this.#depth -= 1;
      return false;
    }
    return (isObject ? this.#key() : undefined) ?? true;
  }

  #key(): Found {
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== QUOTE)
      return this.#unexpected('looking for beginning of object key string');
    const fault = this.#string();
    if (fault !== undefined) return fault;
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== COLON) return this.#unexpected('after object key');
    this.#at += 1;
    return undefined;
  }

  #scalar(c: number): Found {
    if (c === QUOTE) return this.#string();
    if (c === 0x74) return this.#literal('true');
    if (c === 0x66) return this.#literal('false');
    if (c === 0x6e) return this.#literal('null');
    if (c === MINUS || isDigit(c)) return this.#number();
    return this.#unexpected('looking for beginning of value');
  }

  #string(): Found {
    const text = this.#text;
    if (this.#isSimple) {
      const end = text.indexOf('"', this.#at + 1);
      this.#at = end < 0 ? text.length : end + 1;
      return end < 0 ? this.#unexpected('in string literal') : undefined;
    }
    let at = this.#at + 1;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === QUOTE) break;
      if (c === BACKSLASH) {
        this.#at = at + 1;
        const fault = this.#escape();
        if (fault !== undefined) return fault;
        at = this.#at;
      } else if (c >= SPACE) at += 1;
      else {
        this.#at = at;
        return this.#unexpected('in string literal');
      }
    }
    this.#at = at + 1;
    return undefined;
  }

  /** From the character after the backslash. */
  #escape(): Found {
    const char = this.#text[this.#at];
    if (char === undefined || !'bfnrt\\/"u'.includes(char)) return this.#unexpected('in string escape code');
    this.#at += 1;
    if (char !== 'u') return undefined;
    for (let digit = 0; digit < 4; digit++) {
      if (!isHexDigit(this.#text.charCodeAt(this.#at))) return this.#unexpected('in \\u hexadecimal character escape');
      this.#at += 1;
    }
    return undefined;
  }

  #literal(word: string): Found {
    for (let index = 1; index < word.length; index++) {
      this.#at += 1;
      if (this.#text[this.#at] !== word[index])
        return this.#unexpected(`in literal ${word} (expecting ${quote(word[index] ?? '')})`);
    }
    this.#at += 1;
    return undefined;
  }

  #number(): Found {
    const text = this.#text;
    if (text.charCodeAt(this.#at) === MINUS) this.#at += 1;
    if (!isDigit(text.charCodeAt(this.#at))) return this.#unexpected('in numeric literal');
    if (text.charCodeAt(this.#at) === ZERO) this.#at += 1;
    else this.#digits();
    if (text.charCodeAt(this.#at) === DOT) {
      this.#at += 1;
      if (!isDigit(text.charCodeAt(this.#at))) return this.#unexpected('after decimal point in numeric literal');
      this.#digits();
    }
    const exponent = text.charCodeAt(this.#at);
    if (exponent === 0x65 || exponent === 0x45) {
      this.#at += 1;
      const sign = text.charCodeAt(this.#at);
      if (sign === PLUS || sign === MINUS) this.#at += 1;
      if (!isDigit(text.charCodeAt(this.#at))) return this.#unexpected('in exponent of numeric literal');
      this.#digits();
    }
    return undefined;
  }

  #digits(): void {
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #space(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at);
      if (c !== SPACE && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.#at += 1;
    }
  }

  #unexpected(context: string): JsonFailure {
    const char = this.#text[this.#at];
    return { ok: false, fault: char === undefined ? END : `invalid character ${quote(char)} ${context}` };
  }
}

/** NaN, which charCodeAt gives past the end, is no digit. */
function isDigit(c: number): boolean {
  return c >= ZERO && c <= NINE;
}

function isHexDigit(c: number): boolean {
  return isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
}

/** As Go quotes a character: JSON's escapes, but for the two quotes. */
function quote(char: string): string {
  if (char === "'") return String.raw`'\''`;
  if (char === '"') return `'"'`;
  return `'${JSON.stringify(char).slice(1, -1)}'`;
}
