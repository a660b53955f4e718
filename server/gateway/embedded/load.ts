/** Loads what is pending at a start, from the rows and then from the journal. This process has verified nothing of it. */
import type { LocalEngine } from '../../engine/port.ts';
import type { AcceptedEntry } from '../../store/embedded/journal.ts';
import type { ChainReader } from '../../store/embedded/reader.ts';
import type { StoredAccount, StoredTransfer } from '../../store/index.ts';
import { applyCancel } from './cancellation.ts';
import type { LiveTransfers } from './live-transfers.ts';

export interface LoadParts {
  engine: Pick<LocalEngine, 'state'>;
  reader: ChainReader;
}

/** @returns the number of the next transfer. */
export function loadPending(live: LiveTransfers, { engine, reader }: LoadParts): number {
  const { state } = engine;
  const senderOf = ({ from }: Pick<StoredTransfer, 'from'>): StoredAccount => {
    const account = state.account(from);
    const id = state.leafOf(from);
    if (account === undefined || id === undefined)
      throw new Error(`a transfer of ${from} is pending, which has no account on the chain`);
    return { id, address: from, onChain: true, reserved: 0n, ...account };
  };
  let { lastSeq } = reader.progress();
  for (const { transfer, tokenId } of reader.pendingRows()) {
    const sender = senderOf(transfer);
    live.add({ ...transfer, fromId: sender.id }, sender, { tokenId, idempotencyKey: undefined }, false, true);
  }
  for (const entry of reader.journal()) {
    if (entry.kind === 'cancel') {
      const found = live.get(entry.seq);
      if (found === undefined)
        throw new Error(`the journal asks for the cancel of a transfer that is not pending, with seq ${entry.seq}`);
      applyCancel(live, found, entry);
      live.pending.requestCancel(entry.seq);
      continue;
    }
    const sender = senderOf(entry.transfer);
    const stored = pendingOf(entry, sender.id);
    live.add(stored, sender, entry, false, false);
    lastSeq = Math.max(lastSeq, stored.seq);
  }
  return lastSeq + 1;
}

function pendingOf({ transfer }: AcceptedEntry, fromId: number): StoredTransfer {
  return {
    ...transfer,
    fromId,
    toId: 0,
    status: 'pending',
    reason: undefined,
    reasonHash: undefined,
    executedAs: undefined,
    broadcastAtMs: undefined,
    cancelRequestedAtMs: undefined,
    expiryRequestedAtMs: undefined,
    height: undefined,
    blockTimeMs: undefined,
  };
}
