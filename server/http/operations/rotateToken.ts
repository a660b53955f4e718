/** POST /access/tokens/{tokenId}/rotate: a new token in place of another one, which stays valid for a while. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { tokenLocation, tokenResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

/** One day, the default of the contract. */
const OVERLAP_S_DEFAULT = 86_400;

export function rotateToken({ gateway, publicUrl }: HandlerParts): Handler<'rotateToken'> {
  return handler('rotateToken', async ({ path, body, principal }) => {
    const rotated = await gateway.access.rotateToken(principal, path.tokenId, {
      overlapSeconds: body.overlapSeconds ?? OVERLAP_S_DEFAULT,
      expiresInSeconds: body.expiresInSeconds,
    });
    if (!rotated.ok) return { refusal: rotated };
    const { token, text, replaced } = rotated;
    return {
      status: 201,
      body: { made: { ...tokenResource(token), token: text }, replaced: tokenResource(replaced) },
      headers: { Location: tokenLocation(token.id, '../', publicUrl) },
    };
  });
}
