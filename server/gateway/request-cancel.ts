/**
 * Records that a cancel was asked for. From then on it is irrevocable: the dispatcher broadcasts it until a block decides.
 *
 * The order of judgement: unknown, not yours, settled already.
 *
 * Where several gateways share the store it takes the lock that applying a block takes, so that a block which settles
 * the transfer at the same moment comes before or after it: what was asked for before is what the outcome is called by.
 */
import type { Store, StoredTransfer, WriteTransaction } from '../store/index.ts';
import { refuse } from './refusals.ts';
import type { Principal, Refusal } from './types.ts';

export type CancelRequest =
  | { kind: 'requested' | 'cancelled'; transfer: StoredTransfer }
  | { kind: 'refused'; refusal: Refusal };

export async function requestCancel(store: Store, txHash: string, principal: Principal, nowMs: number): Promise<CancelRequest> {
  return await store.write(async (tx) => {
    if (store.sharing !== undefined) await tx.lockCounters();
    const transfer = await tx.transferByHash(txHash);
    if (transfer === undefined) return refused(refuse('not_found', 'no transfer with this id is known', { txHash }));
    if (!(await mayCancel(tx, transfer, principal))) {
      return refused(refuse('not_submitter', 'only the owner that submitted this transfer may cancel it', { txHash: transfer.hash }));
    }
    if (transfer.status === 'cancelled') return { kind: 'cancelled', transfer };
    if (transfer.status !== 'pending') return refused(alreadySettled(transfer));
    if (await tx.requestCancel(transfer.seq, nowMs)) await tx.announce({ kind: 'cancel_requested', seqs: [transfer.seq] });
    return { kind: 'requested', transfer };
  });
}

export function alreadySettled({ status, hash }: Pick<StoredTransfer, 'status' | 'hash'>): Refusal {
  return refuse('already_settled', `the transfer is ${status} and can no longer be cancelled`, { txHash: hash, extra: { status } });
}

/** A bound address is its owner's alone, whoever submitted for it before it was bound. */
async function mayCancel(tx: WriteTransaction, transfer: StoredTransfer, principal: Principal): Promise<boolean> {
  if (principal.scopes.includes('transactions:cancel-any')) return true;
  const [binding] = await tx.bindings([transfer.from]);
  return (binding?.owner ?? transfer.owner) === principal.owner;
}

const refused = (refusal: Refusal): CancelRequest => ({ kind: 'refused', refusal });
