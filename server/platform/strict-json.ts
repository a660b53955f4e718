/**
 * Reads JSON so that it has exactly one meaning, or refuses it: bodies, files and the parts of a JWT.
 *
 * `JSON.parse` keeps the last of two equal keys, turns -0 into 0 and rounds integers past 2^53 - 1. Two programs that read one body
 * differently can take it for two different payments, so all of that is refused here, before anything is parsed into an object:
 *
 * - bytes that are not UTF-8, a byte order mark, an empty body, anything after the value;
 * - the same key twice in one object, at any depth, compared after escapes are resolved;
 * - numbers in any spelling but the shortest plain one: -0, 1.0, 1e3, and those that a double would round;
 * - lone surrogates (also as escapes), which are not Unicode text (RFC 8259 section 8.2, RFC 7493 section 2.1);
 * - nesting deeper than JSON_DEPTH_MAX, more values than JSON_VALUES_MAX.
 *
 * One scan over the text proves all of it and JSON.parse then builds the value; the scan is an I-JSON checker (RFC 7493) with canonical
 * numbers, not a second parser, so there is one reading of the value and not two.
 */
import { isUtf8 } from 'node:buffer';

import type { Clause, Sentence } from './sentence.ts';

/** Deepest nesting. The contract's own bodies are one level deep. */
export const JSON_DEPTH_MAX = 16;
/** Most values of one text. The contract's own bodies have under ten, a batch of 1,000 transfers under 10,000. */
export const JSON_VALUES_MAX = 16_384;

/** `detail` is a sentence for the client that names the fault and where it is (byte or character offset). */
export type StrictJson =
  | { ok: true; value: unknown }
  | {
      ok: false;
      detail: Sentence;
      /** Offset of the fault in the text; undefined when the bytes are not text. */
      at: number | undefined;
    };

export interface StrictOptions {
  /** Name of the bytes in a sentence about them. */
  readonly what?: 'body' | 'file';
  readonly valuesMax?: number;
  readonly depthMax?: number;
  /** For JSON of other programs without amounts: numbers in every spelling of JSON. */
  readonly anyNumber?: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

const ANY_NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const NEEDS_CARE = /[\\\u0000-\u001f]/;

/** Thrown and caught within this file only. */
class Fault extends Error {
  readonly detail: Sentence;
  readonly at: number;

  constructor(detail: Sentence, at: number) {
    super(detail);
    this.detail = detail;
    this.at = at;
  }
}

export function readStrictJson(
  bytes: Buffer,
  { what = 'body', valuesMax = JSON_VALUES_MAX, depthMax = JSON_DEPTH_MAX, anyNumber = false }: StrictOptions = {},
): StrictJson {
  const noText = (detail: Sentence): StrictJson => ({ ok: false, detail, at: undefined });
  const verb = what === 'body' ? 'Send' : 'Write';
  if (bytes.length === 0) return noText(`The ${what} is empty. ${verb} one JSON value.`);
  if (bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return noText(`The ${what} begins with a byte order mark. ${verb} it without one.`);
  }
  if (!isUtf8(bytes)) return noText(`The ${what} is not valid UTF-8. Encode it in UTF-8.`);
  const text = bytes.toString('utf8');
  try {
    new Scan(text, valuesMax, depthMax, anyNumber).document();
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, detail: fault.detail, at: fault.at };
    throw fault;
  }
  return { ok: true, value: JSON.parse(text) };
}

class Scan {
  readonly text: string;
  readonly valuesMax: number;
  readonly depthMax: number;
  readonly anyNumber: boolean;
  at = 0;
  values = 0;
  /** No backslash and no control character anywhere, the usual case: then a string ends at the next quote. */
  readonly simple: boolean;

  constructor(text: string, valuesMax: number, depthMax: number, anyNumber: boolean) {
    this.depthMax = depthMax;
    this.text = text;
    this.valuesMax = valuesMax;
    this.anyNumber = anyNumber;
    this.simple = !NEEDS_CARE.test(text);
  }

  document(): void {
    this.space();
    this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail('Unexpected text after the JSON value');
  }

  value(depth: number): void {
    this.values += 1;
    if (this.values > this.valuesMax) this.fail(`There are more than ${this.valuesMax} values`);
    const c = this.text.charCodeAt(this.at);
    if (c === QUOTE) this.string();
    else if (c === 0x7b) this.object(depth + 1);
    else if (c === 0x5b) this.array(depth + 1);
    else if (c === MINUS || (c >= ZERO && c <= NINE)) {
      if (this.anyNumber) this.spelledNumber();
      else this.number();
    } else if (c === 0x74) this.word('true');
    else if (c === 0x66) this.word('false');
    else if (c === 0x6e) this.word('null');
    else this.fail(this.at < this.text.length ? 'A JSON value was expected' : 'The JSON text ends too early');
  }

  object(depth: number): void {
    this.descend(depth);
    const keys = new Set<string>();
    if (this.emptyUntil(0x7d)) return;
    for (;;) {
      if (this.text.charCodeAt(this.at) !== QUOTE) this.fail('A key in double quotes was expected');
      const start = this.at;
      const plain = this.string();
      const key = plain
        ? this.text.slice(start + 1, this.at - 1)
        : (JSON.parse(this.text.slice(start, this.at)) as string);
      if (keys.has(key)) {
        this.at = start;
        this.fail('The same key is given twice in one object');
      }
      keys.add(key);
      this.space();
      if (this.text.charCodeAt(this.at) !== 0x3a) this.fail('A colon was expected');
      this.at += 1;
      this.space();
      this.value(depth);
      if (this.closes(0x7d)) return;
    }
  }

