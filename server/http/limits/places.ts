/** Bounds the websockets and event streams, which outlive their requests: in all, for one client address, and for one token. */
import { clientKey } from '../rate-limit.ts';
import { PLACE, type SharedUses } from '../shared/uses.ts';

export type PlaceTaken = { ok: true; release(): void } | { ok: false; full: 'all' | 'address' | 'token' };

export interface PlaceBounds {
  all: number;
  perAddress: number;
  /** If it is absent, tokens are not counted. */
  perToken?: number;
}

/** `tokenId` is used only with a bound for each token. */
export function takePlace(
  shared: SharedUses,
  kind: 'websocket' | 'eventStream',
  { all, perAddress, perToken }: PlaceBounds,
  address: string | undefined,
  tokenId = '',
): PlaceTaken {
  const key = clientKey(address ?? '');
  const taken = shared.take(PLACE[kind], key, perAddress, all);
  if (taken !== 'taken') return { ok: false, full: taken };
  if (perToken !== undefined && !shared.takeTokenStream(tokenId, perToken)) {
    shared.giveBack(PLACE[kind], key);
    return { ok: false, full: 'token' };
  }
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    shared.giveBack(PLACE[kind], key);
    if (perToken !== undefined) shared.giveTokenStream(tokenId);
  };
  return { ok: true, release };
}
