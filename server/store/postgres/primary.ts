/**
 * The one server that every connection of a store goes to: of one host that host, of several the primary, found again after every loss.
 *
 * All hosts are probed at once, so that one which hangs delays none of them. While the store is open they are probed again every second: a
 * primary that hangs would otherwise be noticed only when statements time out, and one that was replaced and still runs would not be
 * noticed at all.
 */
import type { Logger } from '../../engine/ports.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { Address, Host } from './address.ts';
import { choosePrimary, type ServerFacts } from './choose-primary.ts';
import { messageOf } from './failure.ts';
import { type HostAnswer, HostProbe } from './host-probe.ts';
import { HOST_OTHERS_MS_MAX, HOST_SEARCH_PAUSE_MS, HOST_WATCH_MS } from './limits.ts';

export class Primary {
  #address: Address;
  readonly #logger: Logger | undefined;
  #probes: readonly HostProbe[];
  readonly #listeners = new Set<() => void>();
  readonly #silenceListeners = new Set<() => void>();
  /** The reason, as in the log, why a server that takes writes is not used. */
  readonly #logged = new Map<number, string>();
  #host: Host;
  /** The server used last, with the highest timeline seen; undefined before the first. */
  #known: ServerFacts | undefined;
  #isFound: boolean;
  #search: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(address: Address, logger?: Logger) {
    this.#address = address;
    this.#logger = logger;
    this.#host = address.hosts[0];
    this.#isFound = address.hosts.length === 1;
    this.#probes = probesOf(address);
  }

  get address(): Address {
    return this.#address;
  }

  /** The primary of the last search. */
  get host(): Host {
    return this.#host;
  }

  /** Throws StoreUnavailableError when no host is a primary that may be used. */
  async find(): Promise<Host> {
    // Again when the address was replaced meanwhile.
    while (!this.#isFound) await (this.#search ??= this.#searchOnce());
    return this.#host;
  }

  /** A connection to it failed: the primary is searched for again before the next one is made. */
  suspect(): void {
    if (this.#probes.length > 0) this.#isFound = false;
  }

  /** Called when another server became the primary: no connection to the one before may be used. */
  onMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A statement on one of the connections had no answer in time. */
  silent(): void {
    for (const listener of this.#silenceListeners) listener();
  }

  /** Called when a connection is silent: the idle ones may be dead too. */
  onSilent(listener: () => void): () => void {
    this.#silenceListeners.add(listener);
    return () => void this.#silenceListeners.delete(listener);
  }

  /** Ends every connection; the next one is made again. */
  cut(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Uses another address from now on: the state of the servers of the one before is dropped. */
  replace(address: Address): void {
    for (const probe of this.#probes) probe.close();
    this.#address = address;
    this.#host = address.hosts[0];
    this.#isFound = address.hosts.length === 1;
    this.#probes = probesOf(address);
    this.#known = undefined;
    this.#search = undefined;
    this.#logged.clear();
    this.cut();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const probe of this.#probes) probe.close();
  }

  async #searchOnce(): Promise<void> {
    try {
      await this.#look();
      this.#search = undefined;
      if (this.#closed) throw new StoreUnavailableError('the store is closed');
    } catch (error) {
      // While there is no primary many callers come at once: one search answers all of them, and those of the pause after it.
      setTimeout(() => (this.#search = undefined), HOST_SEARCH_PAUSE_MS).unref();
      throw error;
    } finally {
      this.#watch();
    }
  }

  #watch(): void {
    if (this.#closed || this.#timer !== undefined || this.#probes.length === 0) return;
    this.#timer = setTimeout(() => {
      // A missing primary is not an error here: connections to it fail, and the next one waits for a search.
      this.#look()
        .catch(() => undefined)
        .finally(() => {
          this.#timer = undefined;
          this.#watch();
        });
    }, HOST_WATCH_MS).unref();
  }

  async #look(): Promise<void> {
    const address = this.#address;
    const answers = await this.#askAll();
    if (this.#closed || address !== this.#address) return;
    const primaries = answers.flatMap((answer, index) =>
      answer instanceof Error || answer.standby
        ? []
        : [{ index, systemId: answer.systemId, timeline: answer.timeline }],
    );
    const { chosen, refused } = choosePrimary(primaries, this.#known);
    this.#logRefused(refused);
    if (chosen === undefined)
      throw new StoreUnavailableError(
        `no PostgreSQL server of ${this.#address.text} can be used as the primary: ${this.#troubles(answers, refused)}`,
      );
    const host = this.#address.hosts[chosen.index] as Host;
    const isFirst = this.#known === undefined;
    this.#known = chosen;
    this.#isFound = true;
    if (host === this.#host && !isFirst) return;
    this.#host = host;
    this.#logger?.[isFirst ? 'info' : 'warn'](
      { database: host.text, timeline: chosen.timeline },
      isFirst
        ? 'this PostgreSQL server is the primary'
        : 'another PostgreSQL server is the primary now: all connections go to it',
    );
    for (const listener of this.#listeners) listener();
  }

  /** Answers of the hosts, in order. Once one is a primary the others have little time left: one that hangs must not hold up the store. */
  async #askAll(): Promise<(HostAnswer | Error)[]> {
    const answers = this.#address.hosts.map((): HostAnswer | Error => new Error('no answer in time'));
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const all = this.#probes.map(async (probe, index) => {
      const answer = await probe
        .ask()
        .catch((error: unknown) => (error instanceof Error ? error : new Error(messageOf(error))));
      answers[index] = answer;
      if (!(answer instanceof Error) && !answer.standby) timer ??= setTimeout(resolve, HOST_OTHERS_MS_MAX);
    });
    await Promise.race([Promise.all(all), enough]);
    clearTimeout(timer);
    return [...answers];
  }

  #troubles(answers: readonly (HostAnswer | Error)[], refused: readonly { index: number; why: string }[]): string {
    const whys = new Map(refused.map(({ index, why }) => [index, why]));
    return answers
      .map(
        (answer, index) =>
          `${this.#address.hosts[index]?.text}: ${whys.get(index) ?? (answer instanceof Error ? messageOf(answer) : answer.standby ? 'it is a standby' : 'not chosen')}`,
      )
      .join('; ');
  }

  /** Once, and again when it changes. */
  #logRefused(refused: readonly { index: number; why: string }[]): void {
    const now = new Map(refused.map(({ index, why }) => [index, why]));
    for (const [index, why] of now) {
      if (this.#logged.get(index) !== why)
        this.#logger?.error(
          { database: this.#address.hosts[index]?.text, why },
          'a PostgreSQL server takes writes and must not: it is not used. Stop it, or make it a standby; a gateway takes another history only after its restart',
        );
    }
    this.#logged.clear();
    for (const [index, why] of now) this.#logged.set(index, why);
  }
}

/** A single host is not probed: it is used in any case, and every session refuses a standby. */
const probesOf = ({ hosts }: Address): HostProbe[] =>
  hosts.length === 1 ? [] : hosts.map((host) => new HostProbe(host));
