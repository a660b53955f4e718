/**
 * A transfer, version 1, in its two byte forms. Both are JSON with fixed keys in alphabetical order and no spaces; every value is plain
 * ASCII that needs no escaping, so string formatting gives the right bytes.
 */
import { sha256UpperHex } from '../crypto/sha256.ts';

export interface UnsignedTransfer {
  /** The chain that it is signed for; a signature for one chain never verifies on another. */
  readonly chainId: string;
  readonly from: string;
  readonly to: string;
  /** Minor units, 1 to 2^128 - 1. */
  readonly amount: bigint;
  /** 0 to 2^53 - 1. */
  readonly nonce: number;
  /** The payer's name for the payment. Absent from the bytes when it is absent. */
  readonly reference?: string | undefined;
  /** The last second, in Unix time, in which a block may hold it. Absent from the bytes when it is absent. */
  readonly validUntil?: number | undefined;
}

function text(transfer: UnsignedTransfer, signature: string): string {
  const { amount, chainId, from, nonce, reference, to, validUntil } = transfer;
  const called = reference === undefined ? '' : `"reference":"${reference}",`;
  const ends = validUntil === undefined ? '' : `,"validUntil":${validUntil}`;
  return `{"amount":"${amount}","chainId":"${chainId}","from":"${from}","nonce":${nonce},${called}${signature}"to":"${to}"${ends}}`;
}

/**
 * The text whose UTF-8 bytes are signed.
 *
 * @example
 * const text = transferSignBytes({ chainId: 'txledger-dev-1', from: address, to: address, amount: 1n, nonce: 0, reference: 'INV-2026-17' });
 * const signature = await signer.sign(new TextEncoder().encode(text));
 */
export function transferSignBytes(transfer: UnsignedTransfer): string {
  return `txledger-transfer-v1\n${text(transfer, '')}`;
}

/**
 * The text whose UTF-8 bytes are the transaction in a block. The signature is 128 lower-case hex digits.
 *
 * @example
 * const { amount, signature, ...fields } = signed.input;
 * const raw = transferRaw({ ...fields, chainId: 'txledger-dev-1', amount: BigInt(amount) }, signature);
 * console.log((await transactionHash(raw)) === signed.txHash); // true
 */
export function transferRaw(transfer: UnsignedTransfer, signature: string): string {
  return text(transfer, `"signature":"${signature}",`);
}

/**
 * SHA-256 of the raw bytes, 64 upper-case hex digits: the transaction's one id.
 *
 * @example
 * console.log(await transactionHash('the raw text')); // 64 upper-case hex digits
 */
export function transactionHash(raw: string): Promise<string> {
  return sha256UpperHex(new TextEncoder().encode(raw));
}
