/**
 * The path of PUBLIC_URL, at which a proxy serves this API. One proxy takes it off and another does not: a request below it is served as if
 * it had none, and a request at the root as ever.
 */
import type { IncomingMessage } from 'node:http';

/** `/ledger` of `https://example.org/ledger/`; undefined where the public URL has no path, or there is none. */
export function basePathOf(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  const path = new URL(publicUrl).pathname.replace(/\/+$/, '');
  return path === '' ? undefined : path;
}

/** Those that it was taken off: a request that asks for an upgrade comes by twice. */
const shortened = new WeakSet<IncomingMessage>();

/** Takes the base path off the target of a request, once: what has it twice is another path, and a proxy judges it as one. */
export function withoutBasePath(request: IncomingMessage, basePath: string | undefined): void {
  const { url = '' } = request;
  if (basePath === undefined || !url.startsWith(`${basePath}/`) || shortened.has(request)) return;
  request.url = url.slice(basePath.length);
  shortened.add(request);
}

/**
 * Whether the request is for the base path without the slash at its end: it is led to the one with it, because the relative references of a
 * page would lead out of the base path otherwise.
 */
export function isBasePath({ url = '' }: IncomingMessage, basePath: string | undefined): boolean {
  return basePath !== undefined && (url === basePath || url.startsWith(`${basePath}?`));
}
