/** Rows to put into a store, with the largest values its columns hold. */
import type { NewTransfer, StoredAccount } from '../../../server/store/index.ts';

export const account = (id: number): StoredAccount => ({
  id,
  address: `address-${id}`,
  onChain: true,
  balance: 2n ** 128n - 1n,
  nonce: Number.MAX_SAFE_INTEGER,
  voids: 2n ** 1023n,
  reserved: 7n,
});

export const hashOf = (seq: number): string => seq.toString(16).toUpperCase().padStart(64, '0');

export const transfer = (seq: number, changes: Partial<NewTransfer> = {}): NewTransfer => ({
  seq,
  hash: hashOf(seq),
  fromId: 1,
  toId: 2,
  amount: 5n,
  nonce: seq,
  signature: 'ab'.repeat(64),
  status: 'pending',
  reason: undefined,
  firstSeenAtMs: 1,
  seenBlockMs: 2,
  seenUptimeMs: 3,
  height: undefined,
  blockTimeMs: undefined,
  ownerId: undefined,
  ...changes,
});
