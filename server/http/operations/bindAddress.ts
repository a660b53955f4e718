/** PUT /access/addresses/{address}: from then on only tokens of this owner can submit and cancel for the address. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { bindingResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

export function bindAddress({ gateway }: HandlerParts): Handler<'bindAddress'> {
  return handler('bindAddress', async ({ path, body, principal }) => {
    const bound = await gateway.access.bindAddress(principal, path.address, body.owner, body.replace ?? false);
    return bound.ok ? { status: 200, body: bindingResource(bound.binding) } : { refusal: bound };
  });
}