  array(depth: number): void {
    this.descend(depth);
    if (this.emptyUntil(0x5d)) return;
    for (;;) {
      this.value(depth);
      if (this.closes(0x5d)) return;
    }
  }

  /** Steps over the opening bracket. */
  descend(depth: number): void {
    if (depth > this.depthMax) this.fail(`It is nested deeper than ${this.depthMax} levels`);
    this.at += 1;
    this.space();
  }

  emptyUntil(close: number): boolean {
    if (this.text.charCodeAt(this.at) !== close) return false;
    this.at += 1;
    return true;
  }

  /** After a member: true at the closing bracket, false after a comma. */
  closes(close: number): boolean {
    this.space();
    const c = this.text.charCodeAt(this.at);
    if (c !== close && c !== 0x2c) this.fail(`A comma or ${String.fromCharCode(close)} was expected`);
    this.at += 1;
    if (c === close) return true;
    this.space();
    return false;
  }

  /** Returns true when the string has no escape, so that its slice is its value. */
  string(): boolean {
    const text = this.text;
    if (this.simple) {
      const end = text.indexOf('"', this.at + 1);
      if (end < 0) this.fail('The JSON text ends within a string');
      this.at = end + 1;
      return true;
    }
    let plain = true;
    let at = this.at + 1;
    for (; ; at += 1) {
      const c = text.charCodeAt(at);
      if (c === QUOTE) break;
      if (c === BACKSLASH) {
        plain = false;
        this.at = at;
        at = this.escape() - 1;
      } else if (!(c >= 0x20)) {
        // NaN at the end of the text fails the comparison too.
        this.at = at;
        this.fail(
          at < text.length ? 'A control character in a string must be escaped' : 'The JSON text ends within a string',
        );
      }
    }
    this.at = at + 1;
    return plain;
  }

  /** Returns the offset after the escape at `this.at`. Surrogates count only as pairs: a lone one is not text. */
  escape(): number {
    const text = this.text;
    const at = this.at;
    const c = text[at + 1];
    if (c !== 'u') {
      if (c === undefined || !'"\\/bfnrt'.includes(c)) this.fail('Unknown escape in a string');
      return at + 2;
    }
    const unit = this.hex4(at + 2);
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const low = unit <= 0xdbff && text[at + 6] === '\\' && text[at + 7] === 'u' ? this.hex4(at + 8) : 0;
    if (low < 0xdc00 || low > 0xdfff) this.fail('A lone surrogate is not Unicode text');
    return at + 12;
  }

  hex4(at: number): number {
    const digits = this.text.slice(at, at + 4);
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) this.fail('Four hexadecimal digits were expected after \\u');
    return Number.parseInt(digits, 16);
  }

  /** The shortest plain decimal spelling only, so that a number has one spelling and no rounding. */
  number(): void {
    const text = this.text;
    const start = this.at;
    let at = start;
    if (text.charCodeAt(at) === MINUS) at += 1;
    const digits = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    if (at === digits) this.fail('A digit was expected');
    if (at > digits + 1 && text.charCodeAt(digits) === ZERO) this.fail('A number must not have leading zeros');
    let fraction = false;
    if (text.charCodeAt(at) === DOT) {
      fraction = true;
      at += 1;
      const first = at;
      while (isDigit(text.charCodeAt(at))) at += 1;
      if (at === first) this.fail('A digit was expected after the decimal point');
      if (text.charCodeAt(at - 1) === ZERO)
        this.fail('A number must be written without trailing zeros or a needless fraction');
    }
    const next = text.charCodeAt(at);
    if (next === 0x65 || next === 0x45) this.fail('A number must be written without an exponent');
    if (fraction) {
      const spelled = text.slice(start, at);
      if (String(Number(spelled)) !== spelled) this.fail('A fraction has more digits than a double holds');
    } else if (at - start >= 16 && !Number.isSafeInteger(Number(text.slice(start, at)))) {
      this.fail('An integer must be between -(2^53-1) and 2^53-1; write larger amounts as strings');
    }
    if (text.charCodeAt(start) === MINUS && text.charCodeAt(digits) === ZERO && !fraction)
      this.fail('The number -0 must be written 0');
    this.at = at;
  }

  spelledNumber(): void {
    ANY_NUMBER.lastIndex = this.at;
    if (!ANY_NUMBER.test(this.text)) this.fail('A digit was expected');
    this.at = ANY_NUMBER.lastIndex;
  }

  word(word: string): void {
    if (!this.text.startsWith(word, this.at)) this.fail('A JSON value was expected');
    this.at += word.length;
  }

  space(): void {
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.at += 1;
    }
  }

  fail(what: Clause): never {
    throw new Fault(`${what}, at character ${this.at}.`, this.at);
  }
}

/** NaN, which charCodeAt gives past the end, is not a digit. */
function isDigit(c: number): boolean {
  return c >= ZERO && c <= NINE;
}
