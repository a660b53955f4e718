/**
 * Says what is wrong with one value of a request, and what was expected there, in sentences. The validator's own words name a pattern at
 * best; who sent an address of another chain, or a signature in upper case, needs the rule.
 */
import type { Clause, Sentence } from '../gateway/types.ts';

/** One fault as the validator has it: its words, and the value at the place that it names. */
export interface ValidatorFault {
  /** The last step of its pointer: the name of a member or of a parameter. */
  name: string;
  message: string;
  value: unknown;
  /** Which value of a parameter that is a list, counted from 1. */
  at?: number | undefined;
  isParameter?: boolean;
}

interface Rule {
  expected: Clause;
  /** What the value has instead, or undefined when the rule alone says enough. */
  found(text: string): string | undefined;
}

const HEXADECIMAL = /^0x/i;
const UPPER_CASE = /[A-Z]/;

const hex =
  (digits: number) =>
  (text: string): string | undefined => {
    if (HEXADECIMAL.test(text)) return 'begins with 0x';
    if (/[^0-9A-Fa-f]/.test(text)) return 'has characters that are no hex digits';
    if (text.length !== digits) return `has ${text.length} characters`;
    return UPPER_CASE.test(text) ? 'has upper-case digits' : undefined;
  };

const ADDRESS: Rule = {
  expected: 'An address is lower-case bech32m: txl1 or txlt1 and 58 characters',
  found: (text) => {
    if (HEXADECIMAL.test(text)) return 'is hexadecimal (0x...)';
    if (/^txlt?1/i.test(text) && UPPER_CASE.test(text)) return 'has upper-case letters';
    if (!/^txlt?1/.test(text)) return 'begins differently';
    const rest = text.slice(text.indexOf('1') + 1);
    return /[^02-9ac-hj-np-z]/.test(rest)
      ? 'has characters outside the bech32 alphabet'
      : `has ${rest.length} characters after the 1`;
  },
};
const SIGNATURE: Rule = { expected: 'A signature is 128 lower-case hex digits without a prefix', found: hex(128) };
const HASH: Rule = { expected: 'A txHash is 64 hex digits in either case, without a prefix', found: hex(64) };
const AMOUNT: Rule = {
  expected:
    'An amount is a string of decimal digits from 1 to 2^128-1, in minor units, without sign, point, exponent or leading zero',
  found: (text) => (/^[1-9][0-9]*$/.test(text) ? 'is too large' : undefined),
};
const NONCE: Rule = { expected: 'A nonce is an integer from 0 to 2^53-1, without quotes', found: () => undefined };
const REFERENCE: Rule = {
  expected: 'A reference is 1 to 140 printable ASCII characters other than " and \\, without a space at either end',
  found: (text) => {
    if (text.length > 140) return `has ${text.length} characters`;
    if (/[^ -~]/.test(text)) return 'has characters outside printable ASCII';
    return /["\\]/.test(text) ? 'has a quotation mark or a backslash' : undefined;
  },
};
const VALID_UNTIL: Rule = {
  expected: 'A validUntil is Unix time in whole seconds, an integer from 1 to 253402300799, without quotes',
  found: (text) => (/^[0-9]+$/.test(text) ? 'is text' : undefined),
};

/** By the names that the contract gives to them, in bodies, queries and paths alike. */
const RULES: Readonly<Record<string, Rule>> = {
  address: ADDRESS,
  account: ADDRESS,
  from: ADDRESS,
  to: ADDRESS,
  signature: SIGNATURE,
  txHash: HASH,
  amount: AMOUNT,
  nonce: NONCE,
  reference: REFERENCE,
  validUntil: VALID_UNTIL,
};

/** Words of Ajv that are not English sentences after "It". */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^must match pattern "(.*)"$/, 'must match the pattern $1'],
  [/^must be >= (.*)$/, 'must be at least $1'],
  [/^must be <= (.*)$/, 'must be at most $1'],
  [/^must NOT have fewer than (.*)$/, 'must have at least $1'],
  [/^must NOT have more than (.*)$/, 'must have at most $1'],
  [/^must be equal to one of the allowed values: (.*)$/, 'must be one of $1'],
];

export function describeFault({ at, ...fault }: ValidatorFault): Sentence {
  const message = describeOne(fault);
  return at === undefined ? message : `Value ${at} is refused. ${message}`;
}

function describeOne({ name, message, value, isParameter = false }: Omit<ValidatorFault, 'at'>): Sentence {
  if (message.startsWith('must have required property'))
    return `The required ${isParameter ? 'parameter' : 'member'} ${quoted(name)} is missing.`;
  if (/^must NOT have (unevaluated|additional) properties/.test(message))
    return `The member ${quoted(name)} is not known here. Leave it out.`;
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  // How many values a list has is no rule of one value.
  if (rule !== undefined && !(isParameter && Array.isArray(value))) {
    const found = typeof value === 'string' ? rule.found(value) : kindOf(value);
    return `${rule.expected}${found === undefined ? '' : `; this one ${found}`}.`;
  }
  const [pattern, words] = WORDS.find(([candidate]) => candidate.test(message)) ?? [/$/, ''];
  return `It ${message.replace(pattern, words)}.`;
}

/** A number is where text was expected, unless the rule is about numbers: then only its value can be wrong. */
function kindOf(value: unknown): string | undefined {
  if (value === null) return 'is null';
  if (value === undefined || typeof value === 'number') return undefined;
  return Array.isArray(value) ? 'is an array' : `is ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}

/** A name that the client chose is shown in part, and so that it cannot be taken for our own words. */
function quoted(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
}
