/** Records requests for cancels, with one commit of the journal for a group. From then on each is irrevocable (protocol.md, rule 18). */
import type { CancelEntry } from '../../store/embedded/journal.ts';
import type { LedgerLog } from '../../store/embedded/ledger-log.ts';
import type { StoredBinding, StoredTransfer } from '../../store/index.ts';
import type { CancelJudgement, CancelRequest } from '../request-cancels.ts';
import { judgeCancel } from '../request-cancels.ts';
import type { LiveTransfer, LiveTransfers } from './live-transfers.ts';

export interface CancellationParts {
  live: LiveTransfers;
  log: Pick<LedgerLog, 'journal' | 'assertNotHeld'>;
  bindings(addresses: readonly string[]): readonly Pick<StoredBinding, 'address' | 'owner'>[];
  /** Result for a transfer that is no longer live. */
  settledByHash(hash: string): StoredTransfer | undefined;
}

export interface RequestedCancels {
  judgements: CancelJudgement[];
  /** Transfers for which no cancel was requested before. */
  requested: LiveTransfer[];
}

/** Returns when the requests are durable. Throws as `Store.write` does: then nothing was requested. */
export function requestCancels(
  { live, log, bindings, settledByHash }: CancellationParts,
  requests: readonly CancelRequest[],
  nowMs: number,
): RequestedCancels {
  const found = requests.map(({ txHash }) => live.byHash(txHash)?.entry.transfer ?? settledByHash(txHash));
  const senders = new Set(found.flatMap((transfer) => transfer?.from ?? []));
  const boundTo = new Map(bindings([...senders]).map(({ address, owner }) => [address, owner]));
  const judgements = requests.map((request, index) => judgeCancel(request, found[index], boundTo, nowMs));

  const entries = new Map<LiveTransfer, CancelEntry>();
  for (const [index, judgement] of judgements.entries()) {
    if (judgement.kind !== 'requested') continue;
    const transfer = live.get(judgement.transfer.seq);
    if (transfer === undefined || transfer.entry.transfer.cancelRequestedAtMs !== undefined || entries.has(transfer))
      continue;
    // The first token that requested it is kept.
    const { owner, tokenId } = (requests[index] as CancelRequest).principal;
    entries.set(transfer, { kind: 'cancel', seq: judgement.transfer.seq, atMs: nowMs, owner, tokenId });
  }
  if (entries.size > 0) log.journal([...entries.values()]);
  for (const [transfer, entry] of entries) applyCancel(live, transfer, entry);
  return { judgements, requested: [...entries.keys()] };
}

/** The entry is in the journal: memory follows. */
export function applyCancel(live: LiveTransfers, transfer: LiveTransfer, { atMs, owner, tokenId }: CancelEntry): void {
  transfer.entry.transfer.cancelRequestedAtMs = atMs;
  transfer.cancelOwner = owner;
  transfer.cancelTokenId = tokenId;
  live.changed(transfer);
}
