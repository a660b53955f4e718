/** DELETE /access/addresses/{address}: tokens of every owner can submit for the address again. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function unbindAddress({ gateway }: HandlerParts): Handler<'unbindAddress'> {
  return handler('unbindAddress', async ({ path, principal }) => {
    const unbound = await gateway.access.unbindAddress(principal, path.address);
    return unbound.ok ? { status: 204 } : { refusal: unbound };
  });
}
