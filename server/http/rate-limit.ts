/**
 * Rate limits per token and per client address, told in the structured fields of the IETF draft "RateLimit header
 * fields for HTTP" (draft-ietf-httpapi-ratelimit-headers).
 *
 * Counted in memory per process: a limit protects this process, and a shared counter would put a round trip into every
 * request. IPv6 clients count by their /64, the smallest block that one customer gets (RFC 6177).
 */
import { isIPv4 } from 'node:net';

import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';

import type { RateLimit } from './options.ts';

export interface RateVerdict {
  ok: boolean;
  /** RateLimit and RateLimit-Policy. */
  headers: Record<string, string>;
  retryAfterS: number;
}

export class RateLimits {
  readonly #token: Meter;
  readonly #client: Meter;
  readonly #policy: string;

  constructor(limits: { perToken: RateLimit; perClient: RateLimit }) {
    this.#token = new Meter('token', limits.perToken);
    this.#client = new Meter('client', limits.perClient);
    this.#policy = `${this.#token.policy}, ${this.#client.policy}`;
  }

  /** Counts one request; `tokenId` is undefined for operations that need no token. */
  async take(tokenId: string | undefined, clientAddress: string | undefined): Promise<RateVerdict> {
    const client = await this.#client.take(clientKey(clientAddress ?? ''));
    const token = tokenId === undefined ? undefined : await this.#token.take(tokenId);
    const both = token === undefined ? [client] : [token, client];
    return {
      ok: both.every((count) => count.ok),
      headers: {
        RateLimit: both.map((count) => count.field).join(', '),
        'RateLimit-Policy': token === undefined ? this.#client.policy : this.#policy,
      },
      retryAfterS: Math.max(...both.filter((count) => !count.ok).map((count) => count.resetS), 1),
    };
  }
}

interface Count {
  ok: boolean;
  /** One item of the RateLimit header. */
  field: string;
  resetS: number;
}

class Meter {
  readonly policy: string;
  readonly #name: string;
  readonly #limiter: RateLimiterMemory;

  constructor(name: string, { requests, windowS }: RateLimit) {
    this.#name = name;
    this.policy = `"${name}";q=${requests};w=${windowS}`;
    this.#limiter = new RateLimiterMemory({ points: requests, duration: windowS });
  }

  async take(key: string): Promise<Count> {
    // The library reports a limit that is used up by rejecting with the same kind of object as it resolves with.
    const outcome = await this.#limiter.consume(key).then(
      (left) => ({ ok: true, left }),
      (left: unknown) => {
        if (!(left instanceof RateLimiterRes)) throw left;
        return { ok: false, left };
      },
    );
    const resetS = Math.max(1, Math.ceil(outcome.left.msBeforeNext / 1000));
    return { ok: outcome.ok, field: `"${this.#name}";r=${outcome.left.remainingPoints};t=${resetS}`, resetS };
  }
}

/** Exported for its test. */
export function clientKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIPv4(address) || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':')}::/64`;
}
