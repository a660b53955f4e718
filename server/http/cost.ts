/**
 * The cost of each request, in units of its quota: the only table of weights that the rate limiter uses (DESIGN section 3, row Cost;
 * decision 0041). `docs/OPERATING.md` repeats it, and a test compares the two.
 *
 * One unit is the cost of a transfer or of a read of one row. The classes follow from measurements: one page of `block_search` took 106
 * times the CPU of `/livez`. The numbers are deliberately round: only their order of magnitude has to be right, so that no method gives
 * expensive work for a low price.
 */
import type { RpcMethod } from '../gateway/rpc/port.ts';

import type { OperationId, RpcOperationId } from './typed/types.ts';

/** Probes are never refused: a supervisor would restart a healthy process. Their work is shared and cached. */
const PROBE = 0;
/** One row by its key, one signature, or one fact in memory. */
const LIGHT = 1;
/** Renders every metric of the process, or collects those of all threads: 5 ms. */
const METRICS = 40;
/** The answer is a whole block, a validator set, or a proof made from a whole block. */
const BLOCK = 5;
/** The mempool verifies a signature and stores the transaction, or the request waits for a block. */
const BROADCAST = 5;
/** Reads many rows or makes up to 100 blocks: the most expensive request there is. */
const SEARCH = 50;
/** A subscription lasts as long as the websocket is open: every block is matched against it. */
const SUBSCRIBE = 10;

/** A request that no operation serves: 404, 405, a foreign Host or Origin, a page of the documentation. */
export const COST_PLAIN = LIGHT;
/** An upgrade: the websocket and its buffers outlive the request. */
export const COST_UPGRADE = 5;
/** Added to the request: an event stream outlives it too, and its token is checked again every second. */
export const COST_EVENT_STREAM = 4;
/** Added to the request: guessing tokens must cost the guesser more than the look-up costs the store. */
export const COST_FAILED_AUTHENTICATION = 4;

/**
 * Bytes of body or answer that cost a further unit; the first ones are free. Reading, parsing and copying 16 KiB takes about as long as the
 * rest of a light request, and no REST body is larger.
 */
export const BYTES_PER_UNIT = 16 * 1024;

export const OPERATION_COSTS: Readonly<Record<Exclude<OperationId, RpcOperationId> | 'callRpc', number>> = {
  getLiveness: PROBE,
  getReadiness: PROBE,
  getMetrics: METRICS,
  getChain: LIGHT,
  getApiCatalog: LIGHT,
  getOpenapiJson: LIGHT,
  getOpenapiYaml: LIGHT,
  getOpenapiClientJson: LIGHT,
  submitTransaction: LIGHT,
  // The request itself; its body and its transfers are charged as well.
  submitTransactionBatch: LIGHT,
  checkTransaction: LIGHT,
  listTransactions: LIGHT,
  getTransaction: LIGHT,
  getReceipt: BLOCK,
  cancelTransaction: LIGHT,
  submitCancel: LIGHT,
  getAccount: LIGHT,
  // The page; CSV is charged for every piece of the document.
  listEntries: LIGHT,
  // The request itself; the rows that were read for the page are charged as well.
  listEvents: LIGHT,
  createWebhook: LIGHT,
  listWebhooks: LIGHT,
  getWebhook: LIGHT,
  updateWebhook: LIGHT,
  deleteWebhook: LIGHT,
  rotateWebhookSecret: LIGHT,
  listWebhookDeliveries: LIGHT,
  // Each request causes work of the delivery, and an answer of a foreign server.
  testWebhook: BROADCAST,
  replayWebhook: SEARCH,
  listTokens: LIGHT,
  // Their writes are durable and audited before the answer.
  createToken: BROADCAST,
  getToken: LIGHT,
  updateToken: BROADCAST,
  revokeToken: BROADCAST,
  rotateToken: BROADCAST,
  listBoundAddresses: LIGHT,
  bindAddress: BROADCAST,
  unbindAddress: BROADCAST,
  // The request itself; further addresses are charged as well.
  listAccounts: LIGHT,
  // The request itself; each of its entries is charged by its method as well.
  callRpc: LIGHT,
};

