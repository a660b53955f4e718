/** `npm run localnet` as a process that tests start, look into, hurt and end. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftover, isRunning } from '../../scripts/localnet/processes.ts';
import { isFree } from '../../scripts/localnet/ports.ts';
import type { LocalnetState, PartState } from '../../scripts/localnet/state.ts';
import { ROOT } from '../../scripts/steps.ts';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { environment, freePort } from '../e2e/support/server.ts';
import { endChild, ended } from '../support/child-process.ts';

/** COMETBFT names the program. */
export const COMETBFT = process.env['COMETBFT'] ?? '';

/** The network promises 90 s; tests judge that by what it prints, and share the machine with other tests. */
export const LOCALNET_READY_MS_MAX = 180_000;
export const STOP_MS_MAX = 60_000;
const POLL_MS = 20;
const READY = /^A network of 4 validators, ready after (\d+) s\./m;

/** Two ports in a row that nobody listens on. */
export async function freePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isFree(port + 1)) return port;
  }
}

/** `npm run localnet` as its users run it: a process, two ports, a folder. */
export class Localnet {
  readonly dataDir: string;
  readonly #variables: Record<string, string>;
  #child: ChildProcess | undefined;
  /** Standard output and standard error of the last run. */
  output = '';

  constructor(options: { dataDir: string; port: number; variables?: Record<string, string> }) {
    this.dataDir = options.dataDir;
    this.#variables = {
      DATA_DIR: options.dataDir,
      PORT: String(options.port),
      COMETBFT,
      TXLEDGER_VALIDATE_RESPONSES: 'true',
      ...options.variables,
    };
  }

  spawn(): ChildProcess {
    this.output = '';
    const child = spawn(process.execPath, ['scripts/localnet.ts'], {
      cwd: ROOT,
      env: environment(this.#variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child = child;
    return child;
  }

  /** Resolves when the network says that it is ready. @returns how many seconds it says that took. */
  async start(): Promise<number> {
    const child = this.spawn();
    const closed = once(child, 'close').then(() => undefined);
    const deadline = performance.now() + LOCALNET_READY_MS_MAX;
    while (!READY.test(this.output)) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
        throw new Error(`the network is not ready:\n${this.output}`);
      await Promise.race([
        once(child.stdout as NodeJS.ReadableStream, 'data'),
        closed,
        sleep(deadline - performance.now(), undefined, { ref: false }),
      ]);
    }
    return Number(READY.exec(this.output)?.[1]);
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the network is not running');
    return this.#child.pid;
  }

  /** Another supervisor on the same folder, started already. */
  again(): Localnet {
    const second = new Localnet({
      dataDir: this.dataDir,
      port: Number(this.#variables['PORT']),
      variables: this.#variables,
    });
    second.spawn();
    return second;
  }

  /** Resolves when the supervisor has ended by itself. @returns its exit code. */
  async ended(): Promise<number | null> {
    if (!this.#child) throw new Error('the network is not running');
    return await ended(this.#child);
  }

  /** Sends a signal to the supervisor and waits for its end. @returns its exit code, null after a signal that cannot be caught. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return endChild(this.#child, signal);
  }

  state(): LocalnetState {
    return JSON.parse(readFileSync(path.join(this.dataDir, 'localnet.json'), 'utf8')) as LocalnetState;
  }

  part(name: string): PartState {
    const part = this.state().parts.find((each) => each.name === name);
    if (!part) throw new RangeError(`there is no part ${name}`);
    return part;
  }

  /** Kills a part with a signal that it cannot catch. @returns what it was. */
  kill(name: string): PartState {
    const part = this.part(name);
    if (part.pid === null) throw new Error(`${name} is not running`);
    process.kill(part.pid, 'SIGKILL');
    return part;
  }

  /** Resolves when the part runs again as another process than `before`. */
  async restarted(before: PartState, msMax: number): Promise<PartState> {
    const deadline = performance.now() + msMax;
    for (;;) {
      const now = this.part(before.name);
      if (now.startedAt !== null && now.startedAt !== before.startedAt) return now;
      if (performance.now() > deadline)
        throw new Error(`${before.name} was not started again within ${msMax} ms:\n${this.output}`);
      await sleep(POLL_MS);
    }
  }

  /** Stops a part and keeps it stopped: its supervisor sees a living process. `resume` lets it go on. */
  pause(name: string): void {
    process.kill(this.part(name).pid as number, 'SIGSTOP');
  }

  resume(name: string): void {
    process.kill(this.part(name).pid as number, 'SIGCONT');
  }

  /** The parts that run. */
  running(): string[] {
    return this.state()
      .parts.filter(({ pid, startedAt }) => pid !== null && startedAt !== null && isRunning({ pid, startedAt }))
      .map(({ name }) => name);
  }

  databaseUrl(): string {
    return readFileSync(this.state().databaseUrlFile, 'utf8').trim();
  }

  async development(): Promise<DevelopmentFile> {
    return JSON.parse(await readFile(path.join(this.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  }

  /** Ends whatever is left, whatever became of the supervisor. */
  async destroy(): Promise<void> {
    await this.stop('SIGTERM');
    if (!existsSync(path.join(this.dataDir, 'localnet.json'))) return;
    for (const { pid, startedAt } of this.state().parts.toReversed()) {
      if (pid !== null && startedAt !== null)
        await endLeftover({ pid, startedAt }, { signal: 'SIGKILL', graceMs: STOP_MS_MAX });
    }
  }
}
