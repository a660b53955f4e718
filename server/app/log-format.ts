/**
 * The log format of this process: JSON for programs, text for people. It is chosen once, before any thread starts, and is the same in all
 * of them.
 *
 * @module
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

export const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

interface Chosen {
  format: LogFormat;
  hasColours: boolean;
}

/** Key of the environment data that passes the format to threads that start later. */
const KEY = 'txledger.logFormat';

export function chooseLogFormat(format: LogFormat): void {
  const chosen: Chosen = { format, hasColours: format === 'text' && showsColours(process.env, process.stdout.isTTY) };
  setEnvironmentData(KEY, { ...chosen });
}

/** Returns JSON if this process has not chosen a format. */
export function logFormat(): Chosen {
  return (getEnvironmentData(KEY) as unknown as Chosen | undefined) ?? { format: 'json', hasColours: false };
}

/** Decides about colours as https://no-color.org specifies; only for output on a terminal. */
export function showsColours(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  return isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
