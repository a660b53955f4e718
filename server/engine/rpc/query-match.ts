/**
 * Whether the events of a block or a transaction satisfy a query (CometBFT v0.38 libs/pubsub/query/query.go).
 *
 * Events are composite keys with the values they carry, as a subscription sends them. Every condition must find one value of its own.
 */
import { parseQueryDate, parseQueryTime, type QueryCondition, type QueryValue } from './query.ts';

export type CompositeEvents = Readonly<Record<string, readonly string[]>>;

export function matchesQuery(conditions: readonly QueryCondition[], events: CompositeEvents): boolean {
  const entries = Object.entries(events);
  return entries.length > 0 && conditions.every((condition) => entries.some(([key, values]) => matchesKey(condition, key, values)));
}

function matchesKey(condition: QueryCondition, key: string, values: readonly string[]): boolean {
  if (key === condition.tag) return values.some((value) => matchesValue(condition, value));
  // A condition on an event's type alone is put to an empty text, so that `transfer EXISTS` finds every transfer.
  return key.slice(0, Math.max(0, key.lastIndexOf('.'))) === condition.tag && matchesValue(condition, '');
}

function matchesValue({ operator, value: wanted }: QueryCondition, found: string): boolean {
  if (operator === 'EXISTS' || wanted === undefined) return true;
  if (operator === 'CONTAINS') return found.includes(wanted.text);
  if (wanted.type === 'string') return found === wanted.text;
  const order = compare(found, wanted);
  if (order === undefined) return false;
  switch (operator) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Sign of found - wanted; undefined when the found text is not of the wanted type. */
function compare(found: string, { type, text }: QueryValue): number | undefined {
  if (type === 'number') return compareDecimals(found, text);
  const read = type === 'time' ? parseQueryTime : parseQueryDate;
  const [a, b] = [read(found), read(text)];
  return a === undefined || b === undefined ? undefined : Number(a > b) - Number(a < b);
}

/** A number at the beginning of a text: "8atom" counts as 8. */
const DECIMAL = /^(\d+)(?:\.(\d+))?/;

/** Sign of a - b for decimals of any length, exact; undefined when one is none. */
function compareDecimals(a: string, b: string): number | undefined {
  const [left, right] = [DECIMAL.exec(a), DECIMAL.exec(b)];
  if (!left?.[1] || !right?.[1]) return undefined;
  const digits = Math.max(left[2]?.length ?? 0, right[2]?.length ?? 0);
  const x = BigInt(left[1] + (left[2] ?? '').padEnd(digits, '0'));
  const y = BigInt(right[1] + (right[2] ?? '').padEnd(digits, '0'));
  return Number(x > y) - Number(x < y);
}
