/** What the reader of stored blocks keeps for requests, and what it does not keep for an index that reads every block once. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Chain } from '../../server/engine/embedded/chain.ts';
import { BlockReader } from '../../server/engine/embedded/rpc/block-reader.ts';
import { EMPTY_COMMIT, EMPTY_ROOT, encodeBlock } from '../../server/engine/encoding/index.ts';
import { encodeTransaction } from '../../server/ledger/index.ts';
import { devAddress } from '../ledger/support.ts';
import { collectGarbage } from '../support/heap-bytes.ts';
import { unsignedHeader } from './support/unsigned-header.ts';

const BLOCKS = 16;
const TRANSACTIONS = 500;

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

/**
 * How many of the results that `read` gave are alive when nothing but the reader can hold them. Counted by weak references: the size of
 * the heap also moves by what else of the process is freed meanwhile.
 */
async function keptBy(read: (reader: BlockReader, height: number) => readonly object[]): Promise<number> {
  const reader = new BlockReader(chain);
  const given = Array.from({ length: BLOCKS }, (_, index) => weakly(read(reader, index + 1)));
  await nextJob();
  collectGarbage();
  const kept = given.filter((one) => one.deref() !== undefined).length;
  // Reachable until here, with all it keeps.
  expect(reader).toBeInstanceOf(BlockReader);
  return kept;
}

function weakly(results: readonly object[]): WeakRef<readonly object[]> {
  expect(results).toHaveLength(TRANSACTIONS);
  return new WeakRef(results);
}

/** A job of its own: what a weak reference was made of lives until the job ends (ECMA-262, 9.10). */
const nextJob = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('results of blocks', () => {
  test('that were asked for are kept, because requests come in bunches', async () => {
    expect(await keptBy((reader, height) => reader.results(height))).toBe(BLOCKS);
  });

  test('that an index reads once, as after a start, are not', async () => {
    expect(await keptBy((reader, height) => reader.resultsOnce(height))).toBe(0);
  });
});
