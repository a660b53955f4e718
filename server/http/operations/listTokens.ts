/** GET /access/tokens: one page of tokens, without their secrets. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { tokenResource } from './access-resource.ts';
import type { HandlerParts } from './parts.ts';

const LIMIT_DEFAULT = 10;

export function listTokens({ gateway }: HandlerParts): Handler<'listTokens'> {
  return handler('listTokens', async ({ query }) => {
    const { limit = LIMIT_DEFAULT, state = 'usable', cursor, owner } = query;
    const page = await gateway.access.listTokens({ limit, state, cursor, owner });
    if (!page.ok) return { refusal: page };
    const { tokens, nextCursor } = page;
    return {
      status: 200,
      body: { tokens: tokens.map(tokenResource), ...(nextCursor !== undefined && { nextCursor }) },
    };
  });
}
