/** The blocks of chain.db in the form in which a network's engine gives them, so that a test can compare the two, or execute them again. */
import { decodeBlock, formatTime, nsToMs, upperHex } from '../../../server/engine/encoding/index.ts';
import type { ChainStore } from '../../../server/engine/embedded/index.ts';
import { codesOf } from '../../../server/engine/results.ts';
import type { CommittedBlock } from '../../../server/engine/port.ts';

/** In order; at most `limit` of them. */
export function committedBlocks(
  store: Pick<ChainStore, 'height' | 'block' | 'executed'>,
  fromHeight: number,
  limit: number,
): CommittedBlock[] {
  const count = Math.max(0, Math.min(limit, store.height() - fromHeight + 1));
  return Array.from({ length: count }, (_, i) => committedBlock(store, fromHeight + i));
}

function committedBlock(store: Pick<ChainStore, 'block' | 'executed'>, height: number): CommittedBlock {
  const stored = store.block(height);
  const executed = store.executed(height);
  if (stored === undefined || executed === undefined) throw new Error(`there is no block ${height}`);
  const { header, transactions } = decodeBlock(stored.bytes);
  const logs = transactions.map(() => '');
  for (const [index, , log] of executed.failures) logs[index] = log;
  return {
    chainId: header.chainId,
    height,
    hash: upperHex(stored.id.hash),
    parentHash: upperHex(header.lastBlockId.hash),
    time: formatTime(stored.timeNs),
    timeMs: nsToMs(stored.timeNs),
    timeNs: stored.timeNs,
    transactions: [...transactions],
    codes: codesOf(transactions.length, executed.failures),
    logs,
    appHash: upperHex(executed.appHash),
  };
}
