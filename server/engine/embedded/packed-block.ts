/**
 * The bytes of a block as chain.db keeps them.
 *
 * Transactions are JSON with addresses and hex in it, and blocks are most of a chain's size on disk: packed they take a fourth. Brotli's
 * lowest quality, because higher ones take longer for little, and the thread that writes is the one that cannot be divided; zstd is as
 * good, and experimental in Node.js 24 (decision 0111). A small block stays as it is: there is little to save, and a reader has less to do.
 *
 * The first byte distinguishes the two. A protobuf message of a block begins with the tag of its first field, which is never 0.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { BLOCK_MAX_BYTES } from '../../ledger/index.ts';

/** Smaller blocks stay unpacked: some ten transfers. */
export const PACKED_BLOCK_BYTES_MIN = 4096;
const PACKED = 0;
const QUALITY = 1;

export function packBlock(bytes: Uint8Array): Uint8Array {
  if (bytes.length < PACKED_BLOCK_BYTES_MIN) return bytes;
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return Buffer.concat([Buffer.of(PACKED), brotliCompressSync(bytes, { params })]);
}

/** Unpacks a block. Throws for packed bytes that are damaged. Bytes that were never packed are returned unchanged. */
export function unpackBlock(stored: Uint8Array): Uint8Array {
  return stored[0] === PACKED ? brotliDecompressSync(stored.subarray(1), { maxOutputLength: BLOCK_MAX_BYTES }) : stored;
}
