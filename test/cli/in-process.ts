import { environment } from '../e2e/support/server.ts';
import type { CommandResult } from '../support/child-process.ts';

/**
 * A command line run in this process: what it reads of its process (arguments, environment, folder) and what it does to it (output, end) are those of
 * one command for as long as it runs. So one runs at a time, the next when it has ended.
 */

/** The end of the process, as far as the command can tell. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const textOf = (values: readonly unknown[]): string => `${values.map(String).join(' ')}\n`;

let last: Promise<unknown> = Promise.resolve();

export function runInProcess(
  args: readonly string[],
  options: { variables?: Record<string, string>; cwd?: string } = {},
): Promise<CommandResult> {
  const result = last.then(() => runAlone(args, options));
  last = result.catch(() => undefined);
  return result;
}

async function runAlone(
  args: readonly string[],
  { variables = {}, cwd = process.cwd() }: { variables?: Record<string, string>; cwd?: string },
): Promise<CommandResult> {
  const before = {
    argv: process.argv,
    env: process.env,
    cwd: process.cwd(),
    exit: process.exit,
    exitCode: process.exitCode,
    log: console.log,
    error: console.error,
    umask: process.umask(),
  };
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  const [out, errors]: [string[], string[]] = [[], []];
  const capture = (into: string[]) => (chunk: string | Uint8Array) =>
    into.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()) > 0;
  process.argv = ['node', 'txledger', ...args];
  process.env = environment(variables);
  process.chdir(cwd);
  process.exitCode = undefined;
  process.exit = ((code?: number) => {
    throw new Exit(code ?? Number(process.exitCode ?? 0));
  }) as typeof process.exit;
  console.log = (...values: unknown[]) => void out.push(textOf(values));
  console.error = (...values: unknown[]) => void errors.push(textOf(values));
  process.stdout.write = capture(out) as typeof process.stdout.write;
  process.stderr.write = capture(errors) as typeof process.stderr.write;
  try {
    const { run } = await import('../../server/cli/main.ts');
    const code = await run().then(
      () => Number(process.exitCode ?? 0),
      (error: unknown) => {
        if (error instanceof Exit) return error.code;
        throw error;
      },
    );
    return { code, stdout: out.join(''), stderr: errors.join('') };
  } finally {
    Object.assign(process, { argv: before.argv, env: before.env, exit: before.exit, exitCode: before.exitCode });
    Object.assign(console, { log: before.log, error: before.error });
    process.stdout.write = writes.stdout;
    process.stderr.write = writes.stderr;
    process.chdir(before.cwd);
    process.umask(before.umask);
  }
}
