/**
 * Places of endpoints in the log, where endpoints are rows behind a log: now and then an entry with the places of all of them. Rows are
 * written more often, and a power cut may take the newest of them; from the last entry on events are sent again, and none is passed over.
 */
import type { Clock, Logger, Timer } from '../../../engine/ports.ts';
import { PLACE_ENTRY_MS, PLACES_OF_ENTRY_MAX } from './limits.ts';
import { isBehind } from './place.ts';
import type { EndpointProgress, EventPlace } from './ports.ts';

export interface EndpointPlace {
  id: string;
  place: EventPlace;
}

export interface PlaceEntriesOptions {
  /** Resolves when the entry is durable. */
  append(places: readonly EndpointPlace[]): Promise<void>;
  clock: Clock;
  logger: Logger;
}

export class PlaceEntries {
  readonly #options: PlaceEntriesOptions;
  /** Endpoints that are further than in the last entry. */
  #ahead = new Map<string, EventPlace>();
  /** Places of the last entry, or of the first look at the endpoint. */
  readonly #said = new Map<string, EventPlace>();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: PlaceEntriesOptions) {
    this.#options = options;
  }

  /** Takes the places of the enabled endpoints from the rows. */
  loaded(endpoints: readonly EndpointPlace[]): void {
    const ids = new Set(endpoints.map(({ id }) => id));
    for (const id of this.#said.keys()) if (!ids.has(id)) this.#said.delete(id);
    for (const { id, place } of endpoints) if (!this.#said.has(id)) this.#said.set(id, place);
  }

  /** The rows have these places now. */
  saved(endpoints: readonly EndpointProgress[]): void {
    for (const { id, place } of endpoints) {
      const said = this.#said.get(id);
      if (said === undefined || isBehind(place, said)) this.#ahead.set(id, place);
    }
    this.#schedule();
  }

  /** Writes one last entry. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#append();
  }

  #schedule(): void {
    if (this.#isClosed || this.#ahead.size === 0) return;
    this.#timer ??= this.#options.clock.setTimer(() => {
      void this.#append().finally(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    }, PLACE_ENTRY_MS);
  }

  async #append(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = new Map();
    try {
      while (ahead.size > 0) {
        const some = [...ahead].slice(0, PLACES_OF_ENTRY_MAX);
        await this.#options.append(some.map(([id, place]) => ({ id, place })));
        for (const [id, place] of some) {
          this.#said.set(id, place);
          ahead.delete(id);
        }
      }
    } catch (error) {
      this.#options.logger.warn(
        { err: error },
        'how far webhooks have come could not be written into the log; trying again later',
      );
      // A place that came meanwhile is further.
      this.#ahead = new Map([...ahead, ...this.#ahead]);
    }
  }
}
