/**
 * What is CometBFT's and not ours: under /rpc the paths, names and errors of a stock node are kept, because its clients
 * know them. The rules of this folder ask here, so that no two of them draw the border differently.
 */

/** Statuses that a method itself answers with, in CometBFT's envelope. Every other error under /rpc is a problem. */
export const ENVELOPE_STATUSES: ReadonlySet<string> = new Set(['400', '404', '503']);

/** Envelopes of failures: that of a method, and that of a request of JSON-RPC. */
const FAILURES = new Set(['RpcFailure', 'RpcErrorReply']);

/** True if a path belongs to the RPC: `/rpc` and everything below it, but not `/rpcs`. */
export function isRpcPath(path: string | number): boolean {
  return /^\/rpc(\/|$)/.test(String(path));
}

/** Whether a place is in a component that follows CometBFT's form: their names begin with `Rpc`. */
export function isRpcComponent(absolutePointer: string): boolean {
  return /#\/[A-Za-z]+\/Rpc[A-Z]/.test(absolutePointer);
}

export function isFailureSchema(absolutePointer: string): boolean {
  const name = /#\/schemas\/([^/]+)$/.exec(absolutePointer)?.[1];
  return name !== undefined && FAILURES.has(name);
}
