/** GET /livez: the process runs and its event loop turns; nothing else is asked. */
import type { Handler } from '../typed/types.ts';

export function getLiveness(): Handler<'getLiveness'> {
  return async () => ({ status: 200, body: { status: 'ok' } });
}
