/**
 * One spelling for every path under /rpc: stock clients append `/websocket` or `/` to the address they are given, and so
 * arrive at `/rpc//websocket` and `/rpc/`.
 */

const UNDER_RPC = /^\/+rpc(?=[/?]|$)/;

/** The path and query with double and trailing slashes taken out; undefined when nothing is to be changed. */
export function plainRpcUrl(url: string): string | undefined {
  if (!UNDER_RPC.test(url)) return undefined;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const plain = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  return plain === path ? undefined : plain + (at < 0 ? '' : url.slice(at));
}

export function isRpcPath(path: string): boolean {
  return UNDER_RPC.test(path);
}
