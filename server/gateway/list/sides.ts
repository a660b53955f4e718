/** Sides of a transfer that a list's filters fix. Pure. */
import type { ListSide } from '../../store/index.ts';
import type { ListFilters } from './cursor.ts';

/**
 * The alternatives, each a sender, a receiver or both; undefined when the filters fix no side, [] when nothing can match.
 * `idOf` gives the number behind an address, undefined for one that no transfer names.
 */
export function sidesOf(filters: ListFilters, idOf: (address: string) => number | undefined): ListSide[] | undefined {
  return addressSidesOf(filters)?.flatMap((side) => {
    const fromId = side.from === undefined ? undefined : idOf(side.from);
    const toId = side.to === undefined ? undefined : idOf(side.to);
    if ((side.from !== undefined && fromId === undefined) || (side.to !== undefined && toId === undefined)) return [];
    return [{ ...(fromId === undefined ? {} : { fromId }), ...(toId === undefined ? {} : { toId }) }];
  });
}

interface AddressSide {
  from?: string | undefined;
  to?: string | undefined;
}

/** The same by address. Two of them name one side each. */
export function addressSidesOf({ from, to, account }: ListFilters): AddressSide[] | undefined {
  if (from === undefined && to === undefined && account === undefined) return undefined;
  if (account === undefined || account === from || account === to) return [{ from, to }];
  // The account is neither of the fixed sides, so it has to be the one that is free.
  if (from !== undefined && to !== undefined) return [];
  if (from !== undefined) return [{ from, to: account }];
  if (to !== undefined) return [{ from: account, to }];
  return [{ from: account }, { to: account }];
}
