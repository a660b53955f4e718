/**
 * What is CometBFT's and not ours: under /rpc the paths, names and errors of a stock node are kept, because its clients
 * know them. The rules of this folder ask here, so that no two of them draw the border differently.
 */

/** Statuses that a method itself answers with, in CometBFT's envelope. Every other error under /rpc is a problem. */
export const ENVELOPE_STATUSES: ReadonlySet<string> = new Set(['400', '404', '503']);

/** Envelopes of failures: that of a method, and that of a request of JSON-RPC. */
const FAILURES = new Set(['RpcFailure', 'RpcErrorReply']);

/** Whether a path belongs to the RPC: `/rpc` and what lies below it, but not `/rpcs`. */
export function isRpcPath(path: string | number): boolean {
  return /^\/rpc(\/|$)/.test(String(path));
}

/** Whether a component follows CometBFT's form: those in a folder `rpc` of their kind do. */
export function isRpcComponent(file: string): boolean {
  return /\/components\/[A-Za-z]+\/rpc\/[^/]+$/.test(file);
}

export function isFailureSchema(file: string): boolean {
  const name = /\/components\/schemas\/rpc\/([^/]+)\.yaml$/.exec(file)?.[1];
  return name !== undefined && FAILURES.has(name);
}
