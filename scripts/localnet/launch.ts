/**
 * Starts one part: in a process group of its own, so that the terminal's Ctrl-C reaches it only through the supervisor,
 * with its output in a log file that it writes itself, so that nothing is lost when the supervisor dies.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { signalGroup } from './processes.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  /** Undefined when it could not be started at all. */
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
}

/** A user to become, as root only. */
export interface User {
  uid: number;
  gid: number;
}

export interface Command {
  program: string;
  args: readonly string[];
  /** The whole environment of the part. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  log: string;
  user?: User | undefined;
}

const LOG_MODE = 0o600;
/** The exit code of a shell for a program that does not exist. */
export const EXIT_NOT_STARTED = 127;
const TAIL_LINES = 20;
const TAIL_LINE_CHARACTERS_MAX = 400;

/** Empties a log, so that it has the lines of this run only. */
export function truncateLog(file: string): void {
  closeSync(openSync(file, 'w', LOG_MODE));
}

export function launch(command: Command): Child {
  const { program, args, env, cwd, log, user } = command;
  const output = openSync(log, 'a', LOG_MODE);
  const child = spawn(program, [...args], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['ignore', output, output],
    ...user,
  });
  closeSync(output);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: EXIT_NOT_STARTED, signal: null });
    });
  });
  return {
    pid: child.pid,
    exited,
    signal: (signal) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        signalGroup(child.pid, signal);
    },
  };
}

/** The last lines of a log, for the terminal. */
export function tailOf(log: string): string {
  if (!existsSync(log)) return '  (no log)';
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES);
  return lines.map((line) => `  ${line.slice(0, TAIL_LINE_CHARACTERS_MAX)}`).join('\n');
}
