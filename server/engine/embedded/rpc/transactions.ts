/** Methods that read, check and submit transactions (rpc/core/tx.go and mempool.go, v0.38). */
import { sha256, upperHex } from '../../encoding/index.ts';
import { CODES } from '../../../ledger/index.ts';
import type { RpcMethod } from '../../port.ts';
import { MEMPOOL_BYTES_MAX, MEMPOOL_TRANSACTIONS_MAX } from '../mempool.ts';
import { Pacer } from '../../pacer.ts';
import { transactionsPage } from '../../search/search-pages.ts';
import type { Arguments } from '../../rpc/arguments.ts';
import { badRequest, notFound, unavailable } from '../../rpc/failure.ts';
import { base64 } from '../../rpc/go-json.ts';
import { PageText } from '../../rpc/page-text.ts';
import { perPageOf } from '../../rpc/pages.ts';
import { checkJson, codespaceOf, NO_RESULT, resultJson } from '../../rpc/result-json.ts';
import { txProofJson } from '../../rpc/tx-proof-json.ts';
import type { BlockReader } from './block-reader.ts';
import type { RpcContext, RpcHandler } from './context.ts';

/** Time that broadcast_tx_commit waits for the block; CometBFT's timeout_broadcast_tx_commit. */
export const BROADCAST_COMMIT_MS_MAX = 10_000;

function transactionJson({ reader }: RpcContext, { height, index }: { height: number; index: number }, prove: boolean) {
  const found = reader.transaction(height, index);
  if (found === undefined) throw new Error(`block ${height} has no transaction ${index}`);
  const { raw, result } = found;
  return {
    hash: upperHex(sha256(raw)),
    height: String(height),
    index,
    tx_result: resultJson(result),
    tx: base64(raw),
    ...(prove ? { proof: proofJson(reader, height, raw, index) } : {}),
  };
}

function proofJson(reader: BlockReader, height: number, raw: Uint8Array, index: number) {
  const read = reader.block(height);
  return txProofJson(read.block.header.dataHash, raw, read.proof(index));
}

function tx(context: RpcContext, args: Arguments) {
  const hash = args.bytes('hash');
  if (hash.length === 0) throw badRequest('transaction hash cannot be empty');
  const place = context.reader.locate(hash);
  if (place === undefined) throw notFound(`tx (${upperHex(hash)}) not found`);
  return transactionJson(context, place, args.boolean('prove'));
}

async function txSearch(context: RpcContext, args: Arguments) {
  const found = await transactionsPage(context.searcher, args);
  const pacer = new Pacer(context.clock);
  const page = new PageText(found);
  for (const place of found.entries) {
    if (!page.add(transactionJson(context, place, args.boolean('prove')))) break;
    if (pacer.due) await pacer.pause();
  }
  return page.result('txs');
}

/** Adds bytes to the mempool. Throws what CometBFT's mempool answers as an error. */
async function add({ mempool, broadcast }: RpcContext, raw: Uint8Array) {
  const hash = upperHex(sha256(raw));
  if (mempool.has(hash)) throw badRequest('tx already exists in cache');
  const check = await broadcast(raw);
  if (check.code === CODES.check_full) {
    throw unavailable(
      `mempool is full: number of txs ${mempool.size} (max: ${MEMPOOL_TRANSACTIONS_MAX}), ` +
        `total txs bytes ${mempool.bytes} (max: ${MEMPOOL_BYTES_MAX})`,
    );
  }
  return { hash, check };
}

async function broadcastSync(context: RpcContext, args: Arguments) {
  const { hash, check } = await add(context, args.bytes('tx'));
  return { code: check.code, data: '', log: check.log, codespace: codespaceOf(check.code), hash };
}

/** CometBFT does not wait for the check here, so its result is not answered. */
async function broadcastAsync(context: RpcContext, args: Arguments) {
  const { hash } = await add(context, args.bytes('tx'));
  return { code: 0, data: '', log: '', codespace: '', hash };
}

async function broadcastCommit(context: RpcContext, args: Arguments) {
  const { chain, clock, reader, waitForHeight } = context;
  const raw = args.bytes('tx');
  const { hash, check } = await add(context, raw);
  if (check.code !== 0) return { check_tx: checkJson(check), tx_result: resultJson(NO_RESULT), hash, height: '0' };
  const deadlineMs = clock.monotonicMs() + BROADCAST_COMMIT_MS_MAX;
  const hashBytes = sha256(raw);
  for (;;) {
    const place = reader.locate(hashBytes);
    if (place !== undefined) {
      const { result = NO_RESULT } = reader.transaction(place.height, place.index) ?? {};
      return { check_tx: checkJson(check), tx_result: resultJson(result), hash, height: String(place.height) };
    }
    const leftMs = deadlineMs - clock.monotonicMs();
    // CometBFT leaves the hash out here; without it the caller could not look up the outcome of the transaction.
    if (leftMs <= 0) throw unavailable(`timed out waiting for tx to be included in a block (tx ${hash})`);
    await waitForHeight(chain.tip.height + 1, leftMs);
  }
}

function unconfirmedJson({ mempool }: RpcContext, count: number, txs: string[] | null) {
  return { n_txs: String(count), total: String(mempool.size), total_bytes: String(mempool.bytes), txs };
}

function unconfirmedTxs(context: RpcContext, args: Arguments) {
  const txs = context.mempool.waiting(perPageOf(args, 'limit')).map(base64);
  return unconfirmedJson(context, txs.length, txs);
}

export const TRANSACTION_METHODS = {
  tx,
  tx_search: txSearch,
  check_tx: ({ mempool }, args) => checkJson(mempool.judge(args.bytes('tx'))),
  broadcast_tx_async: broadcastAsync,
  broadcast_tx_commit: broadcastCommit,
  broadcast_tx_sync: broadcastSync,
  unconfirmed_txs: unconfirmedTxs,
  num_unconfirmed_txs: (context) => unconfirmedJson(context, context.mempool.size, null),
} satisfies Partial<Record<RpcMethod, RpcHandler>>;
