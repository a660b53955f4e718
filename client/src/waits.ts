/**
 * Simultaneous waits of one client share one stream of events, and each looks its transfer up when an event about it comes. Without a
 * stream, or while it is cut, each polls by itself as if there were no stream: events only save lookups, and no wait depends on them.
 */
import type { Client } from './client.ts';
import { after, type Deadline } from './deadline.ts';
import { follow } from './events/follow.ts';
import { OTHERS_EVENTS_MAX, POLLING_MS, SHARED_WAITS_MIN, WATCHED_POLL_MS } from './limits.ts';

export interface Wait {
  /** Records the start of a lookup: a stream that is live by then brings every event that the lookup is too early for. */
  looks(): void;
  /**
   * Resolves when it is time for the next lookup: with true when a block has decided. Rejects with the signal's reason as soon as it
   * aborts.
   */
  pause(pauseMs: number, deadline: Deadline): Promise<boolean>;
  end(): void;
}

interface Waiting {
  /** An event about the transfer has come since the last lookup began. */
  isTold: boolean;
  /** The last lookup began while the stream was live. */
  isCovered: boolean;
  /** Ends the pause, if there is one. */
  wake: () => void;
}

class Waits {
  readonly #client: Client;
  readonly #waiting = new Map<string, Set<Waiting>>();
  #count = 0;
  #isLive = false;
  /** The stream that is being read. */
  #reading: AbortController | undefined;
  /** No stream is tried before this time: the last one failed, or cost more than it saved. */
  #notBeforeMs = -Infinity;

  constructor(client: Client) {
    this.#client = client;
  }

  begin(hash: string): Wait {
    const { environment } = this.#client;
    const waiting: Waiting = { isTold: false, isCovered: false, wake: () => undefined };
    const ofHash = this.#waiting.get(hash) ?? new Set();
    this.#waiting.set(hash, ofHash.add(waiting));
    this.#count += 1;
    if (this.#count >= SHARED_WAITS_MIN && !this.#reading && environment.nowMs() >= this.#notBeforeMs)
      void this.#read();
    return {
      looks: () => {
        waiting.isTold = false;
        waiting.isCovered = this.#isLive;
      },
      pause: (pauseMs, { timeoutMs, signal }) =>
        new Promise((resolve, reject) => {
          const isWatched = this.#isLive && waiting.isCovered;
          // An event came during the lookup, which may have been too early to see its effect.
          const delayMs = waiting.isTold
            ? 0
            : Math.min(isWatched ? Math.max(pauseMs, WATCHED_POLL_MS) : pauseMs, timeoutMs);
          const stop = after(environment, delayMs, signal, () =>
            signal?.aborted ? reject(signal.reason) : resolve(waiting.isTold),
          );
          waiting.wake = () => {
            stop();
            resolve(waiting.isTold);
          };
        }),
      end: () => {
        ofHash.delete(waiting);
        if (!ofHash.size) this.#waiting.delete(hash);
        this.#count -= 1;
        if (this.#count) return;
        this.#reading?.abort();
        this.#reading = undefined;
        this.#isLive = false;
      },
    };
  }

  async #read(): Promise<void> {
    const reading = (this.#reading = new AbortController());
    const onLive = (isLive: boolean): void => {
      if (this.#reading === reading) this.#live(isLive);
    };
    let others = 0;
    try {
      for await (const { event } of follow(this.#client, {
        place: undefined,
        filter: {},
        signal: reading.signal,
        onLive,
      })) {
        const { txHash = '', executedAs = '' } = event?.data.transaction ?? {};
        const told = [txHash, executedAs].flatMap((hash) => [...(this.#waiting.get(hash) ?? [])]);
        for (const waiting of told) {
          waiting.isTold = true;
          waiting.wake();
        }
        others = told.length ? 0 : others + 1;
        if (others > OTHERS_EVENTS_MAX) break;
      }
      this.#notBeforeMs = this.#client.environment.nowMs() + POLLING_MS;
    } catch {
      // Every wait goes on as without a stream, and its own lookup meets the same error if that lasts.
      if (!reading.signal.aborted) this.#notBeforeMs = this.#client.environment.nowMs() + POLLING_MS;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  #live(isLive: boolean): void {
    this.#isLive = isLive;
    // Waits that relied on the stream poll from now on.
    if (!isLive) for (const ofHash of this.#waiting.values()) for (const { wake } of ofHash) wake();
  }
}

const all = new WeakMap<Client, Waits>();

/** The shared waits of a client. */
export function waitsOf(client: Client): Waits {
  let waits = all.get(client);
  if (!waits) all.set(client, (waits = new Waits(client)));
  return waits;
}
