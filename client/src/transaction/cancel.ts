/** The bytes that a sender signs to cancel its own transfer, version 1: fixed keys in alphabetical order, no spaces, like a transfer's. */
export interface UnsignedCancel {
  readonly chainId: string;
  /** The transfer's sender, who signs. */
  readonly from: string;
  /** The nonce of the transfer. */
  readonly nonce: number;
  /** The hash of the transfer, 64 upper-case hex digits. */
  readonly txHash: string;
}

/**
 * The text whose UTF-8 bytes are signed.
 *
 * @example
 * const text = cancelSignBytes({ chainId: 'txledger-dev-1', from: address, nonce: 7, txHash });
 * const signature = await signer.sign(new TextEncoder().encode(text));
 */
export function cancelSignBytes({ chainId, from, nonce, txHash }: UnsignedCancel): string {
  return `txledger-cancel-v1\n{"chainId":"${chainId}","from":"${from}","nonce":${nonce},"signer":"${from}","txHash":"${txHash}"}`;
}
