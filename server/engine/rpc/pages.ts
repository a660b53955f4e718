/** Pages of a list (rpc/core/env.go, validatePage and validatePerPage). */
import type { Arguments } from './arguments.ts';
import { badRequest } from './failure.ts';

const PER_PAGE_DEFAULT = 30;
export const PER_PAGE_MAX = 100;
/** Bytes of the items of one page; a page of a single longer item holds that one. */
export const PAGE_BYTES_MAX = 1024 * 1024;

export interface Page {
  skip: number;
  /** Entries on this page, fewer on the last. */
  take: number;
}

/** Reads `per_page`, or a parameter of the same kind. Outside its range it is the default or the maximum. */
export function perPageOf(args: Arguments, name = 'per_page'): number {
  const asked = args.optionalInteger(name);
  if (asked === undefined || asked < 1n) return PER_PAGE_DEFAULT;
  return asked > BigInt(PER_PAGE_MAX) ? PER_PAGE_MAX : Number(asked);
}

/** The page of `total` entries that a request names. Throws when there is no such page. */
export function pageOf(args: Arguments, total: number): Page {
  const perPage = perPageOf(args);
  const pages = Math.max(1, Math.ceil(total / perPage));
  const asked = args.optionalInteger('page') ?? 1n;
  if (asked <= 0n || asked > BigInt(pages))
    throw badRequest(`page should be within [1, ${pages}] range, given ${asked}`);
  const skip = (Number(asked) - 1) * perPage;
  return { skip, take: Math.min(perPage, total - skip) };
}

/** True when `order_by` is desc. Throws at anything but asc, desc and an absent value. */
export function isDescending(args: Arguments, whenAbsent: boolean): boolean {
  const order = args.text('order_by');
  if (order === '') return whenAbsent;
  if (order !== 'asc' && order !== 'desc') throw badRequest('expected order_by to be either `asc` or `desc` or empty');
  return order === 'desc';
}
