/**
 * JSON as in Go's encoding/json: the same text for the same value, the same error text for the same fault.
 *
 * Clients of CometBFT match error texts, so a malformed body gets the same error text as from a stock node. One scan over the text, by the
 * states of Go's encoding/json/scanner.go, looks for the first fault within bounds of its own, without recursion and without building
 * anything. Only a text that passes the scan is built, by one JSON.parse. So a text of 500,000 integers costs what its first
 * RPC_JSON_VALUES_MAX cost.
 */
import { RPC_BATCH_MAX, RPC_JSON_DEPTH_MAX, RPC_JSON_VALUES_MAX } from '../limits.ts';

/** `limit`: the text may be JSON, but exceeds a limit of the scan. */
export type GoJson = { ok: true; value: unknown } | { ok: false; fault: string } | { ok: false; limit: JsonLimit };

/** The exceeded limit; `entries` are those of an array that is the whole text. */
export type JsonLimit = 'depth' | 'values' | 'entries';

/** Go's error for text that is nested too deep; its own bound is 10,000. */
export const DEPTH_FAULT = "invalid character '[' exceeded max depth";

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const NEEDS_CARE = /[\\\u0000-\u001f]/;
const ESCAPED = /[<>&\u2028\u2029]/g;

/** Go escapes the characters that could end a script element, and the two line separators of Unicode. */
export function goStringify(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export type JsonFailure = Exclude<GoJson, { ok: true }>;

/**
 * Returns the first fault, or the first exceeded limit; undefined if the text can be built. `entriesMax`: for an array that is the whole
 * text.
 */
export function scanGoJson(text: string, entriesMax = RPC_BATCH_MAX): JsonFailure | undefined {
  return new Scan(text, entriesMax).run();
}

/** `scanned`: the result of scanGoJson, if the caller has it already. */
export function readGoJson(text: string, scanned = scanGoJson(text)): GoJson {
  return scanned ?? { ok: true, value: JSON.parse(text) };
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

const END = 'unexpected end of JSON input';
/** Go reads a space at the end of the text: in these states it reports that space as the fault. */
const NO_SPACE = /^in (numeric literal|exponent|literal|string escape|\\u)|^after decimal point/;

/** Undefined: no fault. */
type Found = JsonFailure | undefined;

class Scan {
  readonly #text: string;
  readonly #entriesMax: number;
  /** True without any backslash or control character, the usual case: then a string ends at the next quote. */
  readonly #isSimple: boolean;
  /** For each open level, 1 if it is an object. */
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
      // A value is complete, and any number of levels around it may be complete too.
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

  /** True: a container was opened and its first value comes next. False: a value was read completely. */
  #value(): boolean | JsonFailure {
    this.#space();
    const c = this.#text.charCodeAt(this.#at);
    this.#values += 1;
    if (this.#values > RPC_JSON_VALUES_MAX) return { ok: false, limit: 'values' };
    if (this.#depth === 1 && this.#objects[0] === 0) {
      this.#entries += 1;
      // The bracket that ends the array is not an entry; an empty array does not reach this line.
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

  /** Reads an escape from the character after the backslash. */
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
        return this.#unexpected(`in literal ${word} (expecting ${quote(word.charCodeAt(index))})`);
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
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined && !NO_SPACE.test(context)) return { ok: false, fault: END };
    return { ok: false, fault: `invalid character ${quote(code ?? SPACE)} ${context}` };
  }
}

/** NaN, which charCodeAt returns beyond the end, is not a digit. */
function isDigit(c: number): boolean {
  return c >= ZERO && c <= NINE;
}

function isHexDigit(c: number): boolean {
  return isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
}

/** Quotes a character as Go does (quoteChar of scanner.go), which takes the first byte of its UTF-8 as a character of its own. */
function quote(code: number): string {
  const byte = code < 0x80 ? code : (Buffer.from(String.fromCodePoint(code))[0] ?? 0);
  if (byte === 0x27) return String.raw`'\''`;
  if (byte === QUOTE) return `'"'`;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

const GO_ESCAPES: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
};
/** Characters that Go does not print unchanged: all but letters, marks, numbers, punctuation, symbols and the space of ASCII. */
const UNPRINTABLE = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Quotes a text as strconv.Quote does. */
export function goQuote(text: string): string {
  const escaped = text.replace(UNPRINTABLE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const hex = (digits: number): string => code.toString(16).padStart(digits, '0');
    return GO_ESCAPES[char] ?? (code < 0x80 ? `\\x${hex(2)}` : code < 0x1_00_00 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
  });
  return `"${escaped}"`;
}

/** Prints a value that encoding/json has read as Go does (`%v`). */
export function goPrint(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((each) => goPrint(each)).join(' ')}]`;
  if (typeof value === 'number') return goFloat(value);
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `map[${members.map(([name, member]) => `${name}:${goPrint(member)}`).join(' ')}]`;
}

/** The shortest digits, with an exponent of two digits at least below 1e-4 and from 1e21 on. */
function goFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e21)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  return String(value);
}

/**
 * Returns the original text of each member of an object, or of each entry of an array by its number; of a repeated name the last counts.
 * The text has passed scanGoJson. It is used for error texts in which Go quotes a value.
 */
export function rawParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let at = afterSpace(text, 0);
  const isObject = text.charCodeAt(at) === BRACE;
  for (let index = 0; ; index++) {
    // Skips the bracket or the comma.
    at = afterSpace(text, at + 1);
    const first = text.charCodeAt(at);
    if (first === BRACE_END || first === BRACKET_END || at >= text.length) return parts;
    let name = String(index);
    if (isObject) {
      const end = endOfValue(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = afterSpace(text, afterSpace(text, end) + 1);
    }
    const end = endOfValue(text, at);
    parts.set(name, text.slice(at, end));
    at = afterSpace(text, end);
  }
}

const NO_SPACE_CHARACTER = /[^ \t\n\r]/g;
/** Brackets, braces and quotes. */
const STRUCTURE = /["[\]{}]/g;
const SCALAR_END = /[ \t\n\r,\]}]/g;

function indexOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? text.length;
}

const afterSpace = (text: string, at: number): number => indexOf(NO_SPACE_CHARACTER, text, at);

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first !== BRACE && first !== BRACKET) return indexOf(SCALAR_END, text, start);
  let depth = 0;
  for (let at = start; at < text.length;) {
    at = indexOf(STRUCTURE, text, at);
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    depth += c === BRACE || c === BRACKET ? 1 : -1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The offset after the quote that ends the string: a quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
