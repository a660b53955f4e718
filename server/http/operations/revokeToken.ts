/** DELETE /access/tokens/{tokenId}: revokes a token. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function revokeToken({ gateway }: HandlerParts): Handler<'revokeToken'> {
  return handler('revokeToken', async ({ path, principal }) => {
    const revoked = await gateway.access.revokeToken(principal, path.tokenId);
    return revoked.ok ? { status: 204 } : { refusal: revoked };
  });
}
