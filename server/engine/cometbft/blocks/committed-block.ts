/** Converts a verified block to the form of the engine port. */
import { formatTime, nsToMs, upperHex } from '../../encoding/index.ts';
import type { CommittedBlock } from '../../port.ts';
import type { VerifiedBlock } from './verified-block.ts';

export function committedBlock(block: VerifiedBlock): CommittedBlock {
  const { header, results } = block;
  return {
    chainId: header.chainId,
    height: block.height,
    hash: block.hash,
    parentHash: block.parentHash,
    time: formatTime(header.timeNs),
    timeMs: nsToMs(header.timeNs),
    timeNs: header.timeNs,
    ...(block.misbehavior.length > 0 && { misbehavior: [...block.misbehavior] }),
    transactions: [...block.transactions],
    codes: results.map(({ code }) => code),
    logs: results.map(({ log }) => log),
    appHash: upperHex(block.appHash),
  };
}
