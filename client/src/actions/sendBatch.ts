import { chainOf } from '../chain.ts';
import type { Client } from '../client.ts';
import { encodeAddress } from '../crypto/address.ts';
import { type CallOptions, deadlineOf } from '../deadline.ts';
import type { Signer } from '../keys/signer.ts';
import { BATCH_TRANSFERS_MAX } from '../limits.ts';
import { type NonceFate, noncesOf } from '../nonces.ts';
import { checkValidity, endsOf, type Validity } from '../transaction/validity.ts';
import { type SignedTransfer, signTransfer } from './signTransfer.ts';
import { type BatchOutcome, submitTransactionBatch } from './submitTransactionBatch.ts';

export interface Payment extends Validity {
  /** The address of the receiver. */
  readonly to: string;
  /** Minor units, 1 to 2^128 - 1. */
  readonly amount: bigint;
  /**
   * Your name for the payment: 1 to 140 printable ASCII characters without `"` and `\`. Two payments of one amount to one receiver differ
   * by it.
   */
  readonly reference?: string | undefined;
}

export interface SendBatchOptions extends CallOptions {
  readonly signer: Signer;
  readonly payments: readonly Payment[];
  /**
   * Called with the signed transfers of each batch before it is sent, and awaited. Store them here, so that the same ones can be submitted
   * again after a restart.
   */
  readonly onSigned?: ((signed: readonly SignedTransfer[]) => void | Promise<void>) | undefined;
}

/** Refusals of a nonce that belongs to another transfer. */
const NONCE_LOST = /^nonce_(too_low|conflict|cancelled)$/;

/**
 * Signs payments with the account's next nonces and submits them in batches of up to 1,000. The outcomes are in the order of the payments,
 * and fewer only if the service could not be reached for the rest: those were neither signed nor sent. The payments after a refused one
 * stay pending until its nonce is used: `sendTransfer` and the next `sendBatch` of this client use it first.
 *
 * @throws {LedgerError} Only when no payment can have been accepted: a problem of the contract, as the class of its code, or an error of
 * the connection.
 * @throws {InvalidArgumentError} A receiver, an amount, a reference or a validity can never be valid; nothing of its batch was sent.
 * @throws {SignerError} The signer returned something other than the signature; nothing of its batch was sent.
 * @example
 * const outcomes = await sendBatch(client, { signer, payments: [{ to: address, amount: 250n, reference: 'PAYOUT-7' }] });
 * console.log(outcomes.filter(({ outcome }) => outcome === 'accepted').length);
 */
export async function sendBatch(
  client: Client,
  { signer, payments, onSigned, ...options }: SendBatchOptions,
): Promise<BatchOutcome[]> {
  const deadline = deadlineOf(client.environment, options);
  for (const payment of payments) checkValidity(payment);
  const chain = await chainOf(client, deadline);
  const from = encodeAddress(signer.publicKey, chain.addressPrefix);
  const nonces = noncesOf(client);
  const outcomes: BatchOutcome[] = [];
  while (outcomes.length < payments.length) {
    const fates = new Map<number, NonceFate>();
    try {
      const signed: SignedTransfer[] = [];
      const batch = payments.slice(outcomes.length, outcomes.length + BATCH_TRANSFERS_MAX);
      const ends = await endsOf(client, batch, deadline);
      for (const [index, { to, amount, reference }] of batch.entries()) {
        const nonce = await nonces.reserve(from, deadline);
        fates.set(nonce, 'unused');
        signed.push(await signTransfer({ signer, chain, to, amount, nonce, reference, validUntil: ends[index] }));
      }
      await onSigned?.(signed);
      const found = await submitTransactionBatch(client, { signed, ...deadline });
      for (const each of found) fates.set(each.signed.input.nonce, fateOf(each));
      outcomes.push(...found);
      if (found.some(({ outcome }) => outcome === 'unknown')) break;
    } catch (error) {
      if (!outcomes.length) throw error;
      break;
    } finally {
      for (const [nonce, fate] of fates) nonces.settle(from, nonce, fate);
    }
  }
  return outcomes;
}

function fateOf(each: BatchOutcome): NonceFate {
  if (each.outcome === 'refused') return NONCE_LOST.test(each.problem.code) ? 'taken' : 'unused';
  return each.outcome === 'unknown' ? 'unknown' : each.outcome === 'unsent' ? 'unused' : 'ours';
}
