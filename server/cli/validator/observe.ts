/**
 * Observes the chain while power changes: waits until a change has effect, and reads from commits which validators sign.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCKS_UNTIL_SIGNING } from '../../ledger/index.ts';
import { type ConnectionOptions, serviceOf } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { withProgress } from '../progress.ts';
import { askNode, type CommitJson, type NodeAddress, nodeFacts, signedHeaderAt } from './node.ts';
import { signsAnything, signsBlock } from './signatures.ts';

const LOOK_MS = 300;
/** A validator that follows the chain signs nearly every block; one that signs none of this many does not follow it. */
const UNSIGNED_BLOCKS_MAX = 20;
/** A node that is at most this far behind follows the chain: the newest block may still be on its way. */
const BEHIND_BLOCKS_MAX = 2;

/** The service's own RPC, with the caller's token, because reads may need one. */
export function serviceNode(options: ConnectionOptions): NodeAddress {
  const { baseUrl, token } = serviceOf(options, { token: false });
  return { url: `${baseUrl}/rpc`, token };
}

export const pause = (): Promise<void> =>
  sleep(LOOK_MS, undefined, { signal: interruption() }).catch(() => interruption().throwIfAborted());

/** Yields every commit from a height on, when the chain makes it. Ends with an error if no block arrives within the time. */
async function* commitsFrom(chain: NodeAddress, from: number, timeoutMs: number): AsyncGenerator<CommitJson> {
  let next = from;
  let endMs = performance.now() + timeoutMs;
  for (;;) {
    // The newest commit contains the votes that this node has seen; for earlier blocks the chain itself contains the commit.
    const top = Number((await signedHeaderAt(chain)).commit.height);
    for (; next < top; next += 1) {
      endMs = performance.now() + timeoutMs;
      yield (await signedHeaderAt(chain, next)).commit;
    }
    if (performance.now() > endMs)
      throw new CommandError(
        `The chain has made no block above ${top} for ${Math.round(timeoutMs / 1000)} s. Run the same command again when it does.`,
        'unreachable',
        { code: 'no_blocks', height: top, retriable: true },
      );
    await pause();
  }
}

/** The first height whose commit depends on a change in this block. */
export const countsFrom = (height: number): number => height + BLOCKS_UNTIL_SIGNING;

/** @returns the first block from `height` on that the validator signed. @throws CommandError if it signs no block. */
export async function untilSigns(
  chain: NodeAddress,
  address: string,
  height: number,
  timeoutMs: number,
): Promise<number> {
  const look = async (): Promise<number> => {
    let unsigned = 0;
    for await (const commit of commitsFrom(chain, height, timeoutMs)) {
      if (signsBlock(commit, address)) return Number(commit.height);
      unsigned += 1;
      if (unsigned >= UNSIGNED_BLOCKS_MAX) break;
    }
    throw new CommandError(
      `${address} has power since block ${height} and signed none of the ${UNSIGNED_BLOCKS_MAX} blocks from there on. It gets no more. See whether its node runs with the right key and reaches the others; run the same command again when it does, or take its power back: txledger validator remove --validator ${address}.`,
      'refused',
      { code: 'does_not_sign', address, height },
    );
  };
  return withProgress(`waiting until ${address} signs`, look());
}

/**
 * @returns the first of the next `count` heights above a height at which the validator signed a vote; undefined if it signed at none of
 * them.
 * @throws CommandError `no_blocks` when the chain makes no block within the time.
 */
export async function signsNext(
  chain: NodeAddress,
  address: string,
  { above, count, timeoutMs }: { readonly above: number; readonly count: number; readonly timeoutMs: number },
): Promise<number | undefined> {
  const look = async (): Promise<number | undefined> => {
    for await (const commit of commitsFrom(chain, above + 1, timeoutMs)) {
      if (signsAnything(commit, address)) return Number(commit.height);
      if (Number(commit.height) >= above + count) break;
    }
    return undefined;
  };
  return withProgress(`watching the next ${count} blocks for signatures of ${address}`, look());
}

/** @returns the first block from `height` on whose commit does not contain the validator. */
export async function untilGone(
  chain: NodeAddress,
  address: string,
  height: number,
  timeoutMs: number,
): Promise<number> {
  const look = async (): Promise<number> => {
    for await (const { signatures, height: at } of commitsFrom(chain, height, timeoutMs)) {
      if (!signatures.some(({ validator_address: each }) => each === address)) return Number(at);
    }
    return height;
  };
  return withProgress(`waiting until ${address} no longer signs`, look());
}

/** Checks that the node is on this chain: both must have the same block at their highest common height. */
export async function assertSameChain(node: NodeAddress, chain: NodeAddress, chainId: string): Promise<void> {
  const [of, ours] = await Promise.all([nodeFacts(node), nodeFacts(chain)]);
  const refuse = (why: string): CommandError =>
    new CommandError(`The node at ${node.url} is of another chain: ${why}.`, 'usage', { code: 'wrong_chain' });
  if (of.chainId !== chainId) throw refuse(`it says ${of.chainId}, and the service ${chainId}`);
  const height = Math.min(of.height, ours.height);
  if (height < Math.max(of.earliestHeight, 1)) return;
  const [theirs, here] = await Promise.all(
    [node, chain].map((each) => askNode<{ block_id: { hash: string } }>(each, 'block', { height: String(height) })),
  );
  if (theirs?.block_id.hash !== here?.block_id.hash)
    throw refuse(`its block ${height} is ${theirs?.block_id.hash}, and that of the chain ${here?.block_id.hash}`);
}

export interface Sync {
  readonly isSynced: boolean;
  readonly text: string;
}

export async function syncOf(node: NodeAddress, chain: NodeAddress): Promise<Sync> {
  const [of, ours] = await Promise.all([nodeFacts(node), nodeFacts(chain)]);
  const isSynced = !of.isCatchingUp && of.height > 0 && ours.height - of.height <= BEHIND_BLOCKS_MAX;
  return { isSynced, text: `${of.height} of ${ours.height} blocks${of.isCatchingUp ? ', catching up' : ''}` };
}

/**
 * Waits until the node has caught up: with power before that, it would count as an absent validator. @throws CommandError if it has not
 * caught up within the time.
 */
export async function untilSynced(node: NodeAddress, chain: NodeAddress, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  const wait = async (): Promise<void> => {
    for (;;) {
      const { isSynced, text } = await syncOf(node, chain);
      if (isSynced) return;
      if (performance.now() > endMs)
        throw new CommandError(
          `The node at ${node.url} has not caught up (${text}): it gets no power before it has. Run the same command again.`,
          'unreachable',
          { code: 'not_synced', retriable: true },
        );
      await pause();
    }
  };
  await withProgress(`waiting until ${node.url} has caught up`, wait());
}
