/** Checks the filters of an endpoint: addresses of this chain, types that exist. */
import type { ChainContext } from '../../ledger/index.ts';
import { parseAddress } from '../../ledger/index.ts';
import type { WebhookFilters } from '../../store/webhooks/types.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { refuse, refuseAddress } from '../refusals.ts';
import type { FieldError, Refusal } from '../types.ts';
import type { NewWebhook } from './api.ts';

/** Returns the first fault in them. With a type that no event has, nothing would ever be sent to the endpoint. */
export function filterFault(
  { types = [], accounts = [] }: Partial<NewWebhook>,
  { addressPrefix }: Pick<ChainContext, 'addressPrefix'>,
): Refusal | undefined {
  const unknown = types.flatMap((type, at): FieldError[] =>
    (EVENT_TYPES as readonly string[]).includes(type)
      ? []
      : [{ pointer: `/types/${at}`, message: `There is no event of this type. There are ${EVENT_TYPES.join(', ')}.` }],
  );
  const [first] = unknown;
  if (first !== undefined) return refuse('invalid_request', first.message, { errors: unknown });
  for (const [at, account] of accounts.entries()) {
    const parsed = parseAddress(account, addressPrefix);
    if (!parsed.ok) return refuseAddress(`/accounts/${at}`, parsed, addressPrefix);
  }
  return undefined;
}

/** The earlier filters with the changes of the request. A member that filters nothing is dropped. */
export function filtersWith(before: WebhookFilters, asked: Partial<NewWebhook>): WebhookFilters {
  const types = asked.types ?? before.types ?? [];
  const accounts = asked.accounts ?? before.accounts ?? [];
  const submittedOnly = asked.submittedOnly ?? before.submittedOnly ?? false;
  return {
    ...(types.length > 0 && { types: [...new Set(types)] }),
    ...(accounts.length > 0 && { accounts: [...new Set(accounts)] }),
    ...(submittedOnly && { submittedOnly }),
  };
}
