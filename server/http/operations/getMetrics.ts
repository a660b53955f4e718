/** GET /metrics: the numbers of the process and of the gateway, in the Prometheus text format. */
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getMetrics({ metricsText }: HandlerParts): Handler<'getMetrics'> {
  return async () => ({ status: 200, mediaType: 'text/plain', body: await metricsText() });
}
