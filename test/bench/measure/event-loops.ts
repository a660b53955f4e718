/**
 * How long an event loop was blocked, as /metrics tells: prom-client measures each with a timer of 10 ms and forgets its maximum at each scrape.
 * A thread that exports nothing is absent; `probeLiveness` shows from outside how long the thread that answers did not.
 */
import { call } from '../../e2e/support/server.ts';
import { Connection } from '../load/connection.ts';
import { requestBytes } from '../load/request-bytes.ts';

const MS_PER_S = 1000;
/** The timer's own interval, which stands in the measured value. */
const SAMPLE_MS = 10;
const LAG_MAX = /^nodejs_eventloop_lag_max_seconds(?:\{([^}]*)\})? (\S+)/gm;

/** Thread -> milliseconds beyond the timer's interval. */
export function parseLags(metrics: string): Record<string, number> {
  const lags: Record<string, number> = {};
  for (const [, labels, seconds] of metrics.matchAll(LAG_MAX)) {
    const thread = /thread="([^"]*)"/.exec(labels ?? '')?.[1] ?? 'main';
    lags[thread] = Math.max(lags[thread] ?? 0, Number(seconds) * MS_PER_S - SAMPLE_MS, 0);
  }
  return lags;
}

/** The longest since the last time this was asked. */
export async function eventLoopMaxMs(baseUrl: string): Promise<Record<string, number>> {
  return parseLags(String((await call(`${baseUrl}/metrics`)).body));
}

const PROBE_MS = 50;

/** Asks /livez 20 times a second until it is stopped. @returns the longest answer, milliseconds. */
export async function probeLiveness(port: number): Promise<{ stop(): number }> {
  const connection = await Connection.open(port);
  const bytes = requestBytes({ port, path: '/livez' });
  let askedMs: number | undefined;
  let maxMs = 0;
  connection.onResponse = () => {
    maxMs = Math.max(maxMs, performance.now() - (askedMs ?? performance.now()));
    askedMs = undefined;
  };
  const timer = setInterval(() => {
    if (askedMs !== undefined) return;
    askedMs = performance.now();
    connection.send(bytes);
  }, PROBE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      connection.close();
      return askedMs === undefined ? maxMs : Math.max(maxMs, performance.now() - askedMs);
    },
  };
}