/** Costs by method, for all three transports. The last three methods exist on the websocket only. */
export const METHOD_COSTS: Readonly<Record<RpcMethod | 'subscribe' | 'unsubscribe' | 'unsubscribe_all', number>> = {
  abci_info: LIGHT,
  abci_query: BLOCK,
  block: BLOCK,
  block_by_hash: BLOCK,
  block_results: BLOCK,
  block_search: SEARCH,
  blockchain: BLOCK,
  broadcast_evidence: BROADCAST,
  broadcast_tx_async: BROADCAST,
  broadcast_tx_commit: BROADCAST,
  broadcast_tx_sync: BROADCAST,
  check_tx: BROADCAST,
  commit: BLOCK,
  consensus_params: LIGHT,
  consensus_state: LIGHT,
  dump_consensus_state: BLOCK,
  genesis: BLOCK,
  genesis_chunked: BLOCK,
  header: LIGHT,
  header_by_hash: LIGHT,
  health: LIGHT,
  net_info: LIGHT,
  num_unconfirmed_txs: LIGHT,
  status: LIGHT,
  tx: BLOCK,
  tx_search: SEARCH,
  unconfirmed_txs: BLOCK,
  validators: BLOCK,
  subscribe: SUBSCRIBE,
  unsubscribe: LIGHT,
  unsubscribe_all: LIGHT,
};

/** The cost of an operation of the contract before its body is known. */
export function costOfOperation({ id, rpcMethod }: { id: string; rpcMethod: RpcMethod | undefined }): number {
  if (rpcMethod !== undefined) return METHOD_COSTS[rpcMethod];
  const costs: Readonly<Record<string, number>> = OPERATION_COSTS;
  return costs[id] ?? LIGHT;
}

/**
 * Transfers of a batch for one unit. In a batch the work for a transfer is little more than the verification of its signature, a quarter of
 * the work for a request of its own.
 */
export const BATCH_TRANSFERS_PER_UNIT = 4;

/** The cost of the transfers of a batch, added to the request and its bytes. */
export function costOfBatch(transfers: number): number {
  return Math.ceil(transfers / BATCH_TRANSFERS_PER_UNIT);
}

/** Accounts of one answer for one unit: they share the request, which is most of the work for one account. */
export const ACCOUNTS_PER_UNIT = 4;

/** Added to the request's own unit, which covers the first accounts. */
export function costOfAccounts(addresses: number): number {
  return Math.max(0, Math.ceil(addresses / ACCOUNTS_PER_UNIT) - 1);
}

/** Rows of the event log for one unit: reading them takes as long as other work for one unit. */
export const EVENT_ROWS_PER_UNIT = 250;

/** Added to the request's own unit, which covers the first rows. */
export function costOfEventRows(rows: number): number {
  return Math.max(0, Math.ceil(rows / EVENT_ROWS_PER_UNIT) - 1);
}

/** The cost of one JSON-RPC entry or websocket frame, for any method; an entry without a method or an id counts too. */
export function costOfMethod(method: string): number {
  return Object.hasOwn(METHOD_COSTS, method) ? METHOD_COSTS[method as keyof typeof METHOD_COSTS] : LIGHT;
}

/**
 * Bytes of an answer that is made piece by piece for one unit: some sixteen entries of a statement, which are read and written one by one.
 */
export const STREAM_BYTES_PER_UNIT = 4 * 1024;

/** The cost of a piece of such an answer. The next one is made when it is paid off. */
export function costOfStream(bytes: number): number {
  return Math.ceil(bytes / STREAM_BYTES_PER_UNIT);
}

/** The cost of the bytes of a body, a frame or an answer. */
export function costOfBytes(bytes: number): number {
  return bytes <= BYTES_PER_UNIT ? 0 : Math.floor((bytes - 1) / BYTES_PER_UNIT);
}
