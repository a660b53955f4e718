import type { Client } from '../client.ts';
import { toHex } from '../crypto/hex.ts';
import { verifySignature } from '../crypto/ed25519.ts';
import { encodeAddress } from '../crypto/address.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { SignerError } from '../errors/SignerError.ts';
import { changing } from '../http/outcome.ts';
import type { Signer } from '../keys/signer.ts';
import { NONCE_MAX, SERVER_WAIT_S_MAX } from '../limits.ts';
import type { AddressPrefix } from '../contract.ts';
import { cancelSignBytes } from '../transaction/cancel.ts';
import { isSameHash, readHash } from '../transaction/hash.ts';
import { type CancelResult, type CancelTransactionOptions, WAIT_MS_DEFAULT } from './cancelTransaction.ts';

export interface CancelToSign {
  /** The key of the transfer's sender. */
  readonly signer: Signer;
  readonly chain: { readonly chainId: string; readonly addressPrefix: AddressPrefix };
  /** The nonce of the transfer. */
  readonly nonce: number;
  /** The hash of the transfer, 64 hex digits. */
  readonly txHash: string;
}

export interface SubmitCancelOptions extends CancelTransactionOptions {
  /** The result of `signCancel`: 128 lower-case hex digits. */
  readonly signature: string;
}

/**
 * Signs the cancel of a transfer with its sender's key, without a request. The signature is verified before it is returned.
 *
 * @throws {InvalidArgumentError} Nonce or hash can never be valid.
 * @throws {SignerError} The signer returned something other than the signature.
 * @example
 * const { nonce } = await getTransaction(client, { txHash });
 * const signature = await signCancel({ signer, chain: await getChain(client), nonce, txHash });
 */
export async function signCancel({ signer, chain, nonce, txHash }: CancelToSign): Promise<string> {
  if (!Number.isSafeInteger(nonce) || nonce < 0 || nonce > NONCE_MAX)
    throw new InvalidArgumentError('nonce', 'is an integer from 0 to 2^53 - 1');
  const from = encodeAddress(signer.publicKey, chain.addressPrefix);
  const text = cancelSignBytes({ chainId: chain.chainId, from, nonce, txHash: readHash(txHash) });
  const message = new TextEncoder().encode(text);
  const bytes = await signer.sign(message);
  if (!(await verifySignature(signer.publicKey, message, bytes)))
    throw new SignerError(`the signer's answer is not the Ed25519 signature of ${from} over the bytes it was given`);
  return toHex(bytes);
}

/**
 * Cancels a pending transfer by a signature of its sender, no matter who submitted it; otherwise as `cancelTransaction`. A repeated call
 * is safe.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InvalidSignatureError} The signature is not that of the transfer's sender; `signBytes` are the bytes to sign.
 * @throws {AlreadySettledError} The transfer committed, failed or expired before.
 * @throws {UnknownOutcomeError} It is unknown whether the cancel was recorded: call again.
 * @example
 * const { nonce } = await getTransaction(client, { txHash });
 * const signature = await signCancel({ signer, chain: await getChain(client), nonce, txHash });
 * const { outcome } = await submitCancel(client, { txHash, signature });
 */
export async function submitCancel(
  client: Client,
  { txHash, signature, waitMs = WAIT_MS_DEFAULT, ...options }: SubmitCancelOptions,
): Promise<CancelResult> {
  const hash = readHash(txHash);
  const waitS = Math.min(SERVER_WAIT_S_MAX, Math.ceil(waitMs / 1000));
  const { data: transaction } = await client.call({
    options,
    ...changing('submitCancel', hash),
    heldMs: waitS * 1000,
    send: (api, init) =>
      api.POST('/transactions/{txHash}/cancel', {
        ...init,
        params: { path: { txHash: hash }, header: { Prefer: `wait=${waitS}` } },
        body: { signature },
      }),
    fits: (known) => isSameHash(known, hash),
  });
  return { outcome: transaction.status === 'cancelled' ? 'cancelled' : 'undecided', transaction };
}
