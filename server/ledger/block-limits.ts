/** Limits of one block, counted as CometBFT counts. */
import { CANCEL_SHARE_DIVISOR } from './limits.ts';

export interface BlockLimits {
  /** Bytes of all transactions together, each with its overhead: CometBFT's max_tx_bytes. */
  readonly bytesMax: number;
  readonly transactionsMax: number;
  /** True when the voting power of validators may change. An engine that signs with a single key must set false. */
  readonly allowValidatorChanges: boolean;
}

/** Bytes a transaction takes in a block: itself plus the tag and length of its field in the protobuf message Data (types/tx.go, v0.38). */
export function bytesInBlock(raw: Uint8Array): number {
  let lengthBytes = 1;
  for (let rest = raw.length; rest >= 0x80; rest >>>= 7) lengthBytes += 1;
  return 1 + lengthBytes + raw.length;
}

/** Bytes that all cancels of a block may take together. */
export function cancelBytesMax(limits: BlockLimits): number {
  return Math.floor(limits.bytesMax / CANCEL_SHARE_DIVISOR);
}
