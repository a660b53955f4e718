/** GET /metrics: the process's registry and the gateway's numbers, in the Prometheus text format. */
import { renderGatewayMetrics } from '../metrics.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getMetrics({ gateway, registry }: HandlerParts): Handler<'getMetrics'> {
  return async () => {
    const [own, ours] = await Promise.all([registry.metrics(), gateway.metrics()]);
    return { status: 200, mediaType: 'text/plain', body: `${own}${own.endsWith('\n') ? '' : '\n'}${renderGatewayMetrics(ours)}` };
  };
}
