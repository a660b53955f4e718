/** Metrics of the HTTP layer, in Prometheus base units (seconds, bytes) and names. */
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

import type { ConnectionFigures } from './connections/connections.ts';
import type { StreamEnd } from './events/event-stream.ts';

/** From half a millisecond, the cost of one commit, to the longest `Prefer: wait`. */
const DURATION_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  observe(seconds: number): void;
}

export class HttpMetrics {
  readonly #duration: Histogram<'method' | 'route' | 'status'>;
  readonly #registry: Registry;
  readonly #violations: Counter;
  readonly #problems: Counter<'code'>;
  readonly #websocketsCutOff: Counter<'reason'>;
  readonly #subscriptionsEnded: Counter;
  readonly #eventStreamsEnded: Counter<'reason'>;
  readonly #eventsSent: Counter;
  /** Keeps the label sets, of which there are few, because looking one up costs more than counting. */
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();
  #inFlight = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request headers to the end of the answer, by route template.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS_S,
      registers,
    });
    this.#gauge('http_requests_in_flight', 'Requests that have not been answered yet.', () => this.#inFlight);
    this.#violations = new Counter({
      name: 'http_contract_violations_total',
      help: 'Answers that did not fit the contract. Each is a defect of the server.',
      registers,
    });
    this.#problems = new Counter({
      name: 'http_problems_total',
      help: 'Problems that were answered, by the code that the contract gives them.',
      labelNames: ['code'],
      registers,
    });
    this.#websocketsCutOff = new Counter({
      name: 'rpc_websockets_cut_off_total',
      help: 'Websockets that the service closed, by reason: slow, stalled, backlog, token or flood.',
      labelNames: ['reason'],
      registers,
    });
    this.#subscriptionsEnded = new Counter({
      name: 'rpc_subscriptions_ended_total',
      help: 'Subscriptions that the service ended because they cost too much of a block.',
      registers,
    });
    this.#eventStreamsEnded = new Counter({
      name: 'event_streams_ended_total',
      help: 'Streams of events that ended, by reason: client, stalled, token or drain.',
      labelNames: ['reason'],
      registers,
    });
    this.#eventsSent = new Counter({ name: 'events_sent_total', help: 'Events written to streams.', registers });
  }

  eventStreamEnded(reason: StreamEnd): void {
    this.#eventStreamsEnded.inc({ reason });
  }

  eventsSent(events: number): void {
    this.#eventsSent.inc(events);
  }

  watchEventStreams(count: () => { open: number; behind: number }): void {
    this.#gauge('event_streams', 'Streams of events that are open at /events.', () => count().open);
    this.#gauge(
      'event_streams_behind',
      'Of these, the ones that read earlier events before they get new ones.',
      () => count().behind,
    );
  }

  begin(): void {
    this.#inFlight += 1;
  }

  /** `method` is one that the route has, or `other`: a client must not choose a label. */
  end(method: string, route: string, status: number, seconds: number): void {
    this.#inFlight -= 1;
    const series = this.#series.get(route)?.get(method)?.get(status) ?? this.#newSeries(method, route, status);
    series.observe(seconds);
  }

  #newSeries(method: string, route: string, status: number): Series {
    const series = this.#duration.labels(method, route, String(status));
    const ofRoute = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>();
    this.#series.set(route, ofRoute.set(method, ofMethod.set(status, series)));
    return series;
  }

  /** `code` is one of the contract's. */
  problem(code: string): void {
    this.#problems.inc({ code });
  }

  /** `reason` is one of a few constants. */
  websocketCutOff(reason: string): void {
    this.#websocketsCutOff.inc({ reason });
  }

  subscriptionsEnded(count: number): void {
    this.#subscriptionsEnded.inc(count);
  }

  watchWebsockets(count: () => { connections: number; subscriptions: number; unsentBytes: number }): void {
    this.#gauge('rpc_websockets', 'Websockets that are open at /rpc/websocket.', () => count().connections);
    this.#gauge('rpc_subscriptions', 'Subscriptions of all open websockets.', () => count().subscriptions);
    this.#gauge(
      'rpc_websocket_unsent_bytes',
      'Bytes that wait to be read by the peers of all open websockets.',
      () => count().unsentBytes,
    );
  }

  watchConnections(figures: () => ConnectionFigures): void {
    this.#gauge('http_connections', 'Connections that are open, those of websockets included.', () => figures().open);
    this.#gauge(
      'http_unsent_bytes',
      'Bytes of answers that the kernel has not taken yet, or that are reserved for answers being made.',
      () => figures().unsentBytes,
    );
    const refused: Counter = new Counter({
      name: 'http_connections_refused_total',
      help: 'Connections that were not taken because too many were open, altogether or of their address.',
      registers: [this.#registry],
      collect: () => {
        refused.reset();
        refused.inc(figures().refused);
      },
    });
    const cut: Counter<'reason'> = new Counter({
      name: 'http_connections_cut_off_total',
      help: 'Connections that the service ended, by reason: no_progress, not_closed, pipelined or idle.',
      labelNames: ['reason'],
      registers: [this.#registry],
      collect: () => {
        cut.reset();
        for (const [reason, times] of Object.entries(figures().cut)) cut.inc({ reason }, times);
      },
    });
  }

  /** Registers a gauge that is read at each scrape. */
  #gauge(name: string, help: string, value: () => number): Gauge {
    return new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(value());
      },
    });
  }

  violation(): void {
    this.#violations.inc();
  }
}
