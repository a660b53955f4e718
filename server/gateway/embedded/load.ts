/** What is pending at a start, from the rows and then from the journal. Nothing of it was verified by this process. */
import type { LocalEngine } from '../../engine/port.ts';
import type { AcceptedEntry } from '../../store/embedded/journal.ts';
import type { ChainReader } from '../../store/embedded/reader.ts';
import type { TransferWriter } from '../../store/embedded/transfer-writer.ts';
import type { StoredAccount, StoredTransfer } from '../../store/index.ts';
import { applyCancel } from './cancellation.ts';
import type { LiveTransfers } from './live-transfers.ts';

export interface LoadParts {
  engine: Pick<LocalEngine, 'state'>;
  writer: TransferWriter;
  reader: ChainReader;
}

/** @returns the number of the next transfer. */
export function loadPending(live: LiveTransfers, { engine, writer, reader }: LoadParts): number {
  const senderOf = ({ from, fromId }: StoredTransfer): StoredAccount => {
    const account = engine.state.account(from);
    if (account === undefined) throw new Error(`a transfer of ${from} is pending, which has no account on the chain`);
    return { id: fromId, address: from, onChain: true, reserved: 0n, ...account };
  };
  let lastSeq = writer.nextSeq() - 1;
  for (const { transfer, tokenId } of reader.pendingRows())
    live.add(transfer, senderOf(transfer), { tokenId, idempotencyKey: undefined }, false, true);
  for (const entry of reader.journal()) {
    if (entry.kind === 'cancel') {
      const found = live.get(entry.seq);
      if (found === undefined)
        throw new Error(`the journal asks for the cancel of a transfer that is not pending, with seq ${entry.seq}`);
      applyCancel(live, found, entry);
      live.pending.requestCancel(entry.seq);
      continue;
    }
    const stored = pendingOf(entry, writer);
    live.add(stored, senderOf(stored), entry, false, false);
    lastSeq = Math.max(lastSeq, stored.seq);
  }
  return lastSeq + 1;
}

function pendingOf({ transfer }: AcceptedEntry, writer: TransferWriter): StoredTransfer {
  return {
    ...transfer,
    fromId: writer.accountId(transfer.from) ?? 0,
    toId: writer.accountId(transfer.to) ?? 0,
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
