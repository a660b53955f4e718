/** GET /access/addresses: one page of the addresses that are bound to an owner. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { bindingResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

const LIMIT_DEFAULT = 10;

export function listBoundAddresses({ gateway }: HandlerParts): Handler<'listBoundAddresses'> {
  return handler('listBoundAddresses', async ({ query }) => {
    const { limit = LIMIT_DEFAULT, cursor, owner } = query;
    const page = await gateway.access.listBoundAddresses({ limit, cursor, owner });
    if (!page.ok) return { refusal: page };
    const { bindings, nextCursor } = page;
    return {
      status: 200,
      body: { addresses: bindings.map(bindingResource), ...(nextCursor !== undefined && { nextCursor }) },
    };
  });
}
