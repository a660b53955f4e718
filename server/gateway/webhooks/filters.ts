/** What a client asks an endpoint to be told of, judged: addresses of this chain, types that there are. */
import type { ChainContext } from '../../ledger/index.ts';
import { parseAddress } from '../../ledger/index.ts';
import type { WebhookFilters } from '../../store/webhooks/types.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { refuse, refuseAddress } from '../refusals.ts';
import type { FieldError, Refusal } from '../types.ts';
import type { NewWebhook } from './api.ts';

/** The first thing that is wrong with them. A type that no event has would be an endpoint that nothing is ever sent to. */
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

/** Those before with what the request changes. Nothing that does not filter is kept. */
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
