/**
 * The height that each reader of a node's blocks has reached: the gateways, by their `GET /chain` and `/metrics`, and the node that keeps
 * all blocks.
 *
 * @module
 */
import { fetchByHttp } from '../fetch.ts';
import { CommandError } from '../failure.ts';

export interface Follower {
  url: string;
  chainId: string;
  /** The last block that each of its readers has read, by the reader's name. */
  heights: Readonly<Record<string, number>>;
}

export interface ArchiveNode {
  url: string;
  chainId: string;
  earliest: number;
  height: number;
}

/** The readers of blocks in a gateway, each with the metric of its height. */
const READERS = {
  settlement: 'txledger_follower_height',
  search: 'txledger_engine_search_index_height',
  statements: 'txledger_engine_statements_height',
} as const;
const ANSWER_MS_MAX = 10_000;

async function ask(url: string, what: string): Promise<Response> {
  const answer = await fetchByHttp(new Request(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })).catch(
    (error: unknown) => {
      throw new CommandError(
        `${what} at ${url} does not answer: ${(error as Error).message}. Nothing is dropped while one of them may need it.`,
        'unreachable',
      );
    },
  );
  if (!answer.ok)
    throw new CommandError(
      `${what} at ${url} answers ${answer.status}. Nothing is dropped while one of them may need it.`,
      'unreachable',
    );
  return answer;
}

async function askJson(url: string, what: string): Promise<unknown> {
  const answer = await ask(url, what);
  return await answer.json().catch(() => {
    throw new CommandError(`${what} at ${url} answers something that is no JSON.`, 'unreachable');
  });
}

const under = (url: string, path: string): string => `${url.replace(/\/+$/, '')}/${path}`;

/** The value of a metric without labels; undefined if the text has no metric of that name. */
export function metricIn(text: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** @throws CommandError when it cannot be reached, or does not report its height. */
export async function askFollower(url: string): Promise<Follower> {
  const what = 'The gateway';
  const { chainId } = (await askJson(under(url, 'chain'), what)) as { chainId?: unknown };
  const metrics = await (await ask(under(url, 'metrics'), what)).text();
  const heights: Record<string, number> = {};
  for (const [reader, metric] of Object.entries(READERS)) {
    const height = metricIn(metrics, metric);
    if (height === undefined)
      throw new CommandError(
        `The gateway at ${url} does not say ${metric}: it is of an older version, or no gateway before CometBFT nodes.`,
        'refused',
      );
    heights[reader] = height;
  }
  return { url, chainId: String(chainId), heights };
}

/** @throws CommandError when it cannot be reached, or is not a node. */
export async function askArchive(url: string): Promise<ArchiveNode> {
  const { result } = (await askJson(under(url, 'status'), 'The archive node')) as {
    result?: { node_info?: { network?: unknown }; sync_info?: Record<string, unknown> };
  };
  const earliest = Number(result?.sync_info?.['earliest_block_height']);
  const height = Number(result?.sync_info?.['latest_block_height']);
  if (!Number.isSafeInteger(earliest) || !Number.isSafeInteger(height))
    throw new CommandError(`${url} is no CometBFT node: its /status names no heights.`, 'unreachable');
  return { url, chainId: String(result?.node_info?.network), earliest, height };
}
