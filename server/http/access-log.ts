/** One line a request, when its answer has left or its client has. Never a token, a signature or a body. */
import type { Clock, Logger } from '../engine/ports.ts';

import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './metrics.ts';

/** What is logged as the status of a request whose client went away unanswered, after nginx's habit. */
const CLIENT_GONE = 499;

export function watch(exchange: Exchange, logger: Logger, metrics: HttpMetrics, clock: Clock): void {
  const { request, response } = exchange;
  metrics.begin();
  response.once('close', () => {
    const durationMs = clock.monotonicMs() - exchange.startedMs;
    const status = response.headersSent ? response.statusCode : CLIENT_GONE;
    metrics.end(exchange.method, exchange.route, status, durationMs / 1000);
    const line = {
      requestId: exchange.requestId,
      method: request.method,
      route: exchange.route,
      operation: exchange.operation?.id,
      status,
      code: exchange.code,
      durationMs: Math.round(durationMs * 100) / 100,
      bytesOut: exchange.bytesOut,
      tokenId: exchange.principal?.tokenId,
      complete: response.writableFinished,
    };
    if (status >= 500) logger.warn(line, 'request');
    else logger.info(line, 'request');
  });
}
