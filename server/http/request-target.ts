/**
 * Brings the request target into the one form that routing and validation read: a path with a query.
 *
 * This must happen before Express receives the request: Express itself answers a target that its URL parser cannot read, with an HTML page.
 *
 * An absolute target (RFC 9112 section 3.2.2) names its own host, which overrides the Host header, and is cut down to its path. A fragment
 * is never sent by a client that follows RFC 9110 section 4.2.5; libraries disagree on whether it belongs to the path, so it is refused
 * like any other invalid target.
 */
import type { IncomingMessage } from 'node:http';

import { plainRpcUrl } from './rpc/path.ts';

/** Visible ASCII without `#`: everything else has to be percent-encoded (RFC 3986 section 2). */
const SAFE = /^[!-"$-~]+$/;
const ABSOLUTE = /^https?:\/\/([^/?#@\s]+)([/?][^#]*)?$/i;

const unreadable = new WeakSet<IncomingMessage>();
/** The original targets of requests under /rpc that were normalised. */
const asked = new WeakMap<IncomingMessage, string>();

/** Replaces an unreadable target with `/` and remembers the request, so that the entry step refuses it. */
export function normaliseTarget(request: IncomingMessage): void {
  const url = request.url ?? '';
  if ((url.startsWith('/') && SAFE.test(url)) || url === '*') return;
  const absolute = ABSOLUTE.exec(url);
  const path = absolute?.[2] ?? '/';
  if (absolute === null || !SAFE.test(path)) {
    request.url = '/';
    unreadable.add(request);
    return;
  }
  request.headers.host = absolute[1] ?? '';
  request.url = path.startsWith('/') ? path : `/${path}`;
}

/** Normalises a path under /rpc. */
export function plainTarget(request: IncomingMessage): void {
  const url = request.url ?? '';
  const plain = plainRpcUrl(url);
  if (plain === undefined) return;
  asked.set(request, url);
  request.url = plain;
}

/** The target of the client, before `plainTarget`: references in answers are relative to it. */
export function askedTarget(request: IncomingMessage): string {
  return asked.get(request) ?? request.url ?? '/';
}

export function isUnreadableTarget(request: IncomingMessage): boolean {
  return unreadable.has(request);
}
