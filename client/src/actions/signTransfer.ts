import type { TransactionInput } from '../contract.ts';
import type { AddressPrefix } from '../contract.ts';
import { encodeAddress, parseAddress } from '../crypto/address.ts';
import { SIGNATURE_BYTES, verifySignature } from '../crypto/ed25519.ts';
import { toHex } from '../crypto/hex.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { SignerError } from '../errors/SignerError.ts';
import type { Signer } from '../keys/signer.ts';
import { AMOUNT_MAX, NONCE_MAX, REFERENCE_PATTERN } from '../limits.ts';
import { unixSecondOf } from '../transaction/validity.ts';
import { transactionHash, transferRaw, transferSignBytes } from '../transaction/transfer.ts';

export interface TransferToSign {
  readonly signer: Signer;
  readonly chain: { readonly chainId: string; readonly addressPrefix: AddressPrefix };
  /** The address of the receiver. */
  readonly to: string;
  /** Minor units, 1 to 2^128 - 1. */
  readonly amount: bigint;
  /** 0 to 2^53 - 1. */
  readonly nonce: number;
  /**
   * Your name for the payment (an order, an invoice): 1 to 140 printable ASCII characters without `"` and `\`. It is part of the payment's
   * identity: two orders of one price differ by it, and the second is never taken for the first.
   */
  readonly reference?: string | undefined;
  /**
   * The latest time of a block that may hold the transfer; a fraction of a second is cut off. After it the transfer can never execute.
   * Without it a transfer is valid forever.
   */
  readonly validUntil?: Date | undefined;
}

/**
 * A signed transfer: plain data that can be stored (as JSON, say) before it is sent, and sent again after a restart. Sending it any number
 * of times pays once.
 */
export interface SignedTransfer {
  /** The hash of the transfer, computed before anything is sent: 64 upper-case hex digits. */
  readonly txHash: string;
  /** The body that is sent, and nothing else is. */
  readonly input: Readonly<TransactionInput>;
}

/**
 * Signs a transfer without a request. The signature is verified before it is returned.
 *
 * @throws {InvalidArgumentError} Receiver, amount, nonce, reference or validUntil can never be valid.
 * @throws {SignerError} The signer returned something other than the signature.
 * @example
 * const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
 * const signed = await signTransfer({ signer, chain, to: address, amount: 250n, nonce: 7, reference: 'INV-2026-17' });
 * console.log(signed.txHash, JSON.stringify(signed.input));
 */
export async function signTransfer({
  signer,
  chain,
  to,
  amount,
  nonce,
  reference,
  validUntil,
}: TransferToSign): Promise<SignedTransfer> {
  const receiver = parseAddress(to, chain.addressPrefix);
  if (!receiver.ok) throw new InvalidArgumentError('to', `is no address of this chain: ${receiver.message}`);
  if (typeof amount !== 'bigint' || amount < 1n || amount > AMOUNT_MAX)
    throw new InvalidArgumentError('amount', 'is a bigint from 1n to 2n ** 128n - 1n');
  if (!Number.isSafeInteger(nonce) || nonce < 0 || nonce > NONCE_MAX)
    throw new InvalidArgumentError('nonce', 'is an integer from 0 to 2^53 - 1');
  if (reference !== undefined && !(typeof reference === 'string' && REFERENCE_PATTERN.test(reference))) {
    throw new InvalidArgumentError(
      'reference',
      'is 1 to 140 printable ASCII characters without " and \\, not beginning or ending with a space',
    );
  }
  // Absent members are absent from the bytes too: never null, never ''.
  const members = {
    ...(reference !== undefined && { reference }),
    ...(validUntil !== undefined && { validUntil: unixSecondOf(validUntil) }),
  };
  const from = encodeAddress(signer.publicKey, chain.addressPrefix);
  const transfer = { chainId: chain.chainId, from, to, amount, nonce, ...members };
  const message = new TextEncoder().encode(transferSignBytes(transfer));
  const bytes = await signer.sign(message);
  if (!(await verifySignature(signer.publicKey, message, bytes))) {
    throw new SignerError(
      `the signer's answer is not the Ed25519 signature (${SIGNATURE_BYTES} bytes) of ${from} over the bytes it was given`,
    );
  }
  const signature = toHex(bytes);
  const txHash = await transactionHash(transferRaw(transfer, signature));
  return Object.freeze({
    txHash,
    input: Object.freeze({ from, to, amount: `${amount}`, nonce, ...members, signature, txHash }),
  });
}
