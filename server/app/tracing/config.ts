/**
 * Reads the variables of OpenTelemetry (OTEL_*) that turn tracing on, and those that would fail silently later. The exporter itself reads
 * its own (headers, certificate, time limit).
 *
 * @module
 */
import type { ConfigReader } from '../config-reader.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Structured-cloneable; it holds no secret. */
export interface TracingConfig {
  exporter: 'otlp' | 'console';
  serviceName: string;
  sampler: (typeof SAMPLERS)[number];
  /** Share of the traces that are recorded, if the sampler has one. */
  ratio: number;
  /** Spans are sent in batches, from a queue that drops those without room. */
  batchDelayMs: number;
  batchSizeMax: number;
  queueMax: number;
  exportMsMax: number;
}

/** The URL of a collector may hold a password, so an error does not repeat it. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

export const SHOWN_TRACING_VARIABLES = [
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_EXPORT_TIMEOUT',
] as const;

export const TRACING_VARIABLES = [...ENDPOINTS, ...SHOWN_TRACING_VARIABLES] as const;

/** Read by the exporter and the SDK; the headers may hold the key of a collector. */
export const EXPORTER_VARIABLES = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_RESOURCE_ATTRIBUTES',
] as const;

const SERVICE_NAME_DEFAULT = 'transaction-ledger';
/** The defaults of OpenTelemetry's specification. */
const BATCH_DELAY_MS_DEFAULT = 5_000;
const BATCH_SIZE_MAX_DEFAULT = 512;
const QUEUE_MAX_DEFAULT = 2_048;
const EXPORT_MS_MAX_DEFAULT = 30_000;
const MS_MAX = 3_600_000;
/** A span takes about 1 KB. */
const SPANS_MAX = 100_000;

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Undefined: nothing is traced, and no tracing module is loaded. */
export function readTracing(read: ConfigReader): TracingConfig | undefined {
  const isDisabled =
    read.value(
      'OTEL_SDK_DISABLED',
      (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : undefined),
      'true or false',
      'false',
    ) === 'true';
  const exporter = read.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'console', 'none'], 'otlp');
  const endpoints = ENDPOINTS.filter((name) => {
    const given = read.text(name);
    if (given !== undefined && !isWebUrl(given)) read.fault(name, 'an http or https URL such as http://127.0.0.1:4318');
    return given !== undefined;
  });
  // A service that is configured to trace for Prometheus alone, or for logs, names no endpoint.
  const isWanted =
    exporter === 'console' ||
    (exporter === 'otlp' && (endpoints.length > 0 || read.text('OTEL_TRACES_EXPORTER') !== undefined));
  if (isDisabled || !isWanted) return undefined;
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    read.oneOf(name, ['http/protobuf'], 'http/protobuf');
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on');
  const ratio = read.value(
    'OTEL_TRACES_SAMPLER_ARG',
    (text) => (/^(0|1|0?\.[0-9]+|1\.0+|0\.0*)$/.test(text) ? Number(text) : undefined),
    'a number from 0 to 1',
    1,
  );
  const ms = { min: 1, max: MS_MAX, unit: 'milliseconds' };
  const spans = { min: 1, max: SPANS_MAX, unit: 'spans' };
  return {
    exporter: exporter === 'console' ? 'console' : 'otlp',
    serviceName: read.text('OTEL_SERVICE_NAME') ?? SERVICE_NAME_DEFAULT,
    sampler,
    ratio,
    batchDelayMs: read.integer('OTEL_BSP_SCHEDULE_DELAY', ms, BATCH_DELAY_MS_DEFAULT),
    batchSizeMax: read.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', spans, BATCH_SIZE_MAX_DEFAULT),
    queueMax: read.integer('OTEL_BSP_MAX_QUEUE_SIZE', spans, QUEUE_MAX_DEFAULT),
    exportMsMax: read.integer('OTEL_BSP_EXPORT_TIMEOUT', ms, EXPORT_MS_MAX_DEFAULT),
  };
}
