/** Caps of websockets, in all and for one client address. An upgrade whose token is being checked has its place already. */
import { clientKey } from '../../rate-limit.ts';
import { PLACE, type SharedUses } from '../../shared/uses.ts';

export type PlaceTaken = { ok: true; release(): void } | { ok: false; full: 'all' | 'address' };

export class Places {
  readonly #ofAddress = new Map<string, number>();
  readonly #max: number;
  readonly #perAddressMax: number;
  readonly #shared: SharedUses | undefined;
  #taken = 0;

  /** @param shared where several threads have websockets. */
  constructor(max: number, perAddressMax: number, shared?: SharedUses) {
    this.#shared = shared;
    this.#max = max;
    this.#perAddressMax = perAddressMax;
  }

  take(address: string | undefined): PlaceTaken {
    const key = clientKey(address ?? '');
    if (this.#shared !== undefined) return takeShared(this.#shared, key, this.#perAddressMax, this.#max);
    const held = this.#ofAddress.get(key) ?? 0;
    if (held >= this.#perAddressMax) return { ok: false, full: 'address' };
    if (this.#taken >= this.#max) return { ok: false, full: 'all' };
    this.#ofAddress.set(key, held + 1);
    this.#taken += 1;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      const left = (this.#ofAddress.get(key) ?? 1) - 1;
      if (left === 0) this.#ofAddress.delete(key);
      else this.#ofAddress.set(key, left);
    };
    return { ok: true, release };
  }
}

function takeShared(shared: SharedUses, key: string, perAddressMax: number, max: number): PlaceTaken {
  const taken = shared.take(PLACE.websocket, key, perAddressMax, max);
  if (taken !== 'taken') return { ok: false, full: taken };
  let isHeld = true;
  const release = (): void => {
    if (isHeld) shared.giveBack(PLACE.websocket, key);
    isHeld = false;
  };
  return { ok: true, release };
}
