/**
 * Formats the log line of fields that are plain values: the same text as pino's, in a tenth of the time (decision 0059).
 *
 * @module
 */
import { timestamp } from '../http/timestamp.ts';

/** Our names consist of letters, so that they need no escapes. */
const PLAIN_NAME = /^[A-Za-z]+$/;
/** Matches everything but visible ASCII: other characters may need escapes (visible-text.ts), and few lines have one. */
const NEEDS_ESCAPES = /[^ !#-[\]-~]/;

export interface PlainLine {
  level: string;
  nowMs: number;
  /** Members of every line of the logger: `"thread":"main"`. */
  base: string;
  fields: object;
  message: string;
  /** Members that must not be shown as they are. */
  except: ReadonlySet<string>;
}

/** Undefined when a member is not a plain value, needs an escape, or is one of `except`. */
export function plainLine({ level, nowMs, base, fields, message, except }: PlainLine): string | undefined {
  let line = `{"level":"${level}","time":"${timestamp(nowMs)}",${base}`;
  const given = fields as Record<string, unknown>;
  for (const name in given) {
    const value = given[name];
    if (value === undefined) continue;
    if (except.has(name) || !PLAIN_NAME.test(name)) return undefined;
    if (typeof value === 'string' && !NEEDS_ESCAPES.test(value)) line += `,"${name}":"${value}"`;
    else if (typeof value === 'boolean') line += `,"${name}":${value}`;
    else if (typeof value === 'number' && Number.isFinite(value)) line += `,"${name}":${value}`;
    else return undefined;
  }
  return NEEDS_ESCAPES.test(message) ? undefined : `${line},"msg":"${message}"}\n`;
}
