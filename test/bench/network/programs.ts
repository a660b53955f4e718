/** The processes that a run starts, which it ends whatever happens. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../../e2e/support/server.ts';
import { commandResult, type CommandResult } from '../../support/child-process.ts';
import { asStarted } from '../sides/as-started.ts';

const POLL_MS = 20;
const ERRORS_KEPT_CHARS = 2_000;

export class Programs {
  readonly #checkout: string;
  readonly #children: ChildProcess[] = [];

  /** @param checkout whose programs of ours are started. */
  constructor(checkout: string) {
    this.#checkout = checkout;
  }

  /** Also what never came up is ended by `end`. */
  launch(program: string, args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
    const child = spawn(program, [...args], {
      cwd: this.#checkout,
      env: environment(variables),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#children.push(child);
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-ERRORS_KEPT_CHARS)));
    child.once(
      'exit',
      (code) =>
        code !== null &&
        code !== 0 &&
        console.error(`${path.basename(program)} ${args[0]} ended with ${code}: ${errors}`),
    );
    return child;
  }

  /** As `npm run serve` starts it. */
  launchServer(command: string, variables: Record<string, string>): ChildProcess {
    const [node, ...args] = asStarted(this.#checkout, command);
    return this.launch(node, args, variables);
  }

  /** Runs `txledger` to its end. */
  txledger(args: readonly string[], variables: Record<string, string> = {}): Promise<CommandResult> {
    return commandResult(
      spawn(process.execPath, ['server/cli/txledger.ts', ...args], {
        cwd: this.#checkout,
        env: environment(variables),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** In the opposite order of their start. */
  async end(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  }
}

/** Asks again and again; what `holds` throws counts as no. */
export async function until(what: string, holds: () => Promise<boolean>, msMax: number): Promise<void> {
  const endMs = performance.now() + msMax;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`${what} took longer than ${msMax} ms`);
    await sleep(POLL_MS);
  }
}
