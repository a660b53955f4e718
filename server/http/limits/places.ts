/** Places for what lives on after its request, websockets and event streams: in all, for one client address, and for one token. */
import { PLACE, type SharedUses } from '../shared/uses.ts';
import { clientKey } from '../rate-limit.ts';

export type PlaceTaken = { ok: true; release(): void } | { ok: false; full: 'all' | 'address' | 'token' };

export interface PlaceBounds {
  all: number;
  perAddress: number;
  /** Without it tokens are not counted. */
  perToken?: number;
}

/** A reader who never reads still holds its place, so a place is held until `release`, which may be called again. */
export class Places {
  readonly #kind: 'websocket' | 'eventStream';
  readonly #bounds: PlaceBounds;
  readonly #shared: SharedUses | undefined;
  readonly #held = new Map<string, number>();

  /** @param shared where several threads have such places. */
  constructor(kind: 'websocket' | 'eventStream', bounds: PlaceBounds, shared?: SharedUses) {
    this.#kind = kind;
    this.#bounds = bounds;
    this.#shared = shared;
  }

  take(address: string | undefined, tokenId = ''): PlaceTaken {
    const key = clientKey(address ?? '');
    const full = this.#shared === undefined ? this.#take(key, tokenId) : this.#takeShared(this.#shared, key, tokenId);
    if (full !== undefined) return { ok: false, full };
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#give(key, tokenId);
      isHeld = false;
    };
    return { ok: true, release };
  }

  #take(address: string, tokenId: string): 'all' | 'address' | 'token' | undefined {
    const { all, perAddress, perToken = Number.POSITIVE_INFINITY } = this.#bounds;
    const held = (name: string): number => this.#held.get(name) ?? 0;
    if (held('all') >= all) return 'all';
    if (held(`address ${address}`) >= perAddress) return 'address';
    if (held(`token ${tokenId}`) >= perToken) return 'token';
    this.#count(address, tokenId, 1);
    return undefined;
  }

  #takeShared(shared: SharedUses, address: string, tokenId: string): 'all' | 'address' | 'token' | undefined {
    const { all, perAddress, perToken } = this.#bounds;
    const taken = shared.take(PLACE[this.#kind], address, perAddress, all);
    if (taken !== 'taken') return taken;
    if (perToken === undefined || shared.takeTokenStream(tokenId, perToken)) return undefined;
    shared.giveBack(PLACE[this.#kind], address);
    return 'token';
  }

  #give(address: string, tokenId: string): void {
    if (this.#shared === undefined) return this.#count(address, tokenId, -1);
    this.#shared.giveBack(PLACE[this.#kind], address);
    if (this.#bounds.perToken !== undefined) this.#shared.giveTokenStream(tokenId);
  }

  #count(address: string, tokenId: string, more: number): void {
    for (const name of ['all', `address ${address}`, `token ${tokenId}`]) {
      const count = (this.#held.get(name) ?? 0) + more;
      if (count === 0) this.#held.delete(name);
      else this.#held.set(name, count);
    }
  }
}
