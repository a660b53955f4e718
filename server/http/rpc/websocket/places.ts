/** Caps of websockets, in all and for one client address. An upgrade whose token is being checked has its place already. */
import { clientKey } from '../../rate-limit.ts';

export type PlaceTaken = { ok: true; release(): void } | { ok: false; full: 'all' | 'address' };

export class Places {
  readonly #ofAddress = new Map<string, number>();
  readonly #max: number;
  readonly #perAddressMax: number;
  #taken = 0;

  constructor(max: number, perAddressMax: number) {
    this.#max = max;
    this.#perAddressMax = perAddressMax;
  }

  take(address: string | undefined): PlaceTaken {
    const key = clientKey(address ?? '');
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
