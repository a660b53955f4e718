/**
 * Tracing by OpenTelemetry's SDK, one tracer for each thread that makes spans. It is loaded only if OTEL_* turns tracing on.
 *
 * Contexts are passed explicitly: a span's parent is a span on this thread, or the traceparent that another thread sent with the work.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type HrTime,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Clock, Logger, Span, SpanAttributes, SpanStart, Tracer } from '../../engine/ports.ts';
import { VERSION } from '../version.ts';
import type { TracingConfig } from './config.ts';

export interface OpenTracer extends Tracer {
  /** Sends the waiting spans, or drops them after FLUSH_MS_MAX. Never fails. */
  close(): Promise<void>;
}

/**
 * Longest flush at the end of a thread. HTTP threads end together and the gateway's after them, so the stop of the service waits at most
 * twice as long: no payment depends on it.
 */
export const FLUSH_MS_MAX = 1_000;
/** Least time between two log lines about the exporter. Without it an unreachable collector would be logged with every batch. */
const COMPLAINT_MS_MIN = 60_000;
/** An attribute is an id, a name or a path; a longer one is cut. */
const ATTRIBUTE_CHARACTERS_MAX = 256;
const MS_PER_S = 1000;
const NS_PER_MS = 1_000_000;

export function openTracer(
  config: TracingConfig,
  { clock, logger, chainId }: { clock: Clock; logger: Logger; chainId: string },
): OpenTracer {
  complainInto(logger, clock);
  const { batchDelayMs, batchSizeMax, queueMax, exportMsMax } = config;
  const exporter = config.exporter === 'console' ? new ConsoleSpanExporter() : new OTLPTraceExporter();
  const own = resourceFromAttributes({
    'service.name': config.serviceName,
    'service.version': VERSION,
    'txledger.chain.id': chainId,
  });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME is in both. OTEL_RESOURCE_ATTRIBUTES may name another service only if it is unset.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARACTERS_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: batchDelayMs,
        maxExportBatchSize: Math.min(batchSizeMax, queueMax),
        maxQueueSize: queueMax,
        exportTimeoutMillis: exportMsMax,
      }),
    ],
  });
  const tracer = provider.getTracer('transaction-ledger', VERSION);
  const running = new AsyncLocalStorage<Span>();
  const timeOf = (monotonicMs: number): HrTime => {
    const ms = performance.timeOrigin + performance.now() - (clock.monotonicMs() - monotonicMs);
    const seconds = Math.floor(ms / MS_PER_S);
    return [seconds, Math.round((ms - seconds * MS_PER_S) * NS_PER_MS)];
  };

  return {
    active: () => running.getStore(),
    begin: ({ name, kind, parent, tracestate, startedMs = clock.monotonicMs(), attributes = {} }) => {
      const options = {
        kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: timeOf(startedMs),
        attributes: present(attributes),
      };
      return new RunningSpan(tracer.startSpan(name, options, contextOf(parent, tracestate)), running, timeOf, clock);
    },
    close: async () => {
      // The error is in the log already.
      const flushed = provider.shutdown().catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([flushed, new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS_MAX)))]);
      clearTimeout(timer);
    },
  };
}

class RunningSpan implements Span {
  readonly #span: OtelSpan;
  readonly #running: AsyncLocalStorage<Span>;
  readonly #timeOf: (monotonicMs: number) => HrTime;
  readonly #clock: Clock;

  constructor(span: OtelSpan, running: AsyncLocalStorage<Span>, timeOf: (monotonicMs: number) => HrTime, clock: Clock) {
    this.#span = span;
    this.#running = running;
    this.#timeOf = timeOf;
    this.#clock = clock;
  }

  get context(): Context {
    return trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string | undefined {
    if (!this.#span.isRecording()) return undefined;
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(present(attributes));
  }

  run<T>(work: () => T): T {
    return this.#running.run(this, work);
  }

  end({
    name,
    failed = false,
    endedMs = this.#clock.monotonicMs(),
  }: { name?: string; failed?: boolean; endedMs?: number } = {}): void {
    if (name !== undefined) this.#span.updateName(name);
    if (failed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(this.#timeOf(endedMs));
  }
}

function contextOf(parent: SpanStart['parent'], tracestate: string | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  if (parent instanceof RunningSpan) return parent.context;
  if (typeof parent !== 'string') throw new TypeError('a span of another tracer');
  const [, traceId = '', spanId = '', flags = '00'] = parent.split('-');
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...state,
  });
}

function present(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  const root =
    name === 'always_off'
      ? new AlwaysOffSampler()
      : name === 'traceidratio'
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler();
  return parentBased === undefined ? root : new ParentBasedSampler({ root });
}

/** Writes the exporter's complaints to the service's log, at most one in COMPLAINT_MS_MIN: it has one for every batch. */
function complainInto(logger: Logger, clock: Clock): void {
  let lastMs = Number.NEGATIVE_INFINITY;
  const complain = (message: string): void => {
    const nowMs = clock.monotonicMs();
    if (nowMs - lastMs < COMPLAINT_MS_MIN) return;
    lastMs = nowMs;
    logger.warn(
      { reason: message.slice(0, ATTRIBUTE_CHARACTERS_MAX) },
      'traces could not be exported; the service goes on without them',
    );
  };
  const nothing = (): void => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: nothing, debug: nothing, verbose: nothing },
    DiagLogLevel.WARN,
  );
}
