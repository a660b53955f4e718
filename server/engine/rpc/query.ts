/**
 * CometBFT's query language: parses `tx.height > 5 AND transfer.from = 'x'` into a list of conditions, all of which must hold.
 *
 * Grammar, offsets and error texts are those of CometBFT v0.38 libs/pubsub/query/syntax (scanner.go, parser.go), because clients show them
 * to people. Length and number of conditions are bounded; CometBFT bounds the length only.
 */

/** Longest query, in bytes of UTF-8: CometBFT's maxQueryLength. */
export const QUERY_BYTES_MAX = 512;
export const QUERY_CONDITIONS_MAX = 8;

export type QueryOperator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS';

export interface QueryValue {
  type: 'string' | 'number' | 'time' | 'date';
  /** Without quotes and without the words TIME and DATE. */
  text: string;
}

export interface QueryCondition {
  /** Composite key, for example transfer.from. */
  tag: string;
  operator: QueryOperator;
  /** Undefined for EXISTS, and only there. */
  value: QueryValue | undefined;
}

export type ParsedQuery = { ok: true; conditions: QueryCondition[] } | { ok: false; error: string };

type Token = QueryOperator | 'tag' | 'string' | 'number' | 'time' | 'date' | 'AND' | 'invalid';

/** Names of tokens in error messages. */
const LABELS: Readonly<Record<Token, string>> = {
  tag: 'tag',
  string: 'string',
  number: 'number',
  time: 'timestamp',
  date: 'datestamp',
  invalid: 'invalid token',
  AND: 'AND operator',
  CONTAINS: 'CONTAINS operator',
  EXISTS: 'EXISTS operator',
  '=': '= operator',
  '<': '< operator',
  '<=': '<= operator',
  '>': '> operator',
  '>=': '>= operator',
};

const OPERATORS: readonly QueryOperator[] = ['<=', '>=', '<', '>', '=', 'CONTAINS', 'EXISTS'];
/** Types of values that an operator accepts. */
const OPERANDS: Readonly<Record<QueryOperator, readonly QueryValue['type'][]>> = {
  '<=': ['number', 'time', 'date'],
  '>=': ['number', 'time', 'date'],
  '<': ['number', 'time', 'date'],
  '>': ['number', 'time', 'date'],
  '=': ['number', 'time', 'date', 'string'],
  CONTAINS: ['string'],
  EXISTS: [],
};

const SPACE = /\s/u;
const DIGIT = /[0-9]/;
const TAG_FIRST = /[_\p{L}\p{Nd}]/u;
const TAG_REST = /[._\-\p{L}\p{Nd}]/u;
const TIME_RUNE = /[-T:+Z0-9]/;
const DATE_RUNE = /[-0-9]/;
const YEAR_MIN = 1900;
const YEAR_MAX = 2999;

/** The end of the text, or the text that is not a token. */
class ScanError extends Error {}
const END = 'EOF';

class Scanner {
  readonly #runes: readonly string[];
  #next = 0;
  /** Byte offsets in UTF-8: of the current token, and of the end of the text read so far. */
  position = 0;
  #end = 0;
  token: Token = 'invalid';
  text = '';

  constructor(query: string) {
    this.#runes = [...query];
  }

  /** Reads the next token. Throws a ScanError at the end of the text and at text that is not a token. */
  advance(): void {
    this.text = '';
    this.token = 'invalid';
    this.position = this.#end;
    while (SPACE.test(this.#peek())) {
      this.#take();
      this.position = this.#end;
    }
    const rune = this.#take();
    if (DIGIT.test(rune)) this.#number(rune);
    else if (TAG_FIRST.test(rune)) this.#word(rune);
    else if (rune === "'") this.#string();
    else if (rune === '=' || rune === '<' || rune === '>') this.#comparison(rune);
    else throw new ScanError(`invalid input ${rune} at offset ${this.#end}`);
  }

  #number(first: string): void {
    this.text = first + this.#takeWhile(DIGIT);
    if (this.#peek() === '.') this.text += this.#take() + this.#takeWhile(DIGIT);
    this.token = 'number';
  }

  #string(): void {
    for (let rune = this.#take(); rune !== "'"; rune = this.#take()) this.text += rune;
    this.token = 'string';
  }

  #comparison(first: '=' | '<' | '>'): void {
    this.token = first;
    if (first !== '=' && this.#peek() === '=') {
      this.#take();
      this.token = `${first}=`;
    }
  }

