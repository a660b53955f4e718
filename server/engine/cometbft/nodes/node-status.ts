/** A node's report about itself, from `status` and `num_unconfirmed_txs` (rpc/core/types/responses.go, v0.38). */

export interface NodeStatus {
  chainId: string;
  height: number;
  earliest: number;
  isCatchingUp: boolean;
}

interface StatusJson {
  node_info?: { network?: unknown };
  sync_info?: { latest_block_height?: unknown; earliest_block_height?: unknown; catching_up?: unknown };
}

const DECIMAL = /^\d{1,15}$/;

/** Reads a height as CometBFT writes it; undefined when it is not one. */
export function heightOfJson(value: unknown): number | undefined {
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : undefined;
}

/** Returns undefined when it is not a status of a CometBFT node. */
export function readStatus(result: unknown): NodeStatus | undefined {
  const { node_info: node, sync_info: sync } = (result ?? {}) as StatusJson;
  const height = heightOfJson(sync?.latest_block_height);
  const earliest = heightOfJson(sync?.earliest_block_height);
  if (typeof node?.network !== 'string' || height === undefined || earliest === undefined) return undefined;
  return { chainId: node.network, height, earliest, isCatchingUp: sync?.catching_up === true };
}

/** Number of transactions in the mempool; 0 when the answer does not have it. */
export function readMempoolSize(result: unknown): number {
  return heightOfJson((result as { total?: unknown } | null)?.total) ?? 0;
}
