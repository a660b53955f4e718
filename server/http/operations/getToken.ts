/** GET /access/tokens/{tokenId}: the rights, the limits and the expiry of a token. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { tokenResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

export function getToken({ gateway }: HandlerParts): Handler<'getToken'> {
  return handler('getToken', async ({ path }) => {
    const found = await gateway.access.getToken(path.tokenId);
    return found.ok ? { status: 200, body: tokenResource(found.token) } : { refusal: found };
  });
}
