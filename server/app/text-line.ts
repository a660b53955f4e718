/**
 * The log line for people: `12:03:44 POST /transactions 202 12 ms dev-0 -> dev-1 100`, with the fault at its end if there is one.
 *
 * Paths and parts of a body come from clients, so only visible characters are written to the terminal.
 *
 * @module
 */
import { DEVELOPMENT_ADDRESS_PREFIX, developmentAccounts } from './dev-accounts.ts';

export interface TextLine {
  level: string;
  nowMs: number;
  fields: object;
  message: string;
  hasColours: boolean;
}

/** Length of a path of an account, with a query behind it; a longer one is cut off. */
const PATH_CHARS_MAX = 120;
/** Characters of a hash: enough to identify it in a list. */
const HASH_CHARS = 8;
/** A shorter path has no room for an address or a hash. */
const NAMED_CHARS_MIN = 60;
/** A sentence of a problem, or of an error, is shorter. */
const VALUE_CHARS_MAX = 500;
const ADDRESS_CHARS = 64;
/** A shorter duration is shown with a decimal. */
const WHOLE_MS_MIN = 10;
const MS_PER_S = 1000;

const LONG_WORDS = new RegExp(`${DEVELOPMENT_ADDRESS_PREFIX}1[02-9ac-hj-np-z]{58}|[0-9A-Fa-f]{64}`, 'g');
/**
 * Control characters, format characters (which can turn the direction of a line, or hide words in it), and ends of lines and paragraphs.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** The same without the line ends of a stack. */
const INVISIBLE_IN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const COLOURS = { dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;
type Colour = keyof typeof COLOURS;
const painted = (colour: Colour, text: string, hasColours: boolean): string =>
  hasColours ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;

let second = Number.NaN;
let clockText = '';
/** The time of day in the reader's time zone; formatted once a second. */
function timeOfDay(nowMs: number): string {
  const now = Math.floor(nowMs / MS_PER_S);
  if (now !== second) {
    const date = new Date(nowMs);
    const two = (value: number): string => String(value).padStart(2, '0');
    clockText = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
    second = now;
  }
  return clockText;
}

let names: Map<string, string> | undefined;
/** `dev-0` for its address; another address, or a hash, is shortened to its beginning. */
function named(word: string): string {
  names ??= new Map(developmentAccounts().map(({ name, address }) => [address, name]));
  return (
    names.get(word) ??
    `${word.slice(0, word.startsWith(DEVELOPMENT_ADDRESS_PREFIX) ? HASH_CHARS + DEVELOPMENT_ADDRESS_PREFIX.length : HASH_CHARS)}..`
  );
}

const visible = (text: string, charsMax = VALUE_CHARS_MAX): string => {
  const clean = text.replace(INVISIBLE, ' ');
  return clean.length > charsMax ? `${clean.slice(0, charsMax)}..` : clean;
};

/** The fields of the request line (http/access-log.ts); all of them are optional. */
interface RequestFields {
  method?: unknown;
  path?: unknown;
  status?: unknown;
  durationMs?: unknown;
  code?: unknown;
  detail?: unknown;
  requestId?: unknown;
  transfer?: { from?: unknown; to?: unknown; amount?: unknown } | undefined;
  transfers?: unknown;
}

function requestText(fields: RequestFields, hasColours: boolean): string {
  const { method, path, status, durationMs, transfer, transfers, code, detail, requestId } = fields;
  const target = visible(typeof path === 'string' ? shortened(path) : '?', PATH_CHARS_MAX);
  const ms =
    typeof durationMs === 'number'
      ? `${durationMs < WHOLE_MS_MIN ? durationMs.toFixed(1) : Math.round(durationMs)} ms`
      : '';
  let text = `${String(method)} ${target} ${statusText(Number(status), hasColours)} ${painted('dim', ms, hasColours)}`;
  if (transfer !== undefined) text += transferText(transfer);
  if (typeof transfers === 'number') text += ` ${transfers} transfers`;
  if (typeof code === 'string')
    text += ` ${painted(Number(status) >= 500 ? 'red' : 'yellow', code, hasColours)}${typeof detail === 'string' ? `: ${visible(shortened(detail))}` : ''}`;
  if (Number(status) >= 500) text += ` (request ${visible(String(requestId))})`;
  return text;
}

const shortened = (text: string): string => (text.length < NAMED_CHARS_MIN ? text : text.replace(LONG_WORDS, named));

function transferText({ from, to, amount }: NonNullable<RequestFields['transfer']>): string {
  const word = (value: unknown): string =>
    typeof value === 'string' ? visible(value.length < NAMED_CHARS_MIN ? value : named(value), ADDRESS_CHARS) : '?';
  return ` ${word(from)} -> ${word(to)} ${typeof amount === 'string' ? visible(amount, ADDRESS_CHARS) : '?'}`;
}

function statusText(status: number, hasColours: boolean): string {
  if (!hasColours) return String(status);
  return painted(status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green', String(status), hasColours);
}

/** Shows a plain word as it is, other text as a JSON string, and an object as JSON. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"]+$/.test(value) ? visible(value) : JSON.stringify(visible(value));
  return visible(
    typeof value === 'object'
      ? (JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '')
      : String(value),
  );
}

function errorText(error: unknown): string {
  const { stack, message } = (error ?? {}) as { stack?: unknown; message?: unknown };
  return `\n  ${String(stack ?? message ?? error)
    .replace(INVISIBLE_IN_LINES, ' ')
    .replaceAll('\n', '\n  ')}`;
}

function factText(fields: object, message: string, hasColours: boolean): string {
  let text = visible(message);
  let errors = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === 'err') errors += errorText(value);
    else if (name === 'stack') errors += errorText({ stack: value });
    else text += ` ${painted('dim', `${name}=`, hasColours)}${valueText(value)}`;
  }
  return text + errors;
}

function auditText(fields: object): string {
  const { action, subject, actor } = fields as Record<string, unknown>;
  return `audit: ${valueText(action)} ${valueText(subject)} by ${valueText(actor)}`;
}

function blockText(fields: object, hasColours: boolean): string {
  const { height, transactions, failed } = fields as Record<string, unknown>;
  const count = `${String(transactions)} ${transactions === 1 ? 'transaction' : 'transactions'}`;
  return `${painted('cyan', `block ${String(height)}`, hasColours)} ${count}${failed === 0 ? '' : `, ${String(failed)} failed`}`;
}

/** `fields` without secrets (log-secrets.ts). */
export function textLine({ level, nowMs, fields, message, hasColours }: TextLine): string {
  const time = painted('dim', timeOfDay(nowMs), hasColours);
  if (message === 'request') return `${time} ${requestText(fields, hasColours)}\n`;
  if (message === 'audit') return `${time} ${auditText(fields)}\n`;
  if (message === 'block') return `${time} ${blockText(fields, hasColours)}\n`;
  const label =
    level === 'warn'
      ? painted('yellow', 'warning: ', hasColours)
      : level === 'error'
        ? painted('red', 'error: ', hasColours)
        : '';
  return `${time} ${label}${factText(fields, message, hasColours)}\n`;
}
