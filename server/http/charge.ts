/**
 * Charges the cost of a request in steps, as it becomes known: the address first, the token once it is valid, then bytes and entries. Each
 * step returns a refusal if the quota is not enough; the work of a refused step is not done.
 */
import { COST_PLAIN } from './cost.ts';
import type { Exchange } from './exchange.ts';
import type { ProblemInit } from './problem/problem.ts';
import type { RateLimits, RateVerdict } from './rate-limit.ts';

/** Probes are never refused because of their number (cost.ts), even if they are wrong in another way. */
const PROBES = /^\/(?:livez|readyz)(?:\?|$)/;

/** Charges a request that no operation serves, or that is refused before one does. */
export function limitPlain(exchange: Exchange, rateLimits: RateLimits | undefined): ProblemInit | undefined {
  return rateLimits === undefined || PROBES.test(exchange.request.url)
    ? undefined
    : limitAddress(exchange, COST_PLAIN, rateLimits);
}

/** Charges the client's address, before the store is queried for it. */
export function limitAddress(
  exchange: Exchange,
  cost: number,
  rateLimits: RateLimits | undefined,
): ProblemInit | undefined {
  if (rateLimits === undefined || cost === 0) return undefined;
  exchange.rate = rateLimits.takeAddress(exchange.client, cost);
  return exchange.rate.ok ? undefined : rateProblem(exchange, exchange.rate);
}

/** Charges the token, once it is valid. */
export function limitToken(
  exchange: Exchange,
  cost: number,
  rateLimits: RateLimits | undefined,
): ProblemInit | undefined {
  const { principal } = exchange;
  if (rateLimits === undefined || cost === 0 || principal === undefined) return undefined;
  exchange.rate = rateLimits.takeToken(principal, cost, exchange.rate);
  return exchange.rate.ok ? undefined : rateProblem(exchange, exchange.rate);
}

/** Charges address and token a cost that became known after both were charged, before its work is done: bytes, entries of a batch. */
export function limitFurther(
  exchange: Exchange,
  cost: number,
  rateLimits: RateLimits | undefined,
): ProblemInit | undefined {
  if (rateLimits === undefined || cost === 0) return undefined;
  exchange.rate = rateLimits.take(exchange.client, exchange.principal, cost);
  return exchange.rate.ok ? undefined : rateProblem(exchange, exchange.rate);
}

function rateProblem({ operation }: Exchange, { headers, retryAfterS }: RateVerdict): ProblemInit {
  return {
    code: 'rate_limited',
    detail: `The quota is used up (${headers.RateLimit}); ${operation?.id ?? 'this path'} can be called again in ${retryAfterS} s.`,
    retryAfterS,
  };
}
