/** GET /livez: the process runs and its event loop turns; nothing else is checked. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getLiveness({ build }: HandlerParts): Handler<'getLiveness'> {
  const { version, commit } = build ?? {};
  return handler('getLiveness', async () => ({
    status: 200,
    body: { status: 'ok', ...(version !== undefined && { version }), ...(commit !== undefined && { commit }) },
  }));
}
