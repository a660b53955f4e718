/**
 * In which form this process logs: JSON for programs, text for people. Chosen once, before any thread starts, and then the same in all of them.
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

/** Threads that start later find it under this name. */
const KEY = 'txledger.logFormat';

export function chooseLogFormat(format: LogFormat): void {
  const chosen: Chosen = { format, hasColours: format === 'text' && showsColours(process.env, process.stdout.isTTY) };
  setEnvironmentData(KEY, { ...chosen });
}

/** JSON in a process that did not choose. */
export function logFormat(): Chosen {
  return (getEnvironmentData(KEY) as unknown as Chosen | undefined) ?? { format: 'json', hasColours: false };
}

/** As https://no-color.org specifies, and only where the output is a terminal. */
export function showsColours(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  return isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
