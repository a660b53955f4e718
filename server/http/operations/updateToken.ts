/** PATCH /access/tokens/{tokenId}: changes limits or expiry. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { limitsOf, tokenResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

export function updateToken({ gateway }: HandlerParts): Handler<'updateToken'> {
  return handler('updateToken', async ({ path, body, principal }) => {
    const updated = await gateway.access.updateToken(principal, path.tokenId, {
      expiresInSeconds: body.expiresInSeconds,
      limits: limitsOf(body.limits),
    });
    return updated.ok ? { status: 200, body: tokenResource(updated.token) } : { refusal: updated };
  });
}
