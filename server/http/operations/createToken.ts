/** POST /access/tokens: a token and its text, which no other answer shows. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { limitsOf, tokenLocation, tokenResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

export function createToken({ gateway, publicUrl }: HandlerParts): Handler<'createToken'> {
  return handler('createToken', async ({ body, principal }) => {
    const { limits, ...wanted } = body;
    const made = await gateway.access.createToken(principal, { ...wanted, limits: limitsOf(limits) });
    if (!made.ok) return { refusal: made };
    return {
      status: 201,
      body: { ...tokenResource(made.token), token: made.text },
      headers: { Location: tokenLocation(made.token.id, './tokens/', publicUrl) },
    };
  });
}
