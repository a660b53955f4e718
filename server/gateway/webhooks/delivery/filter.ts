/** Filter of an endpoint: it lets through the events that match all of its conditions. */
import type { DeliveredEvent, Endpoint } from './ports.ts';

export type EventFilter = (event: DeliveredEvent) => boolean;

export function filterOf({
  types,
  accounts,
  submittedOnly,
  owner,
}: Pick<Endpoint, 'types' | 'accounts' | 'submittedOnly' | 'owner'>): EventFilter {
  const wantedTypes = types && new Set(types);
  const wantedAccounts = accounts && new Set(accounts);
  return (event) => {
    if (wantedTypes && !wantedTypes.has(event.type)) return false;
    if (submittedOnly === true && event.owner !== owner) return false;
    const { from, to } = event.transaction;
    return !wantedAccounts || wantedAccounts.has(from) || (to !== undefined && wantedAccounts.has(to));
  };
}
