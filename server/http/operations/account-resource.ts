/** An account of the gateway as the contract has it. */
import type { AccountView } from '../../gateway/types.ts';
import { timestamp } from '../timestamp.ts';
import type { Schemas } from '../typed/types.ts';

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
}: AccountView): Schemas['Account'] {
  return { address, balance, available, pendingOut, nonce, nextNonce, gaps, height, blockTime: timestamp(blockTimeMs) };
}
