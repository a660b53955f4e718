/**
 * Facts that the explorer of a development server may have: the token of dev.json, the accounts whose keys are public anyway, and the last
 * requests.
 *
 * The page gets the token with a request of its own; it is never in the page, which may be kept or shared. Only a page of this service on
 * this machine gets it. A web page of another origin fails the check of Host and Origin before, and could not read the answer. These
 * requests are refused here too: one that a proxy forwarded, because anyone may be behind it; one to a name that is not of this machine;
 * and one that a page of another origin caused without an Origin header (a link, a script, an image).
 */
import type { IncomingHttpHeaders } from 'node:http';

import type { RequestLogMemory } from './request-log.ts';

export interface DevelopmentAccount {
  readonly name: string;
  readonly address: string;
  /** 64 hex digits. Public: the keys of development accounts are part of the program. */
  readonly seed: string;
}

export interface ExplorerDevelopment {
  readonly token: string;
  readonly accounts: readonly DevelopmentAccount[];
  /** Memory of the last requests, which all HTTP threads share. */
  readonly requests: RequestLogMemory;
  /** True if other machines may reach the server (--public-dev). The page shows that; these facts stay on this machine. */
  readonly isPublic: boolean;
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
/** A proxy adds at least one of them. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
] as const;

export function mayLearnDevelopment(headers: IncomingHttpHeaders, remoteAddress: string | undefined): boolean {
  if (!LOOPBACK_HOST.test(headers.host ?? '') || !LOOPBACK_ADDRESS.test(remoteAddress ?? '')) return false;
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  // Browsers name the site of the causing page in every request to this machine; a program that sends no such header is the user's own.
  const site = headers['sec-fetch-site'];
  const mode = headers['sec-fetch-mode'];
  return (
    (site === undefined || site === 'same-origin') && (mode === undefined || mode === 'cors' || mode === 'same-origin')
  );
}
