/** Methods about blocks and headers (rpc/core/blocks.go, v0.38). */
import type { RpcMethod } from '../../port.ts';
import { Pacer } from '../../pacer.ts';
import { heightsPage } from '../../search/search-pages.ts';
import type { Arguments } from '../../rpc/arguments.ts';
import { badRequest, notFound } from '../../rpc/failure.ts';
import { base64 } from '../../rpc/go-json.ts';
import { PageText } from '../../rpc/page-text.ts';
import { resultJson } from '../../rpc/result-json.ts';
import { blockIdJson, commitJson, headerJson } from '../../rpc/signed-header-json.ts';
import { blockJson, blockMetaJson, NO_BLOCK_ID_JSON } from './block-json.ts';
import type { RpcContext, RpcHandler } from './context.ts';
import { heightOf } from '../../rpc/heights.ts';

/** The most headers that `blockchain` lists. */
const BLOCK_METAS_MAX = 20n;

const NO_BLOCK_JSON = { block_id: NO_BLOCK_ID_JSON, block: null };
const NO_HEADER_JSON = { header: null };

function blockResult({ reader }: RpcContext, height: number) {
  if (height === 0) return NO_BLOCK_JSON;
  const { stored, block } = reader.block(height);
  return { block_id: blockIdJson(stored.id), block: blockJson(block) };
}

function headerResult({ reader }: RpcContext, height: number) {
  return height === 0 ? NO_HEADER_JSON : { header: headerJson(reader.block(height).block.header) };
}

/** The executed height that a request names; 0 when it names none and no block was executed yet. */
function executedHeight({ chain }: RpcContext, args: Arguments): number {
  return heightOf(args, chain.tip.height);
}

function commit(context: RpcContext, args: Arguments) {
  const height = executedHeight(context, args);
  if (height === 0) return null;
  const { reader, chain } = context;
  return {
    signed_header: { header: headerJson(reader.block(height).block.header), commit: commitJson(reader.commit(height)) },
    // The commit of the last block is not in a block yet.
    canonical: height < chain.tip.height,
  };
}

function blockResults(context: RpcContext, args: Arguments) {
  const height = executedHeight(context, args);
  if (height === 0) throw notFound('could not find results for height #0');
  const results = context.reader.results(height);
  return {
    height: String(height),
    txs_results: results.length === 0 ? null : results.map(resultJson),
    finalize_block_events: null,
    validator_updates: null,
    consensus_param_updates: null,
    app_hash: base64(context.reader.appHash(height)),
  };
}

function blockchain({ chain, reader }: RpcContext, args: Arguments) {
  const { height } = chain.tip;
  const [min, max] = [args.integer('minHeight'), args.integer('maxHeight')];
  if (min < 0n || max < 0n) throw badRequest('heights must be non-negative');
  const tip = BigInt(height);
  const last = max === 0n || max > tip ? tip : max;
  // At most BLOCK_METAS_MAX, from the end; never below height 1.
  const lowest = last - BLOCK_METAS_MAX + 1n;
  const wanted = min === 0n ? 1n : min;
  const first = wanted > lowest ? wanted : lowest;
  if (first > last) throw badRequest(`min height ${first} can't be greater than max height ${last}`);
  const metas = [];
  for (let at = last; at >= first; at--) {
    const { stored, block } = reader.block(Number(at));
    metas.push(blockMetaJson(stored, block.header));
  }
  return { last_height: String(height), block_metas: metas };
}

async function blockSearch(context: RpcContext, args: Arguments) {
  const found = heightsPage(args, context.chain.tip.height);
  const pacer = new Pacer(context.clock);
  const page = new PageText(found);
  for (const height of found.entries) {
    if (!page.add(blockResult(context, height))) break;
    if (pacer.due) await pacer.pause();
  }
  return page.result('blocks');
}

export const BLOCK_METHODS = {
  block: (context, args) => blockResult(context, executedHeight(context, args)),
  block_by_hash: (context, args) => blockResult(context, context.reader.heightOf(args.bytes('hash')) ?? 0),
  block_results: blockResults,
  block_search: blockSearch,
  blockchain,
  commit,
  header: (context, args) => headerResult(context, executedHeight(context, args)),
  header_by_hash: (context, args) => headerResult(context, context.reader.heightOf(args.bytes('hash')) ?? 0),
} satisfies Partial<Record<RpcMethod, RpcHandler>>;
