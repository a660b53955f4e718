/** Processes that tests start: what a command printed, and an end that is waited for. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Resolves when the command has ended by itself, with all that it printed. */
export async function commandResult(child: ChildProcess): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await ended(child);
  return { code, stdout, stderr };
}

/** Resolves when the process has ended and its output is read. @returns its exit code, null after a signal that ended it. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

/** Waits for a process that ends by itself, as a service manager does: one that hangs on the way is killed. */
export async function endedInTime(child: ChildProcess, msMax: number): Promise<number | null> {
  const kill = setTimeout(() => child.kill('SIGKILL'), msMax);
  try {
    return await ended(child);
  } finally {
    clearTimeout(kill);
  }
}

/** Sends a signal, unless the process has ended or was never started, and waits for its end as `ended` does. */
export async function endChild(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<number | null> {
  if (!child) return null;
  const end = ended(child);
  child.kill(signal);
  return await end;
}

/** Sessions of a database lead process groups of their own, so they are found by their parent. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