  #word(first: string): void {
    const word = first + this.#takeWhile(TAG_REST);
    if ((word === 'TIME' || word === 'DATE') && this.#peek() === ' ') {
      this.#take();
      this.#moment(word);
      return;
    }
    this.text = word;
    this.token = word === 'AND' || word === 'CONTAINS' || word === 'EXISTS' ? word : 'tag';
  }

  #moment(word: 'TIME' | 'DATE'): void {
    this.text = this.#takeWhile(word === 'TIME' ? TIME_RUNE : DATE_RUNE);
    const ns = word === 'TIME' ? parseQueryTime(this.text) : parseQueryDate(this.text);
    if (ns === undefined) throw new ScanError(`invalid ${word} value: ${JSON.stringify(this.text)}`);
    const year = Number(this.text.slice(0, 4));
    if (year < YEAR_MIN || year > YEAR_MAX)
      throw new ScanError(`${LABELS[word === 'TIME' ? 'time' : 'date']} year ${year} out of range`);
    this.token = word === 'TIME' ? 'time' : 'date';
  }

  #peek(): string {
    return this.#runes[this.#next] ?? '';
  }

  #take(): string {
    const rune = this.#runes[this.#next];
    if (rune === undefined) throw new ScanError(END);
    this.#next += 1;
    this.#end += Buffer.byteLength(rune);
    return rune;
  }

  #takeWhile(pattern: RegExp): string {
    let taken = '';
    while (pattern.test(this.#peek())) taken += this.#take();
    return taken;
  }
}

/** Parses a query. The error is a text as CometBFT answers it. */
export function parseQuery(query: string): ParsedQuery {
  if (Buffer.byteLength(query) > QUERY_BYTES_MAX) return { ok: false, error: 'maximum query length exceeded' };
  const scanner = new Scanner(query);
  try {
    const conditions = [parseCondition(scanner)];
    while (advanceUnlessEnd(scanner)) {
      if (scanner.token !== 'AND')
        throw new ScanError(`offset ${scanner.position}: got ${LABELS[scanner.token]}, want ${LABELS.AND}`);
      conditions.push(parseCondition(scanner));
    }
    if (conditions.length <= QUERY_CONDITIONS_MAX) return { ok: true, conditions };
    return { ok: false, error: `a query has at most ${QUERY_CONDITIONS_MAX} conditions, not ${conditions.length}` };
  } catch (error) {
    if (error instanceof ScanError) return { ok: false, error: error.message };
    throw error;
  }
}

function parseCondition(scanner: Scanner): QueryCondition {
  require(scanner, ['tag']);
  const tag = scanner.text;
  require(scanner, OPERATORS);
  const operator = scanner.token as QueryOperator;
  const operands = OPERANDS[operator];
  if (operands.length === 0) return { tag, operator, value: undefined };
  require(scanner, operands);
  return { tag, operator, value: { type: scanner.token as QueryValue['type'], text: scanner.text } };
}

function require(scanner: Scanner, wanted: readonly Token[]): void {
  try {
    scanner.advance();
  } catch (error) {
    throw error instanceof ScanError ? new ScanError(`offset ${scanner.position}: ${error.message}`) : error;
  }
  if (wanted.includes(scanner.token)) return;
  const labels = wanted.map((token) => LABELS[token]);
  const last = labels.pop();
  const list = labels.length === 0 ? last : `${labels.join(', ')} or ${last}`;
  throw new ScanError(`offset ${scanner.position}: got ${LABELS[scanner.token]}, wanted ${list}`);
}

/** Between conditions, text that is not a token counts as a wrong token. */
function advanceUnlessEnd(scanner: Scanner): boolean {
  try {
    scanner.advance();
    return true;
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    return error.message !== END;
  }
}

const TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const NS_PER_MS = 1_000_000n;

/** RFC 3339 to ns since the Unix epoch; undefined when it is not a time. */
export function parseQueryTime(text: string): bigint | undefined {
  const [, day, clock, fraction = '', zone] = TIME_PATTERN.exec(text) ?? [];
  const ms = day === undefined || !isDay(day) ? NaN : Date.parse(`${day}T${clock}${zone}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * NS_PER_MS + BigInt(fraction.padEnd(9, '0'));
}

/** A day (its beginning in UTC) to ns since the Unix epoch; undefined when there is no such day. */
export function parseQueryDate(text: string): bigint | undefined {
  return DATE_PATTERN.test(text) && isDay(text) ? BigInt(Date.parse(text)) * NS_PER_MS : undefined;
}

/** Date.parse reads 30 February as 2 March. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
