/**
 * Messages about one value of a request: the fault, and the expected value, in sentences. The validator's own messages name a pattern at
 * best; a client that sent an address of another chain, or a signature in upper case, needs the rule.
 */
import { EVENT_TYPES } from '../gateway/event-types.ts';
import { quotedName } from '../gateway/field-place.ts';
import { SCOPES } from '../gateway/types.ts';
import type { Clause, Sentence } from '../gateway/types.ts';

/** One fault as the validator reports it: its message, and the value at its place. */
export interface ValidatorFault {
  /** The last step of its pointer: the name of a member or of a parameter. */
  name: string;
  message: string;
  /** The name of the contract's schema for the value; undefined if it has no name. */
  schema?: string | undefined;
  value: unknown;
  /** The index of the value in a parameter that is a list, counted from 1. */
  at?: number | undefined;
  isParameter?: boolean;
}

interface Rule {
  expected: Clause;
  /** A description of the given value; undefined if the rule alone is enough. */
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

/** `from` and `to` are addresses in transactions but times in a statement, so one is often sent in place of the other. */
const AN_ADDRESS = /^txlt?1[02-9ac-hj-np-z]+$/i;
const A_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
const A_NUMBER = /^[0-9]+$/;

const ADDRESS: Rule = {
  expected: 'An address is lower-case bech32m: txl1 or txlt1 and 58 characters',
  found: (text) => {
    if (HEXADECIMAL.test(text)) return 'is hexadecimal (0x...)';
    if (/^txlt?1/i.test(text) && UPPER_CASE.test(text)) return 'has upper-case letters';
    if (A_TIME.test(text)) return 'is a time';
    if (A_NUMBER.test(text)) return 'is a number';
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

const nothing = (): undefined => undefined;
const CURSOR: Rule = {
  expected: 'A cursor is nextCursor of the page before, unchanged: 1 to 256 letters, digits, dashes and underscores',
  found: nothing,
};
const TIME: Rule = {
  expected:
    'A time is as RFC 3339 writes it, such as 2026-11-01T00:00:00Z or 2026-11-28T10:00:00+01:00, with at most nine digits of fractions of a second',
  found: (text) => {
    if (AN_ADDRESS.test(text)) return 'is an address';
    if (A_NUMBER.test(text)) return 'is a number';
    if (!A_TIME.test(text)) return undefined;
    if (/ [0-9]{2}:[0-9]{2}$/.test(text)) return 'has a space before its offset, where a URL needs %2B for a plus sign';
    return /(Z|[+-][0-9]{2}:[0-9]{2})$/.test(text) ? undefined : 'has no offset, which is Z for UTC';
  },
};
const EVENT_PLACE: Rule = {
  expected: 'A place in the event log is the id of an event, such as 1204-3, or the height of a block, such as 1204',
  found: nothing,
};
const STATE_HEIGHT: Rule = {
  expected: 'A height is an integer from 0, which is the genesis file, to 2^53-1',
  found: nothing,
};
const OWNER: Rule = {
  expected:
    'The name of an owner is 1 to 63 lower-case letters, digits, dots, underscores and dashes, and begins with a letter or a digit',
  found: nothing,
};
const EVENT_TYPE: Rule = { expected: `A type of events is one of ${EVENT_TYPES.join(', ')}`, found: nothing };
const SCOPE: Rule = { expected: `A scope is one of ${SCOPES.join(', ')}`, found: nothing };
const WEBHOOK_ID: Rule = {
  expected:
    'The id of a webhook is wh_ and 26 lower-case letters and digits, as createWebhook and listWebhooks answer it',
  found: nothing,
};
const TOKEN_ID: Rule = {
  expected: 'The id of a token is 16 lower-case hex digits, as createToken and listTokens answer it',
  found: nothing,
};
const IDEMPOTENCY_KEY: Rule = {
  expected:
    'An Idempotency-Key is 1 to 255 visible ASCII characters, bare or in double quotes, such as 8e03978e-40d5-43e8-bc93-6894a57f9324; spaces, commas and semicolons need the quotes, and inside them each double quote and backslash a backslash before it',
  found: nothing,
};
const LEDGER_HEIGHT_MIN: Rule = {
  expected: 'A Ledger-Height-Min is a Ledger-Height as it was answered: plain decimal digits without a leading zero',
  found: nothing,
};
const RPC_HEIGHT: Rule = {
  expected: 'It is an integer from 1 to 2^63-1 as a string of plain decimal digits',
  found: nothing,
};
const RPC_COUNT: Rule = {
  expected: 'It is an integer from 0 to 2^63-1 as a string of plain decimal digits',
  found: nothing,
};
const RPC_HEX: Rule = { expected: 'It is bytes in hex, two digits each, without a prefix', found: nothing };
const RPC_BASE64: Rule = { expected: 'It is bytes in base64 with padding', found: nothing };
const RPC_BASE64_HASH: Rule = {
  expected: 'It is a hash of 32 bytes in base64: 44 characters, the last one =',
  found: nothing,
};
const RPC_HEX_HASH: Rule = {
  expected: 'It is a hash of 32 bytes: 64 hex digits in either case, without a prefix',
  found: hex(64),
};
const RPC_QUERY: Rule = {
  expected: 'It is a query of CometBFT, such as tx.height>4, of 1 to 512 characters without control characters',
  found: nothing,
};

/**
 * Keys are the names of the contract's schemas, and of parameters with an inline schema. Every schema of a request that has a pattern is
 * here; for the others the validator's message is enough.
 */
export const RULES: Readonly<Record<string, Rule>> = {
  Address: ADDRESS,
  Signature: SIGNATURE,
  TxHashInput: HASH,
  Amount: AMOUNT,
  Nonce: NONCE,
  Reference: REFERENCE,
  ValidUntil: VALID_UNTIL,
  Cursor: CURSOR,
  TimestampInput: TIME,
  EventPlace: EVENT_PLACE,
  StateHeight: STATE_HEIGHT,
  Owner: OWNER,
  EventType: EVENT_TYPE,
  TokenScope: SCOPE,
  WebhookId: WEBHOOK_ID,
  TokenId: TOKEN_ID,
  IdempotencyKey: IDEMPOTENCY_KEY,
  LedgerHeightMin: LEDGER_HEIGHT_MIN,
  RpcHeightInput: RPC_HEIGHT,
  RpcCount: RPC_COUNT,
  RpcHexBytes: RPC_HEX,
  RpcBytes: RPC_BASE64,
  RpcBase64Hash: RPC_BASE64_HASH,
  RpcHexHash: RPC_HEX_HASH,
  RpcQuery: RPC_QUERY,
};

/** Words of Ajv that make no English sentence after "It". */
const WORDS: readonly (readonly [RegExp, string])[] = [
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

/** Ajv's message for a member that the schema does not have. */
export const isAboutUnknownMember = (message: string): boolean =>
  /^must NOT have (unevaluated|additional) properties/.test(message);

function describeOne({ name, message, schema = '', value, isParameter = false }: Omit<ValidatorFault, 'at'>): Sentence {
  if (message.startsWith('must have required property'))
    return `The required ${isParameter ? 'parameter' : 'member'} ${quotedName(name)} is missing.`;
  if (isAboutUnknownMember(message)) return `The member ${quotedName(name)} is not known here. Leave it out.`;
  const rule = Object.hasOwn(RULES, schema) ? RULES[schema] : undefined;
  // The number of values is a rule of the list, not of one value.
  if (rule !== undefined && !(isParameter && Array.isArray(value))) {
    const found = typeof value === 'string' ? rule.found(value) : kindOf(value);
    return `${rule.expected}${found === undefined ? '' : `; this one ${found}`}.`;
  }
  const [pattern, words] = WORDS.find(([candidate]) => candidate.test(message)) ?? [/$/, ''];
  return `It ${message.replace(pattern, words)}.`;
}

/** Reports a number in place of text, unless the rule is about numbers: then only its value can be wrong. */
function kindOf(value: unknown): string | undefined {
  if (value === null) return 'is null';
  if (value === undefined || typeof value === 'number') return undefined;
  return Array.isArray(value) ? 'is an array' : `is ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
