/** Pages of a statement: their beginning, and their part of the entries that were read. */
import { LIST_LIMIT_MAX } from '../limits.ts';
import { refuseField } from '../refusals.ts';
import type { AccountEntry, EntryPage, EntryQuery, Refusal } from '../types.ts';
import { decodePlace, encodePlace } from './cursor.ts';

/** An entry, and its place in its account's statement: greater means later. */
export interface PlacedEntry extends AccountEntry {
  place: number;
}

/** A cursor is of one statement, read in one direction between the same times. */
const listOf = (chainId: string, { address, order, fromMs, toMs }: EntryQuery): string =>
  JSON.stringify([chainId, 'entries', address, order, fromMs ?? '', toMs ?? '']);

/** The end of the previous page, undefined for the first page; a refusal of the limit or the cursor. */
export function entriesAfter(chainId: string, query: EntryQuery): number | Refusal | undefined {
  const { limit, cursor } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_LIMIT_MAX) {
    return refuseField('invalid_request', '#/query/limit', `The parameter limit must be from 1 to ${LIST_LIMIT_MAX}.`);
  }
  if (cursor === undefined) return undefined;
  return (
    decodePlace(listOf(chainId, query), cursor) ??
    refuseField(
      'invalid_request',
      '#/query/cursor',
      'The cursor is not one that this statement answered. Send nextCursor of the page before unchanged, with the same parameters.',
    )
  );
}

/** `found` has one entry more than the page, where there is one. */
export function entryPage(
  chainId: string,
  query: EntryQuery,
  found: readonly PlacedEntry[],
  height: number,
): EntryPage {
  const shown = found.slice(0, query.limit);
  const page: EntryPage = { ok: true, entries: shown.map(withoutPlace), height };
  const last = shown.at(-1);
  if (found.length > shown.length && last !== undefined)
    page.nextCursor = encodePlace(listOf(chainId, query), last.place);
  return page;
}

function withoutPlace(placed: PlacedEntry): AccountEntry {
  const { place: _place, ...entry } = placed;
  return entry;
}
