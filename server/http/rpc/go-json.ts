/**
 * JSON as Go's encoding/json speaks of it: the same text for the same value, the same words for the same fault.
 *
 * Clients of CometBFT match error texts, so what a stock node says of a malformed body is said here too. The scanner
 * follows the states of Go's encoding/json/scanner.go; it only looks for the first fault, JSON.parse builds the value.
 */

const ESCAPED = /[<>&\u2028\u2029]/g;
const HEX = /^[0-9A-Fa-f]$/;

/** Go escapes what could end a script element, and the two line separators of Unicode. */
export function goStringify(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Undefined when the text is JSON. */
export function goSyntaxFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const scan = new Scan(text);
    try {
      scan.document();
    } catch (fault) {
      if (fault instanceof Fault) return fault.message;
      throw fault;
    }
    // JSON.parse and the scanner read the same grammar; a fault that only one of them sees is still a fault.
    return 'invalid JSON';
  }
}

/** Thrown and caught within this file only. */
class Fault extends Error {}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#unexpected('after top-level value');
  }

  #value(): void {
    this.#space();
    const char = this.#peek();
    if (char === '{') this.#object();
    else if (char === '[') this.#array();
    else if (char === '"') this.#string();
    else if (char === 't') this.#literal('true');
    else if (char === 'f') this.#literal('false');
    else if (char === 'n') this.#literal('null');
    else if (char === '-' || isDigit(char)) this.#number();
    else this.#unexpected('looking for beginning of value');
  }

  #object(): void {
    this.#at += 1;
    this.#space();
    if (this.#peek() === '}') {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#space();
      if (this.#peek() !== '"') this.#unexpected('looking for beginning of object key string');
      this.#string();
      this.#space();
      if (this.#peek() !== ':') this.#unexpected('after object key');
      this.#at += 1;
      this.#value();
      this.#space();
      const char = this.#peek();
      if (char !== ',' && char !== '}') this.#unexpected('after object key:value pair');
      this.#at += 1;
      if (char === '}') return;
    }
  }

  #array(): void {
    this.#at += 1;
    this.#space();
    if (this.#peek() === ']') {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#value();
      this.#space();
      const char = this.#peek();
      if (char !== ',' && char !== ']') this.#unexpected('after array element');
      this.#at += 1;
      if (char === ']') return;
    }
  }

  #string(): void {
    for (this.#at += 1; ; this.#at += 1) {
      const char = this.#peek();
      if (char === '"') break;
      if (char === '\\') this.#escape();
      else if (char < ' ') this.#unexpected('in string literal');
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    const char = this.#peek();
    if (!'bfnrt\\/"u'.includes(char)) this.#unexpected('in string escape code');
    if (char !== 'u') return;
    for (let digit = 0; digit < 4; digit++) {
      this.#at += 1;
      if (!HEX.test(this.#peek())) this.#unexpected('in \\u hexadecimal character escape');
    }
  }

  #literal(word: string): void {
    for (let index = 1; index < word.length; index++) {
      this.#at += 1;
      if (this.#peek() !== word[index]) this.#unexpected(`in literal ${word} (expecting ${quote(word[index] ?? '')})`);
    }
    this.#at += 1;
  }

  #number(): void {
    if (this.#peek() === '-') {
      this.#at += 1;
      if (!isDigit(this.#peek())) this.#unexpected('in numeric literal');
    }
    if (this.#peek() === '0') this.#at += 1;
    else this.#digits();
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      if (!isDigit(this.#peek())) this.#unexpected('after decimal point in numeric literal');
      this.#digits();
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1;
      if (this.#peek() === '+' || this.#peek() === '-') this.#at += 1;
      if (!isDigit(this.#peek())) this.#unexpected('in exponent of numeric literal');
      this.#digits();
    }
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }

  #peek(): string {
    const char = this.#text[this.#at];
    if (char === undefined) throw new Fault('unexpected end of JSON input');
    return char;
  }

  #unexpected(context: string): never {
    throw new Fault(`invalid character ${quote(this.#peek())} ${context}`);
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}

/** As Go quotes a character: JSON's escapes, but for the two quotes. */
function quote(char: string): string {
  if (char === "'") return String.raw`'\''`;
  if (char === '"') return `'"'`;
  return `'${JSON.stringify(char).slice(1, -1)}'`;
}
