/** The filter of a stream over the event log: all given conditions must match, as for pages. */
import type { ChainEvent, EventQuery } from '../../gateway/types.ts';

export type EventFilter = Pick<EventQuery, 'account' | 'owner' | 'type' | 'reference' | 'status'>;

/** Returns the key by which streams with the same filter share their texts. */
export function filterKey({ account, owner, type, reference, status }: EventFilter): string {
  return JSON.stringify([account, owner, type, reference, status]);
}

export function fits(filter: EventFilter, { type, owner, transaction }: ChainEvent): boolean {
  if (filter.type !== undefined && filter.type !== type) return false;
  if (filter.status !== undefined && filter.status !== transaction.status) return false;
  if (filter.owner !== undefined && filter.owner !== owner) return false;
  if (filter.reference !== undefined && filter.reference !== transaction.reference) return false;
  return filter.account === undefined || filter.account === transaction.from || filter.account === transaction.to;
}
