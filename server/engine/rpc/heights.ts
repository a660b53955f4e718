/** The height that a request means (rpc/core/env.go, getHeight). Light clients recognise these texts; they must not change. */
import type { Arguments } from './arguments.ts';
import { badRequest, notFound } from './failure.ts';

/** The `height` of a request, or the latest. Throws when it is not within 1 to `latest`. */
export function heightOf(args: Arguments, latest: number): number {
  const asked = args.optionalInteger('height');
  if (asked === undefined) return latest;
  if (asked <= 0n) throw badRequest(`height must be greater than 0, but got ${asked}`);
  if (asked > BigInt(latest)) {
    throw notFound(`height ${asked} must be less than or equal to the current blockchain height ${latest}`);
  }
  return Number(asked);
}
