/**
 * The path of PUBLIC_URL, at which a proxy serves this API. Some proxies strip it and others do not: a request below it is served as if the
 * path were stripped, and a request at the root as without a base path.
 */
import type { IncomingMessage } from 'node:http';

/** Returns `/ledger` for `https://example.org/ledger/`; undefined without a public URL, or if it has no path. */
export function basePathOf(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  const path = new URL(publicUrl).pathname.replace(/\/+$/, '');
  return path === '' ? undefined : path;
}

/** Requests whose base path was removed: an upgrade request passes here twice. */
const shortened = new WeakSet<IncomingMessage>();

/** Removes the base path from the target of a request, once: a target that has it twice is another path, as it is for a proxy. */
export function withoutBasePath(request: IncomingMessage, basePath: string | undefined): void {
  const { url = '' } = request;
  if (basePath === undefined || !url.startsWith(`${basePath}/`) || shortened.has(request)) return;
  request.url = url.slice(basePath.length);
  shortened.add(request);
}

/**
 * True if the request is for the base path without its final slash. It is redirected to the path with the slash, because the relative
 * references of a page would otherwise leave the base path.
 */
export function isBasePath({ url = '' }: IncomingMessage, basePath: string | undefined): boolean {
  return basePath !== undefined && (url === basePath || url.startsWith(`${basePath}?`));
}
