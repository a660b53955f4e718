/**
 * The answer of /metrics: metrics of every thread as data, put together and written in one of the two formats that Prometheus reads.
 *
 * They are sent between threads as data. The thread that answers formats them, because only it has the requested format.
 */
import { AggregatorRegistry, Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** One metric with all its series, in prom-client's form. Structured-cloneable. */
export interface MetricFamily {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** `metricName` if it differs from the family's: `_bucket`, `_sum` and `_count`. */
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
  /** The rule that combines the values of several threads. */
  aggregator: string;
}

export type MetricsFormat = 'text/plain' | 'application/openmetrics-text';

/**
 * Gauges that prom-client names like counters. `promtool check metrics` refuses them, and no parser accepts them as OpenMetrics. Their
 * counts (handles, requests of libuv) say little about this service.
 */
const MISNAMED: ReadonlySet<string> = new Set([
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]);

export async function familiesOf(registry: Pick<Registry, 'getMetricsAsJSON'>): Promise<MetricFamily[]> {
  const all = (await registry.getMetricsAsJSON()) as unknown as MetricFamily[];
  // prom-client's mean of no measurements, as between two scrapes at once, is written as `Nan`, which OpenMetrics does not have.
  return all
    .filter(({ name }) => !MISNAMED.has(name))
    .map((family) => ({ ...family, values: family.values.filter(({ value }) => !Number.isNaN(value)) }));
}

/** Adds the counts of several threads up. */
export function addUp(threads: readonly (readonly MetricFamily[])[]): Promise<MetricFamily[]> {
  return familiesOf(
    AggregatorRegistry.aggregate(threads as unknown as MetricObjectWithValues<MetricValue<string>>[][]),
  );
}

const CONTENT_TYPES = {
  'text/plain': Registry.PROMETHEUS_CONTENT_TYPE,
  'application/openmetrics-text': Registry.OPENMETRICS_CONTENT_TYPE,
} as const;
const COUNTER_SUFFIX = /_total$/;

/** In OpenMetrics the name of a counter lacks the suffix of its samples, which prom-client adds to every name. */
export async function renderFamilies(families: readonly MetricFamily[], format: MetricsFormat): Promise<string> {
  const registry: Pick<
    Registry<(typeof CONTENT_TYPES)[MetricsFormat]>,
    'setContentType' | 'registerMetric' | 'metrics'
  > = new Registry();
  registry.setContentType(CONTENT_TYPES[format]);
  for (const family of families) {
    const isRenamed = format === 'application/openmetrics-text' && family.type === 'counter';
    const shown = isRenamed ? { ...family, name: family.name.replace(COUNTER_SUFFIX, '') } : family;
    registry.registerMetric({ ...shown, get: async () => shown } as unknown as Parameters<
      typeof registry.registerMetric
    >[0]);
  }
  return await registry.metrics();
}
