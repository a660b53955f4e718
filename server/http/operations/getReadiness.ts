/** GET /readyz: whether the service can take work, and if not, what is in the way. */
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getReadiness({ gateway }: HandlerParts): Handler<'getReadiness'> {
  return async () => {
    const { ready, checks, code = 'engine_unavailable' } = await gateway.readiness();
    if (ready) return { status: 200, body: { status: 'ready', checks } };
    const failed = checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`);
    return { problem: { code, detail: `The service takes no work now. ${failed.join('; ')}`, checks } };
  };
}
