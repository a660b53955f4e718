/** What the reader of stored blocks keeps for requests, and what it does not keep for an index that reads every block once. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Chain } from '../../server/engine/embedded/chain.ts';
import { BlockReader } from '../../server/engine/embedded/rpc/block-reader.ts';
import { EMPTY_COMMIT, EMPTY_ROOT, encodeBlock } from '../../server/engine/encoding/index.ts';
import { encodeTransaction } from '../../server/ledger/index.ts';
import { devAddress } from '../ledger/support.ts';
import { heapBytes } from '../support/heap-bytes.ts';
import { unsignedHeader } from './support/unsigned-header.ts';

const BLOCKS = 16;
const TRANSACTIONS = 500;
const MIB = 1024 * 1024;

/** A chain that has the same block at every height. */
let chain: Pick<Chain, 'store' | 'tip'>;

beforeAll(() => {
  const transactions = Array.from({ length: TRANSACTIONS }, (_, nonce) =>
    encodeTransaction({
      kind: 'transfer',
      chainId: 'kept',
      from: devAddress(0),
      to: devAddress(1),
      amount: BigInt(nonce + 1),
      nonce,
      signature: 'a'.repeat(128),
    }),
  );
  const stored = {
    bytes: encodeBlock({ header: unsignedHeader('kept', 1), transactions, lastCommit: EMPTY_COMMIT }),
    transactionCount: TRANSACTIONS,
  };
  chain = {
    store: { block: () => stored, executed: () => ({ failures: [], appHash: EMPTY_ROOT }) },
  } as unknown as typeof chain;
});

function grownBy(read: (reader: BlockReader, height: number) => readonly unknown[]): number {
  const reader = new BlockReader(chain);
  const before = heapBytes();
  for (let height = 1; height <= BLOCKS; height++) expect(read(reader, height)).toHaveLength(TRANSACTIONS);
  const bytes = heapBytes() - before;
  // Reachable until here, with all it keeps.
  expect(reader).toBeInstanceOf(BlockReader);
  return bytes;
}

describe('results of blocks', () => {
  test('that were asked for are kept, because requests come in bunches', () => {
    expect(grownBy((reader, height) => reader.results(height))).toBeGreaterThan(3 * MIB);
  });

  test('that an index reads once, as after a start, are not', () => {
    expect(grownBy((reader, height) => reader.resultsOnce(height))).toBeLessThan(MIB / 2);
  });
});
