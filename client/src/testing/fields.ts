/** Rules of the contract for the values of a request, one for each kind of value. */
import {
  ADDRESS_PATTERN,
  AMOUNT_MAX,
  NONCE_MAX,
  REFERENCE_PATTERN,
  VALID_UNTIL_MAX,
} from '../../../server/ledger/index.ts';
import { ACCOUNTS_MAX, LIST_LIMIT_MAX } from '../../../server/gateway/limits.ts';
import { EVENT_PLACE_PATTERN } from '../../../server/gateway/event-place.ts';
import type { FieldError } from '../../../server/gateway/types.ts';
import type { QueryParameter } from '../../../server/http/query.ts';

interface Rule {
  readonly expected: FieldError['message'];
  holds(value: unknown): boolean;
}

const pattern = (expression: RegExp, expected: Rule['expected']): Rule => ({
  expected,
  holds: (value) => typeof value === 'string' && expression.test(value),
});
const integer = (min: number, max: number): Rule => ({
  expected: `It must be an integer from ${min} to ${max}.`,
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
});

const ADDRESS = pattern(
  ADDRESS_PATTERN,
  'It must be an address: txl1 or txlt1 and 58 lower-case characters of the bech32 alphabet.',
);
const AMOUNT: Rule = {
  expected: 'It must be from 1 to 2^128-1, a string of decimal digits.',
  holds: (value) => typeof value === 'string' && /^[1-9][0-9]{0,38}$/.test(value) && BigInt(value) <= AMOUNT_MAX,
};
const HASH = pattern(/^[0-9A-Fa-f]{64}$/, 'It must be 64 hex digits.');
const REFERENCE = pattern(
  REFERENCE_PATTERN,
  'It must be 1 to 140 printable ASCII characters other than " and \\, without a space at either end.',
);
const STATUSES = ['pending', 'committed', 'failed', 'cancelled', 'expired'];

export type Rules = Readonly<Record<string, Rule>>;

const SIGNATURE = pattern(/^[0-9a-f]{128}$/, 'It must be 128 lower-case hex digits.');

export const BODY: Rules = {
  from: ADDRESS,
  to: ADDRESS,
  amount: AMOUNT,
  nonce: integer(0, NONCE_MAX),
  signature: SIGNATURE,
};
export const CANCEL_BODY: Rules = { signature: SIGNATURE };
export const BODY_OPTIONAL: Rules = { reference: REFERENCE, validUntil: integer(1, VALID_UNTIL_MAX), txHash: HASH };
export const PATH: Rules = { txHash: HASH, address: ADDRESS };
export const ADDRESSES: Rules = {
  address: {
    expected: `It must be 1 to ${ACCOUNTS_MAX} addresses: txl1 or txlt1 and 58 lower-case characters of the bech32 alphabet each.`,
    holds: (value) =>
      Array.isArray(value) && value.length <= ACCOUNTS_MAX && value.every((each) => ADDRESS.holds(each)),
  },
};
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
export const HEADER: Rules = {
  [IDEMPOTENCY_KEY.toLowerCase()]: pattern(
    /^("([ !#-[\]-~]|\\["\\]){1,255}"|[!#-+\--:<-[\]-~]{1,255})$/,
    'It must be 1 to 255 characters, bare or in double quotes.',
  ),
};
export const QUERY: Rules = {
  limit: integer(1, LIST_LIMIT_MAX),
  cursor: pattern(/^[A-Za-z0-9_-]{1,512}$/, 'It must be a cursor that the service answered.'),
  status: {
    expected: `It must be one of ${STATUSES.join(', ')}.`,
    holds: (value) => STATUSES.includes(value as string),
  },
  from: ADDRESS,
  nonce: integer(0, NONCE_MAX),
  to: ADDRESS,
  account: ADDRESS,
  reference: REFERENCE,
};
const MOMENT = pattern(
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/,
  'It must be a moment as RFC 3339 writes it, in UTC or with an offset.',
);
export const ENTRY_QUERY: Rules = {
  limit: integer(1, LIST_LIMIT_MAX),
  cursor: pattern(/^[A-Za-z0-9_-]{1,512}$/, 'It must be a cursor that the service answered.'),
  from: MOMENT,
  to: MOMENT,
  order: { expected: 'It must be asc or desc.', holds: (value) => value === 'asc' || value === 'desc' },
};
const PLACE = pattern(EVENT_PLACE_PATTERN, 'It must be the id of an event, HEIGHT-INDEX, or a height.');
export const EVENT_QUERY: Rules = {
  limit: integer(1, LIST_LIMIT_MAX),
  cursor: pattern(/^[A-Za-z0-9_-]{1,512}$/, 'It must be a cursor that the service answered.'),
  order: { expected: 'It must be asc or desc.', holds: (value) => value === 'asc' || value === 'desc' },
  after: PLACE,
  account: ADDRESS,
  owner: pattern(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'It must be the name of an owner.'),
  type: pattern(/^(?=.{1,64}$)[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/, 'It must be a type of events.'),
  reference: REFERENCE,
  status: {
    expected: `It must be one of ${STATUSES.slice(1).join(', ')}.`,
    holds: (value) => STATUSES.indexOf(value as string) > 0,
  },
};
export const ACCOUNT_QUERY: Rules = { height: integer(0, NONCE_MAX) };
const INTEGERS: ReadonlySet<string> = new Set(['limit', 'nonce', 'height']);

export function parametersOf(rules: Rules): ReadonlyMap<string, QueryParameter> {
  const typeOf = (name: string): QueryParameter['type'] =>
    INTEGERS.has(name) ? 'integer' : name === 'address' ? 'list' : 'string';
  return new Map(Object.keys(rules).map((name) => [name, { name, type: typeOf(name) }]));
}

/** The faults of an object: each value that breaks its rule, each missing value, and each value without a rule. */
export function faultsIn(
  values: Readonly<Record<string, unknown>>,
  place: string,
  required: Rules,
  optional: Rules = {},
): FieldError[] {
  const rules = { ...optional, ...required };
  const missing = Object.keys(required).filter((name) => values[name] === undefined);
  const broken = Object.entries(values).filter(
    ([name, value]) => value !== undefined && rules[name]?.holds(value) !== true,
  );
  return [
    ...missing.map((name) => ({ pointer: `${place}/${name}`, message: 'It is required.' as const })),
    ...broken.map(([name]) => ({
      pointer: `${place}/${name}`,
      message: rules[name]?.expected ?? ('It is not known here.' as const),
    })),
  ];
}
