/**
 * Records requests for cancels. From then on each is irrevocable: the dispatcher broadcasts it until a block decides.
 *
 * The order of the checks: unknown, owned by another, settled already.
 *
 * It is serialised with whatever settles a transfer of the same sender, so that a block comes before or after it: the outcome is named
 * after the request that came first. Of a transfer only what never changes is read before.
 */
import type { Store, StoredTransfer } from '../store/index.ts';
import { shardOf } from '../store/shards.ts';
import { refuse, UNKNOWN_TRANSFER_DETAIL } from './refusals.ts';
import type { FinalStatus } from './refusal-types.ts';
import type { Principal, Refusal } from './types.ts';

export interface CancelRequest {
  /** Upper-case hex. */
  txHash: string;
  principal: Principal;
  /** True when the sender signed it: then it needs no owner. */
  isSigned?: boolean;
}

/** `requested`: a block decides, or has decided by now. `transfer` is as of this transaction. */
export type CancelJudgement =
  | { kind: 'requested' | 'cancelled'; transfer: StoredTransfer }
  | { kind: 'refused'; refusal: Refusal };

/** One result for each request, in order, all in one durable transaction. */
export async function requestCancels(
  store: Store,
  requests: readonly CancelRequest[],
  nowMs: number,
): Promise<CancelJudgement[]> {
  const hashes = [...new Set(requests.map(({ txHash }) => txHash))];
  const known = await store.read((tx) => tx.transfersByHash(hashes));
  const shards = [...new Set(known.map(({ from }) => shardOf(from, store.shards)))];
  if (shards.length === 0) return requests.map((request) => judgeCancel(request, undefined, new Map(), nowMs));
  return await store.write(
    async (tx) => {
      const byHash = new Map<string, StoredTransfer>();
      // A transfer that was accepted since the first look belongs to a shard that this transaction may not have locked: its sender requests
      // again.
      const found = (await tx.transfersByHash(hashes)).filter(({ seq }) => known.some((one) => one.seq === seq));
      for (const transfer of found) {
        byHash.set(transfer.hash, transfer);
        if (transfer.executedAs !== undefined) byHash.set(transfer.executedAs, transfer);
      }
      const bindings = await tx.bindings([...new Set([...byHash.values()].map(({ from }) => from))]);
      const boundTo = new Map(bindings.map(({ address, owner }) => [address, owner]));
      const judgements = requests.map((request) => judgeCancel(request, byHash.get(request.txHash), boundTo, nowMs));

      const asked = new Map<number, string>();
      for (const [index, judgement] of judgements.entries()) {
        if (judgement.kind !== 'requested') continue;
        const { seq } = judgement.transfer;
        // The first token that requested it is kept.
        asked.set(seq, asked.get(seq) ?? (requests[index] as CancelRequest).principal.tokenId);
      }
      const written = await tx.requestCancels(
        [...asked].map(([seq, tokenId]) => ({ seq, tokenId })),
        nowMs,
      );
      if (written.length > 0) await tx.announce({ kind: 'cancel_requested', seqs: written });
      return judgements;
    },
    { shards, waits: true },
  );
}

export function judgeCancel(
  { txHash, principal, isSigned = false }: CancelRequest,
  transfer: StoredTransfer | undefined,
  boundTo: ReadonlyMap<string, string>,
  nowMs: number,
): CancelJudgement {
  if (transfer === undefined) return refused(refuse('not_found', UNKNOWN_TRANSFER_DETAIL, { txHash }));
  // A bound address belongs to its owner alone, no matter who submitted for it before it was bound.
  const owner = boundTo.get(transfer.from) ?? transfer.owner;
  if (!isSigned && owner !== principal.owner && !principal.scopes.includes('transactions:cancel-any')) {
    return refused(
      refuse(
        'not_submitter',
        'Another owner submitted this transfer, or its sender is bound to another owner, and only that owner may cancel it. Use a token of that owner, one with the scope transactions:cancel-any, or a cancel that the sender signs.',
        { txHash: transfer.hash },
      ),
    );
  }
  if (transfer.status === 'cancelled') return { kind: 'cancelled', transfer };
  if (transfer.status !== 'pending') return refused(alreadySettled(transfer.status, transfer.hash));
  return { kind: 'requested', transfer: { ...transfer, cancelRequestedAtMs: transfer.cancelRequestedAtMs ?? nowMs } };
}

export function alreadySettled(status: FinalStatus, hash: string): Refusal {
  return refuse('already_settled', `The transfer is ${status}, which is final, so it cannot be cancelled.`, {
    txHash: hash,
    extra: { status },
  });
}

/** The answer to a cancel that came too late; undefined while the transfer is undecided, and where the cancel won. */
export const settledOtherwise = (transfer: StoredTransfer): Refusal | undefined =>
  transfer.status === 'pending' || transfer.status === 'cancelled'
    ? undefined
    : alreadySettled(transfer.status, transfer.hash);

const refused = (refusal: Refusal): CancelJudgement => ({ kind: 'refused', refusal });
