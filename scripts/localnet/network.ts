/**
 * The running network: its supervised units, and localnet.json, which lists the running parts.
 *
 * @module
 */
import { LocalnetError } from './failure.ts';
import { launch, tailOf, type Exit } from './launch.ts';
import { commandOf, STOP, type NetworkSetup } from './parts.ts';
import { removeStalePidFile } from './postgres.ts';
import { startFirst } from './priority.ts';
import { identityOf } from './processes.ts';
import type { Progress } from './progress.ts';
import { writeState, type LocalnetState, type PartState } from './state.ts';
import { Unit, type PartSpec } from './unit.ts';

/** Deaths of a part in a row while the network starts, after which the start fails. */
const FAILURES_MAX = 4;

export type Group = 'postgres' | 'validators' | 'gateways';

const describeExit = ({ code, signal }: Exit): string =>
  signal === null ? `ended with ${code}` : `was ended by ${signal}`;

export class Network {
  readonly #setup: NetworkSetup;
  readonly #state: LocalnetState;
  readonly #progress: Progress;
  readonly #units: Record<Group, Unit[]> = { postgres: [], validators: [], gateways: [] };
  readonly #failed = Promise.withResolvers<never>();
  #phase: 'starting' | 'up' | 'stopping' = 'starting';

  constructor(setup: NetworkSetup, state: LocalnetState, progress: Progress) {
    this.#setup = setup;
    this.#state = state;
    this.#progress = progress;
    this.#failed.promise.catch(() => undefined); // it is awaited only while the network starts
    writeState(setup.folder.state, state);
    for (const part of state.parts) {
      if (part.kind === 'postgres') this.#units.postgres.push(this.#unit([part]));
      if (part.kind === 'gateway') this.#units.gateways.push(this.#unit([part]));
      if (part.kind === 'app') this.#units.validators.push(this.#unit([part, this.#nodeOf(part)]));
    }
  }

  start(group: Group): void {
    for (const unit of this.#units[group]) unit.start();
  }

  /** @throws LocalnetError when a part fails to start meanwhile. */
  whileStarting<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#failed.promise]);
  }

  up(): void {
    this.#phase = 'up';
  }

  async stop(group: Group): Promise<void> {
    this.#phase = 'stopping';
    await Promise.all(this.#units[group].map((unit) => unit.stop()));
  }

  kill(): void {
    this.#phase = 'stopping';
    for (const unit of Object.values(this.#units).flat()) unit.kill();
  }

  /** A full disk must not end the supervisor: the parts need it. */
  #save(): void {
    try {
      writeState(this.#setup.folder.state, this.#state);
    } catch (error) {
      this.#progress.note(`${this.#setup.folder.state} cannot be written: ${(error as Error).message}`);
    }
  }

  #nodeOf(app: PartState): PartState {
    const name = app.name.replace('app', 'node');
    const node = this.#state.parts.find((part) => part.name === name);
    if (!node) throw new RangeError(`there is no ${name}`);
    return node;
  }

  #unit(parts: readonly PartState[]): Unit {
    const find = (name: string): PartState => parts.find((part) => part.name === name) as PartState;
    const specs: PartSpec[] = parts.map((part) => ({
      name: part.name,
      graceMs: STOP[part.kind].graceMs,
      stopSignal: STOP[part.kind].signal,
      launch: () => {
        if (part.kind === 'postgres') removeStalePidFile(this.#setup.cluster.data);
        const child = launch(commandOf(part, this.#setup));
        if (part.kind !== 'postgres') void startFirst(child);
        return child;
      },
    }));
    return new Unit(specs, {
      started: (name, pid) => {
        Object.assign(find(name), {
          pid: pid ?? null,
          startedAt: pid === undefined ? null : (identityOf(pid) ?? null),
        });
        this.#save();
      },
      ended: (name) => {
        Object.assign(find(name), { pid: null, startedAt: null });
        this.#save();
      },
      died: (name, exit, failures) => this.#died(find(name), parts, exit, failures),
    });
  }

  #died(part: PartState, unit: readonly PartState[], exit: Exit, failures: number): void {
    if (this.#phase === 'stopping') return;
    const all = unit.map(({ name }) => name).join(' and ');
    if (this.#phase === 'starting' && failures >= FAILURES_MAX) {
      this.#failed.reject(
        new LocalnetError(
          `${part.name} cannot come up: it ${describeExit(exit)}, ${failures} times in a row. The end of ${part.log}:\n${tailOf(part.log)}`,
        ),
      );
      return;
    }
    for (const each of unit) each.restarts += 1;
    this.#progress.note(`${part.name} ${describeExit(exit)}; starting ${all} again`);
  }
}
