/**
 * One spelling for every path under /rpc: stock clients append `/websocket` or `/` to their address, and so request `/rpc//websocket` and
 * `/rpc/`.
 */

const UNDER_RPC = /^\/+rpc(?=[/?]|$)/;

/** Returns the path and query without double and trailing slashes; undefined if there is nothing to change. */
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
