/**
 * The part of the contract that follows CometBFT: under /rpc the paths, names and errors are those of a stock node, because its clients
 * depend on them. All rules of this folder use these functions, so that they agree on which part that is.
 */

/** Statuses that a method itself answers with, in CometBFT's envelope. Every other error under /rpc is a problem. */
export const ENVELOPE_STATUSES: ReadonlySet<string> = new Set(['400', '404', '503']);

/** Envelopes of failures: that of a method, and that of a request of JSON-RPC. */
const FAILURES = new Set(['RpcFailure', 'RpcErrorReply']);

/** True if a path belongs to the RPC: `/rpc` and everything below it, but not `/rpcs`. */
export function isRpcPath(path: string | number): boolean {
  return /^\/rpc(\/|$)/.test(String(path));
}

/** True if a place is in a component that follows CometBFT's form: their names begin with `Rpc`. */
export function isRpcComponent(absolutePointer: string): boolean {
  return /#\/[A-Za-z]+\/Rpc[A-Z]/.test(absolutePointer);
}

export function isFailureSchema(absolutePointer: string): boolean {
  const name = /#\/schemas\/([^/]+)$/.exec(absolutePointer)?.[1];
  return name !== undefined && FAILURES.has(name);
}
