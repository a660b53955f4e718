/**
 * Computes the blocks that a node may drop: all but those that a gateway, a search or a statement still has to read, and those that no
 * other node has. Pure.
 *
 * @module
 */
import { CommandError } from '../failure.ts';
import type { ArchiveNode, Follower } from './followers.ts';

export interface PrunePlan {
  chainId: string;
  /** The lowest block that is kept; 0 keeps all. */
  retainHeight: number;
  /** The gateway and reader that need the oldest block. */
  heldBy: string;
  heldAt: number;
}

/** The first block of every chain. */
const FIRST_HEIGHT = 1;

/** @throws CommandError if dropping any block would take it from a reader that needs it. */
export function planPruning({
  followers,
  archive,
  keepBlocks,
}: {
  followers: readonly Follower[];
  archive: ArchiveNode;
  keepBlocks: number;
}): PrunePlan {
  const [first] = followers;
  if (first === undefined)
    throw new CommandError('Name every gateway of the chain: --gateway URL, as often as there are gateways.');
  const { chainId } = first;
  for (const { url, chainId: other } of [...followers, archive]) {
    if (other !== chainId)
      throw new CommandError(`${url} is of chain ${other}, and ${first.url} of ${chainId}.`, 'refused');
  }
  if (archive.earliest > FIRST_HEIGHT) {
    throw new CommandError(
      `The archive node at ${archive.url} has no block below ${archive.earliest}: name one that keeps all, or nothing would have the blocks that are dropped.`,
      'refused',
    );
  }
  const readers = followers.flatMap(({ url, heights }) =>
    Object.entries(heights).map(([reader, height]) => ({ name: `${reader} of ${url}`, height })),
  );
  const slowest = [...readers, { name: `the archive node ${archive.url}`, height: archive.height }].reduce(
    (least, each) => (each.height < least.height ? each : least),
  );
  return {
    chainId,
    retainHeight: Math.max(0, slowest.height - keepBlocks + 1),
    heldBy: slowest.name,
    heldAt: slowest.height,
  };
}
