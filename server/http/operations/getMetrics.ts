/** GET /metrics: the numbers of the process and of the gateway, as Prometheus text or as OpenMetrics. */
import { renderFamilies } from '../metric-families.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

const OPENMETRICS = 'application/openmetrics-text';

export function getMetrics({ metricFamilies }: HandlerParts): Handler<'getMetrics'> {
  return async (call) => {
    const families = await metricFamilies();
    if (call.mediaType === OPENMETRICS)
      return { status: 200, mediaType: OPENMETRICS, body: await renderFamilies(families, OPENMETRICS) };
    return { status: 200, mediaType: 'text/plain', body: await renderFamilies(families, 'text/plain') };
  };
}
