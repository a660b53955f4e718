/**
 * Runs a program to its end and collects its output.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { EXIT_NOT_STARTED, type User } from './launch.ts';

export interface RunResult {
  /** Null after a signal; 127 when the program does not exist. */
  code: number | null;
  /** Standard output and standard error, as they came. */
  output: string;
}

export interface RunOptions {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  user?: User | undefined;
  input?: string;
}

export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { env = process.env, cwd, user, input } = options;
  return new Promise((resolve) => {
    const child = spawn(program, [...args], {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...user,
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.stdin.on('error', () => undefined); // the program may end before it has read everything
    child.once('error', (error) => resolve({ code: EXIT_NOT_STARTED, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
    child.stdin.end(input ?? '');
  });
}
