/** Caps of streams: in all, for one client address, and for one token. */
import type { StreamBounds } from '../options.ts';
import { clientKey } from '../rate-limit.ts';
import { PLACE, type SharedUses } from '../shared/uses.ts';

export type StreamPlace = { ok: true; release(): void } | { ok: false; full: 'all' | 'address' | 'token' };

export class StreamPlaces {
  readonly #bounds: StreamBounds;
  readonly #shared: SharedUses | undefined;
  readonly #ofAddress = new Map<string, number>();
  readonly #ofToken = new Map<string, number>();
  #taken = 0;

  /** @param shared where several threads have streams. */
  constructor(bounds: StreamBounds, shared?: SharedUses) {
    this.#bounds = bounds;
    this.#shared = shared;
  }

  take(address: string | undefined, tokenId: string): StreamPlace {
    const key = clientKey(address ?? '');
    const full = this.#shared === undefined ? this.#take(key, tokenId) : this.#takeShared(this.#shared, key, tokenId);
    if (full !== undefined) return { ok: false, full };
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      if (this.#shared === undefined) this.#give(key, tokenId);
      else {
        this.#shared.giveBack(PLACE.eventStream, key);
        this.#shared.giveTokenStream(tokenId);
      }
    };
    return { ok: true, release };
  }

  #take(key: string, tokenId: string): 'all' | 'address' | 'token' | undefined {
    const { all, perAddress, perToken } = this.#bounds;
    if (this.#taken >= all) return 'all';
    if ((this.#ofAddress.get(key) ?? 0) >= perAddress) return 'address';
    if ((this.#ofToken.get(tokenId) ?? 0) >= perToken) return 'token';
    this.#taken += 1;
    add(this.#ofAddress, key, 1);
    add(this.#ofToken, tokenId, 1);
    return undefined;
  }

  #takeShared(shared: SharedUses, key: string, tokenId: string): 'all' | 'address' | 'token' | undefined {
    const { all, perAddress, perToken } = this.#bounds;
    const taken = shared.take(PLACE.eventStream, key, perAddress, all);
    if (taken !== 'taken') return taken;
    if (shared.takeTokenStream(tokenId, perToken)) return undefined;
    shared.giveBack(PLACE.eventStream, key);
    return 'token';
  }

  #give(key: string, tokenId: string): void {
    this.#taken -= 1;
    add(this.#ofAddress, key, -1);
    add(this.#ofToken, tokenId, -1);
  }
}

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
