/** Places for what lives on after its request, websockets and event streams: in all, for one client address, and for one token. */
import { clientKey } from '../rate-limit.ts';
import { PLACE, type SharedUses } from '../shared/uses.ts';

type Full = 'all' | 'address' | 'token';
export type PlaceTaken = { ok: true; release(): void } | { ok: false; full: Full };

export interface PlaceBounds {
  all: number;
  perAddress: number;
  /** Without it tokens are not counted. */
  perToken?: number;
}

export class Places {
  readonly #kind: (typeof PLACE)['websocket' | 'eventStream'];
  readonly #bounds: PlaceBounds;
  readonly #shared: SharedUses;

  constructor(kind: 'websocket' | 'eventStream', bounds: PlaceBounds, shared: SharedUses) {
    this.#kind = PLACE[kind];
    this.#bounds = bounds;
    this.#shared = shared;
  }

  take(address: string | undefined, tokenId = ''): PlaceTaken {
    const key = clientKey(address ?? '');
    const full = this.#take(key, tokenId);
    if (full !== undefined) return { ok: false, full };
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#shared.giveBack(this.#kind, key);
      if (this.#bounds.perToken !== undefined) this.#shared.giveTokenStream(tokenId);
    };
    return { ok: true, release };
  }

  #take(address: string, tokenId: string): Full | undefined {
    const { all, perAddress, perToken } = this.#bounds;
    const taken = this.#shared.take(this.#kind, address, perAddress, all);
    if (taken !== 'taken') return taken;
    if (perToken === undefined || this.#shared.takeTokenStream(tokenId, perToken)) return undefined;
    this.#shared.giveBack(this.#kind, address);
    return 'token';
  }
}
