import { chainOf } from '../chain.ts';
import type { Client } from '../client.ts';
import { encodeAddress, parseAddress } from '../crypto/address.ts';
import { isOnCurve } from '../crypto/curve.ts';
import { type CallOptions, type Deadline, deadlineOf } from '../deadline.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { ProblemError } from '../errors/ProblemError.ts';
import { UnknownOutcomeError } from '../errors/UnknownOutcomeError.ts';
import type { Signer } from '../keys/signer.ts';
import { NONCE_RECOVERIES_MAX } from '../limits.ts';
import { noncesOf } from '../nonces.ts';
import { checkValidity, endsOf, type Validity } from '../transaction/validity.ts';
import { getAccount } from './getAccount.ts';
import { type SignedTransfer, signTransfer } from './signTransfer.ts';
import { type Submitted, submitTransaction } from './submitTransaction.ts';

export interface SendTransferOptions extends CallOptions, Validity {
  readonly signer: Signer;
  /** The address of the receiver. */
  readonly to: string;
  /** Minor units, 1 to 2^128 - 1. */
  readonly amount: bigint;
  /**
   * Your name for the payment (an order, an invoice): 1 to 140 printable ASCII characters without `"` and `\`. It is part of the payment's
   * identity: two orders of one price differ by it, and the second is never taken for the first.
   */
  readonly reference?: string | undefined;
  /** The nonce to sign. Without it the client chooses one, and any number of sends may run at the same time. */
  readonly nonce?: number | undefined;
  /**
   * Time for which the service holds its answer until a block has decided, in milliseconds, at most 30 s.
   * @default 0
   */
  readonly waitMs?: number | undefined;
  /**
   * Called with the signed transfer before it is sent, and awaited. Store it here, so that the same one can be sent again after a restart.
   * When the nonce that the client chose belongs to another transfer, it is called again with the transfer that replaces the refused one.
   */
  readonly onSigned?: ((signed: SignedTransfer) => void | Promise<void>) | undefined;
}

/** The transfer that was sent last, with the service's answer. */
export interface Sent extends Submitted {
  readonly signed: SignedTransfer;
}

/** Refusals of a nonce that belongs to another transfer: the next nonce can be tried without paying twice. */
const NONCE_LOST: ReadonlySet<string> = new Set(['nonce_too_low', 'nonce_conflict', 'nonce_cancelled']);

/**
 * Signs a transfer with the account's next nonce and submits it. The signature is made once and every attempt sends the same bytes. Only
 * when the service refuses the nonce because another process has taken it, the payment is signed again with the next nonce, under the same
 * reference and with the same end of its validity.
 *
 * It does not check whether the reference was paid before: called twice, it pays twice. Sign one transfer for one order, store it before
 * you send it and submit it as often as needed: docs/INTEGRATORS.md has a checkout that does so.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InsufficientFundsError} The balance of the account, less everything it has pending, is smaller than the amount.
 * @throws {UnknownOutcomeError} The transfer was sent and its outcome is unknown: wait for its `txHash`, or submit the same one again.
 * @throws {InvalidArgumentError} Receiver, amount, nonce, reference or validity can never be valid; nothing was sent.
 * @throws {ValidityPassedError} The chain is past the end of the transfer's validity: the transfer can never execute.
 * @throws {SignerError} The signer returned something other than the signature; nothing was sent.
 * @example
 * const { signed, transaction } = await sendTransfer(client, { signer, to: address, amount: 250n, reference: 'INV-2026-17', validForMs: 900_000 });
 * console.log(signed.txHash, transaction.status);
 */
export async function sendTransfer(client: Client, options: SendTransferOptions): Promise<Sent> {
  const deadline = deadlineOf(client.environment, options);
  checkValidity(options);
  const chain = await chainOf(client, deadline);
  const { signer, to, amount, reference, onSigned, waitMs } = options;
  await refuseLostReceiver(client, to, chain.addressPrefix, deadline);
  const [validUntil] = await endsOf(client, [options], deadline);

  const signAndSubmit = async (nonce: number): Promise<Sent> => {
    const signed = await signTransfer({ signer, chain, to, amount, nonce, reference, validUntil });
    await onSigned?.(signed);
    return { signed, ...(await submitTransaction(client, { signed, waitMs, ...deadline })) };
  };

  if (options.nonce !== undefined) return signAndSubmit(options.nonce);
  const nonces = noncesOf(client);
  const from = encodeAddress(signer.publicKey, chain.addressPrefix);
  for (let recoveries = 0; ; recoveries++) {
    const nonce = await nonces.reserve(from, deadline);
    try {
      const sent = await signAndSubmit(nonce);
      nonces.settle(from, nonce, 'ours');
      return sent;
    } catch (error) {
      const lost = error instanceof ProblemError && NONCE_LOST.has(error.code);
      // After an unknown outcome the nonce may be in use: it stays reserved, and the same signed transfer can be submitted again.
      nonces.settle(from, nonce, lost ? 'taken' : error instanceof UnknownOutcomeError ? 'unknown' : 'unused');
      if (!lost || recoveries === NONCE_RECOVERIES_MAX) throw error;
    }
  }
}

/** Refuses to open an account whose key is not a point of the curve: no one can sign for it, so money sent to it is lost. */
async function refuseLostReceiver(
  client: Client,
  to: string,
  prefix: 'txl' | 'txlt',
  deadline: Deadline,
): Promise<void> {
  const receiver = parseAddress(to, prefix);
  // `signTransfer` refuses text that is not an address.
  if (!receiver.ok || isOnCurve(receiver.publicKey)) return;
  const { balance, nonce } = await getAccount(client, { address: to, ...deadline });
  if (balance === '0' && nonce === 0)
    throw new InvalidArgumentError('to', 'is an address whose key is no point of the curve: money sent there is lost');
}
