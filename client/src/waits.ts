/**
 * Many waits of one client at a time share one stream of events, and each looks when its transfer is told of. Without a stream, or while it is
 * cut, each looks by itself as often as if there were no stream at all: events only ever save looks, no wait depends on them.
 */
import type { Client } from './client.ts';
import { after, type Deadline } from './deadline.ts';
import { follow } from './events/follow.ts';
import { OTHERS_EVENTS_MAX, POLLING_MS, SHARED_WAITS_MIN, WATCHED_POLL_MS } from './limits.ts';

export interface Wait {
  /** Says that a look begins: what it misses, a stream that brings something by then does not. */
  looks(): void;
  /** Resolves when it is time for the next look: with true when a block has decided. Rejects with the signal's reason as soon as it aborts. */
  pause(pauseMs: number, deadline: Deadline): Promise<boolean>;
  end(): void;
}

interface Waiting {
  /** Told of, and not looked at since. */
  isTold: boolean;
  /** The last look began while the stream was there. */
  isCovered: boolean;
  /** Ends the pause, if it is in one. */
  wake: () => void;
}

class Waits {
  readonly #client: Client;
  readonly #waiting = new Map<string, Set<Waiting>>();
  #count = 0;
  #isLive = false;
  /** The stream that is being read. */
  #reading: AbortController | undefined;
  /** No stream is tried before: the last one was not to be had, or not worth it. */
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
          // An event came while it looked: that look may have come too early.
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
      // No wait is worse off than without a stream, and each finds out by itself what the matter is.
      if (!reading.signal.aborted) this.#notBeforeMs = this.#client.environment.nowMs() + POLLING_MS;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  #live(isLive: boolean): void {
    this.#isLive = isLive;
    // Those that rely on the stream look for themselves from now on.
    if (!isLive) for (const ofHash of this.#waiting.values()) for (const { wake } of ofHash) wake();
  }
}

const all = new WeakMap<Client, Waits>();

/** The one of a client. */
export function waitsOf(client: Client): Waits {
  let waits = all.get(client);
  if (!waits) all.set(client, (waits = new Waits(client)));
  return waits;
}
