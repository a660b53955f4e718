/**
 * A transfer, version 1, in its two byte forms. Both are JSON with fixed keys in a fixed order and no spaces; every value is plain ASCII,
 * so string formatting gives the right bytes.
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
}

function text(transfer: UnsignedTransfer, signature: string): string {
  const { amount, chainId, from, nonce, to } = transfer;
  return `{"amount":"${amount}","chainId":"${chainId}","from":"${from}","nonce":${nonce},${signature}"to":"${to}"}`;
}

/**
 * The text whose UTF-8 bytes are signed.
 *
 * @example
 * const text = transferSignBytes({ chainId: 'txledger-dev-1', from: address, to: address, amount: 1n, nonce: 0 });
 * const signature = await signer.sign(new TextEncoder().encode(text));
 */
export function transferSignBytes(transfer: UnsignedTransfer): string {
  return `txledger-transfer-v1\n${text(transfer, '')}`;
}

/**
 * The text whose UTF-8 bytes stand in a block. The signature is 128 lower-case hex digits.
 *
 * @example
 * const { amount, from, nonce, signature, to } = signed.input;
 * const raw = transferRaw({ chainId: 'txledger-dev-1', from, to, amount: BigInt(amount), nonce }, signature);
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
