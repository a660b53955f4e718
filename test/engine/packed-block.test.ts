/** The bytes of blocks on disk: what is read is what was written, in either form, and damage is not taken for a block. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PACKED_BLOCK_BYTES_MIN, packBlock, unpackBlock } from '../../server/engine/embedded/packed-block.ts';
import { EMPTY_COMMIT, encodeBlock } from '../../server/engine/encoding/index.ts';
import { BLOCK_MAX_BYTES } from '../../server/ledger/index.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { blockOf as goldenBlock, golden } from './golden.ts';

const { header } = goldenBlock(golden('block.get').block);

const blockOf = (transfers: number): Uint8Array =>
  encodeBlock({
    header,
    lastCommit: EMPTY_COMMIT,
    transactions: Array.from(
      { length: transfers },
      (_, nonce) => signedTransfer({ from: nonce % 9, to: devAddress(9), nonce }).raw,
    ),
  });

test.each([0, 1, 5, 12, 13, 100])('a block of %i transfers is read as it was written', (transfers) => {
  const bytes = blockOf(transfers);
  const stored = packBlock(bytes);
  expect(Buffer.compare(unpackBlock(stored), bytes)).toBe(0);
  expect(stored.length < bytes.length).toBe(bytes.length >= PACKED_BLOCK_BYTES_MIN);
});

test('a full block takes less than a third, and what was never packed is read as before', () => {
  const bytes = blockOf(500);
  expect(packBlock(bytes).length).toBeLessThan(bytes.length / 3);
  expect(unpackBlock(bytes)).toBe(bytes);
});

test('any bytes that begin as a block does are read as they were written', () => {
  const bytes = fc
    .uint8Array({ maxLength: 3 * PACKED_BLOCK_BYTES_MIN, size: 'max' })
    .map((rest) => Buffer.concat([Buffer.of(0x0a), rest]));
  fc.assert(
    fc.property(bytes, (all) => expect(Buffer.compare(unpackBlock(packBlock(all)), all)).toBe(0)),
    { numRuns: 200 },
  );
});

test('packed bytes that are damaged, cut off or unpack to more than a block may have are refused', () => {
  const stored = packBlock(blockOf(100));
  expect(() => unpackBlock(stored.subarray(0, stored.length - 1))).toThrow(/unexpected end of file/);
  expect(() => unpackBlock(Buffer.of(0))).toThrow(/unexpected end of file/);
  expect(() => unpackBlock(Buffer.concat([Buffer.of(0), Buffer.alloc(100, 0xff)]))).toThrow(/Decompression failed/);
  expect(() => unpackBlock(packBlock(new Uint8Array(BLOCK_MAX_BYTES + 1)))).toThrow(/larger than/);
});
