/** GET /readyz: the readiness of the service, with the checks that failed. */
import type { Readiness, ReadinessCheck, Sentence } from '../../gateway/types.ts';
import { READINESS_CACHE_MS } from '../limits.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getReadiness({ gateway, clock, isEnding }: HandlerParts): Handler<'getReadiness'> {
  let shared: { untilMs: number; readiness: Promise<Readiness> } | undefined;
  return handler('getReadiness', async () => {
    const nowMs = clock.monotonicMs();
    if (shared === undefined || nowMs >= shared.untilMs)
      shared = { untilMs: nowMs + READINESS_CACHE_MS, readiness: gateway.readiness() };
    const found = await shared.readiness;
    const { ready, checks, code = 'engine_unavailable' } = isEnding() ? ending(found) : found;
    if (ready) return { status: 200, body: { status: 'ready', checks } };
    const failed = checks.filter((check) => !check.ok).map((check) => `${check.name} (${check.detail})`);
    const detail: Sentence = `The service takes no work now. These checks failed: ${failed.join(', ')}.`;
    return { problem: { code, detail, checks } };
  });
}

/** The readiness during the end: a balancer that receives it stops sending; requests until then are served. */
function ending({ checks }: Readiness): Readiness {
  const detail: ReadinessCheck['detail'] = 'the service is about to stop, and serves what comes until then';
  return {
    ready: false,
    checks: checks.map((check) => (check.name === 'accepting' ? { ...check, ok: false, detail } : check)),
    code: 'shutting_down',
  };
}
