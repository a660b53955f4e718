/**
 * Answers for a transfer that has no row, while the chain holds a cancel that names it.
 *
 * A database that is set back (an older backup, an asynchronous fail-over) loses rows of transfers that were accepted, cancelled and
 * reported as cancelled. Their cancels come back with the blocks: sender, nonce and hash. Amount and receiver are not on the chain, so no
 * transfer can be shown; the only certain fact is that a block voided the nonce. A cancel can be signed to name any hash, so the
 * answer about the hash is conditional, until the transfer itself is submitted again: then sender and nonce are compared.
 */
import type { ReadTransaction, UnknownVoidAt } from '../store/index.ts';
import { refuse, refuseField } from './refusals.ts';
import type { Refusal } from './types.ts';

type Voids = Pick<ReadTransaction, 'voidByHash'>;

/** The refusal instead of a bare "not found"; undefined when no block names the hash. */
export async function lostTransfer(voids: Voids, txHash: string): Promise<Refusal | undefined> {
  const found = await voids.voidByHash(txHash);
  if (found === undefined) return undefined;
  return refuse(
    'not_found',
    `Nothing more is known here of this transfer than its cancel: block ${found.height} voided nonce ${found.nonce} of ${found.from} by a cancel that names this hash. No transfer of that sender with that nonce can ever execute.`,
    { txHash },
  );
}

/**
 * The refusal for the transfer itself, submitted again: it says that the transfer was cancelled, also after the chain has passed its nonce.
 */
export async function afterLostCancel(
  voids: Voids,
  submission: { txHash: string; from: string; nonce: number },
  refusal: Refusal,
): Promise<Refusal> {
  if ((refusal.code !== 'nonce_cancelled' && refusal.code !== 'nonce_too_low') || refusal.txHash !== undefined)
    return refusal;
  const found = await voids.voidByHash(submission.txHash);
  if (found === undefined || !isOf(found, submission)) return refusal;
  const { extra } = refusal;
  return refuseField(
    'nonce_cancelled',
    '/nonce',
    `This transfer was cancelled: block ${found.height} voided its nonce ${found.nonce}, and it can never execute. Sign the payment with the nonce that nextNonce names.`,
    {
      txHash: submission.txHash,
      ...(extra && { extra }),
    },
  );
}

const isOf = (found: UnknownVoidAt, { from, nonce }: { from: string; nonce: number }): boolean =>
  found.from === from && found.nonce === nonce;
