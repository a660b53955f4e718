import type { TransactionInput } from '../contract.ts';
import type { AddressPrefix } from '../contract.ts';
import { encodeAddress, parseAddress } from '../crypto/address.ts';
import { SIGNATURE_BYTES, verifySignature } from '../crypto/ed25519.ts';
import { toHex } from '../crypto/hex.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { SignerError } from '../errors/SignerError.ts';
import type { Signer } from '../keys/signer.ts';
import { AMOUNT_MAX, NONCE_MAX } from '../limits.ts';
import { transactionHash, transferRaw, transferSignBytes } from '../transaction/transfer.ts';

export interface TransferToSign {
  readonly signer: Signer;
  readonly chain: { readonly chainId: string; readonly addressPrefix: AddressPrefix };
  /** The address that is paid. */
  readonly to: string;
  /** Minor units, 1 to 2^128 - 1. */
  readonly amount: bigint;
  /** 0 to 2^53 - 1. */
  readonly nonce: number;
}

/**
 * A signed transfer: plain data, so that it can be kept (as JSON, say) before it is sent and sent again after a restart. Sending it any
 * number of times pays once.
 */
export interface SignedTransfer {
  /** Known before anything is sent: 64 upper-case hex digits. */
  readonly txHash: string;
  /** What is sent, and nothing else is. */
  readonly input: Readonly<TransactionInput>;
}

/**
 * Signs a transfer without a request. The signature is verified before it is returned.
 *
 * @throws {InvalidArgumentError} Receiver, amount or nonce can never work.
 * @throws {SignerError} The signer's answer is not the signature.
 * @example
 * const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
 * const signed = await signTransfer({ signer, chain, to: address, amount: 250n, nonce: 7 });
 * console.log(signed.txHash, JSON.stringify(signed.input));
 */
export async function signTransfer({ signer, chain, to, amount, nonce }: TransferToSign): Promise<SignedTransfer> {
  const receiver = parseAddress(to, chain.addressPrefix);
  if (!receiver.ok) throw new InvalidArgumentError('to', `is no address of this chain: ${receiver.message}`);
  if (typeof amount !== 'bigint' || amount < 1n || amount > AMOUNT_MAX) throw new InvalidArgumentError('amount', 'is a bigint from 1n to 2n ** 128n - 1n');
  if (!Number.isSafeInteger(nonce) || nonce < 0 || nonce > NONCE_MAX) throw new InvalidArgumentError('nonce', 'is an integer from 0 to 2^53 - 1');
  const from = encodeAddress(signer.publicKey, chain.addressPrefix);
  const transfer = { chainId: chain.chainId, from, to, amount, nonce };
  const message = new TextEncoder().encode(transferSignBytes(transfer));
  const bytes = await signer.sign(message);
  if (!(await verifySignature(signer.publicKey, message, bytes))) {
    throw new SignerError(`the signer's answer is not the Ed25519 signature (${SIGNATURE_BYTES} bytes) of ${from} over the bytes it was given`);
  }
  const signature = toHex(bytes);
  const txHash = await transactionHash(transferRaw(transfer, signature));
  return Object.freeze({ txHash, input: Object.freeze({ from, to, amount: `${amount}`, nonce, signature, txHash }) });
}
