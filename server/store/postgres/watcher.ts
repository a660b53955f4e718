/**
 * Listens for announcements of other gateways, on a connection of its own that connects again by itself.
 *
 * Listening begins with `missed`, the first time too: announcements from before it began do not arrive.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../engine/ports.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { StoreChange } from '../types.ts';
import { CHANNEL, decodeAnnouncement } from './announcements.ts';
import { messageOf } from './failure.ts';
import type { Durability } from './durability.ts';
import type { PostgresClient } from './library.ts';
import { createClient, destroyClient } from './library.ts';
import { LISTEN_ANSWER_MS_MAX, LISTEN_PROBE_MS, RECONNECT_MS_MAX, RECONNECT_MS_MIN, SESSION_KEYS } from './limits.ts';
import type { Primary } from './primary.ts';
import { setUpSession } from './session.ts';

export class Watcher {
  readonly #primary: Primary;
  readonly #durability: Durability;
  readonly #self: string;
  readonly #logger: Logger | undefined;
  readonly #listeners = new Set<(change: StoreChange) => void>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #sessionKey: number | undefined;

  constructor(primary: Primary, durability: Durability, self: string, logger: Logger | undefined) {
    this.#primary = primary;
    this.#durability = durability;
    this.#self = self;
    this.#logger = logger;
  }

  /** Key of an advisory lock that the listening session has for as long as it lasts; undefined while there is none. */
  get sessionKey(): number | undefined {
    return this.#sessionKey;
  }

  watch(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    this.#running ??= this.#run();
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let pauseMs = RECONNECT_MS_MIN;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listen(() => (pauseMs = RECONNECT_MS_MIN));
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        const err = new StoreUnavailableError(messageOf(error), { cause: error });
        this.#logger?.warn({ err }, 'the connection that listens for changes was lost');
      }
      await pause(pauseMs, this.#closing.signal);
      pauseMs = Math.min(pauseMs * 2, RECONNECT_MS_MAX);
    }
  }

  /** Returns when the store closes, and throws when the connection is lost. */
  async #listen(begun: () => void): Promise<void> {
    const { config } = await this.#primary.find();
    const client = createClient({ ...config, query_timeout: LISTEN_ANSWER_MS_MAX });
    const lost = new AbortController();
    const forget = this.#primary.onMoved(() => {
      lost.abort();
      destroyClient(client);
    });
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    try {
      await client.connect();
      await setUpSession(client, 'read');
      const key = randomInt(SESSION_KEYS);
      await client.query('select pg_advisory_lock($1)', [key]);
      await this.#durability.look(client);
      await client.query(`listen ${CHANNEL}`);
      this.#sessionKey = key;
      begun();
      this.#tell({ kind: 'missed' });
      await this.#stayConnected(client, AbortSignal.any([lost.signal, this.#closing.signal]));
    } catch (error) {
      this.#primary.suspect();
      throw error;
    } finally {
      forget();
      this.#sessionKey = undefined;
      await client.end();
    }
  }

  /** A connection that only waits would not notice that the server's host vanished. */
  async #stayConnected(client: PostgresClient, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await pause(LISTEN_PROBE_MS, over);
      if (!over.aborted) await this.#durability.look(client);
    }
    if (!this.#closing.signal.aborted) throw new Error('the connection ended');
  }

  #hear(text: string): void {
    const change = decodeAnnouncement(this.#self, text);
    if (change !== undefined) this.#tell(change);
  }

  #tell(change: StoreChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** Resolves after this time, or when the signal is aborted. */
async function pause(ms: number, over: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: over }).catch(() => undefined);
}
