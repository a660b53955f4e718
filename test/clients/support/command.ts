import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface Command {
  program: string;
  args: readonly string[];
  folder: string;
  env?: Record<string, string>;
}

/** Runs a command to its end. @returns what it printed. @throws with that when it fails. */
export async function run({ program, args, folder, env }: Command): Promise<string> {
  const child = spawn(program, [...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${path.basename(program)} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
