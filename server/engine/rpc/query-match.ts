/**
 * Matches the events of a block or a transaction with a query (CometBFT v0.38 libs/pubsub/query/query.go).
 *
 * Events are composite keys with their values, as a subscription sends them. Every condition must match one value of its own.
 */
import { parseQueryDate, parseQueryTime, type QueryCondition, type QueryValue } from './query.ts';

export type CompositeEvents = Readonly<Record<string, readonly string[]>>;

export function matchesQuery(conditions: readonly QueryCondition[], events: CompositeEvents): boolean {
  if (conditions.length === 0) return Object.keys(events).length > 0;
  return conditions.every((condition) => matchesCondition(condition, events));
}

export function matchesCondition(condition: QueryCondition, events: CompositeEvents): boolean {
  const { tag } = condition;
  if (Object.hasOwn(events, tag) && events[tag]?.some((value) => matchesValue(condition, value)) === true) return true;
  // A condition on an event's type alone is compared with an empty text, so that `transfer EXISTS` matches every transfer.
  return matchesValue(condition, '') && Object.keys(events).some((key) => eventTypeOf(key) === tag);
}

/** The type before an attribute's name: `transfer` of `transfer.from`. */
export function eventTypeOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('.')));
}

/** True when this value of its key meets the condition. */
export function matchesValue({ operator, value: wanted }: QueryCondition, found: string): boolean {
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

/** One spelling for equal numbers: two texts are equal by `=` exactly when their keys are. Undefined when a text is not a number. */
export function decimalKey(text: string): string | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const significant = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${significant === '' ? '' : `.${significant}`}`;
}

/** Sign of a - b for decimals of any length, exact; undefined when one is not a decimal. */
function compareDecimals(a: string, b: string): number | undefined {
  const [left, right] = [DECIMAL.exec(a), DECIMAL.exec(b)];
  if (!left?.[1] || !right?.[1]) return undefined;
  const digits = Math.max(left[2]?.length ?? 0, right[2]?.length ?? 0);
  const x = BigInt(left[1] + (left[2] ?? '').padEnd(digits, '0'));
  const y = BigInt(right[1] + (right[2] ?? '').padEnd(digits, '0'));
  return Number(x > y) - Number(x < y);
}
