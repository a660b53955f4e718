/**
 * The correct HTTP status of an error that a node answered with -32603 "Internal error", the only code that CometBFT itself uses.
 *
 * The status is derived from the text (rpc/core, mempool/errors.go and libs/pubsub/query, v0.38). An unknown text is a fault of the node:
 * 500.
 */
import type { RpcError, RpcOutcome } from '../../port.ts';

type Status = Extract<RpcOutcome, { ok: false }>['status'];

const INVALID_PARAMS = -32602;

const KNOWN: readonly (readonly [Status, RegExp])[] = [
  [404, /^height \d+ must be less than or equal to the current blockchain height/],
  [404, /^height \d+ is not available/],
  [404, /^(could not find|couldn't find) /],
  [404, /^tx \([0-9A-F]*\) not found$/],
  [404, /^there are -?\d+ chunks, /],
  [404, /no block|not found/i],
  [503, /mempool is full/],
  [503, /timed out waiting for tx|broadcast confirmation not received/],
  [503, /max_subscription/],
  [503, /client is not running|connection refused/],
  [400, /^height must be greater than 0/],
  [400, /^heights must be non-negative|^min height \d+ can't be greater/],
  [400, /^page should be within/],
  [400, /order_by/],
  [400, /tx already exists in cache/],
  [400, /tx too large/i],
  [400, /^(no evidence was provided|evidence\.ValidateBasic failed|failed to add evidence)/],
  [400, /^genesis response is large/],
  [400, /^error on broadcastTxCommit/],
  [400, /empty|invalid|malformed|offset \d+|maximum query length/i],
];

export function statusOf({ code, data }: RpcError): Status {
  if (code === INVALID_PARAMS) return 400;
  return KNOWN.find(([, pattern]) => pattern.test(data))?.[0] ?? 500;
}
