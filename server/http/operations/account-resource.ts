/** An account of the gateway as the contract has it. */
import type { AccountView } from '../../gateway/types.ts';
import { timestamp } from '../timestamp.ts';
import { resource } from '../typed/exact.ts';

export function accountResource({
  address,
  balance,
  available,
  pendingOut,
  nonce,
  nextNonce,
  gaps,
  height,
  blockTimeMs,
}: AccountView) {
  return resource('Account', {
    address,
    balance,
    available,
    pendingOut,
    nonce,
    nextNonce,
    gaps,
    height,
    blockTime: timestamp(blockTimeMs),
  });
}
