/** GET /metrics: metrics of the process and of the gateway, as Prometheus text or as OpenMetrics. */
import { type MetricsFormat, renderFamilies } from '../metric-families.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

const OPENMETRICS = 'application/openmetrics-text';

export function getMetrics({ metricFamilies }: HandlerParts): Handler<'getMetrics'> {
  /** Requests that arrive while a text is being made share that text: it takes milliseconds of every thread. */
  const underWay = new Map<MetricsFormat, Promise<string>>();
  const textOf = (format: MetricsFormat): Promise<string> => {
    const known = underWay.get(format);
    if (known !== undefined) return known;
    const made = metricFamilies()
      .then((families) => renderFamilies(families, format))
      .finally(() => underWay.delete(format));
    underWay.set(format, made);
    return made;
  };
  return handler('getMetrics', async (call) => {
    if (call.mediaType === OPENMETRICS) return { status: 200, mediaType: OPENMETRICS, body: await textOf(OPENMETRICS) };
    return { status: 200, mediaType: 'text/plain', body: await textOf('text/plain') };
  });
}
