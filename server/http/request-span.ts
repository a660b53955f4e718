/**
 * The span of a request, by OpenTelemetry's conventions for HTTP servers. It has the path, but no headers, query or body, which hold
 * tokens, signatures and payments. The client is named only in the log.
 */
import type { Tracer } from '../engine/ports.ts';

import type { Exchange } from './exchange.ts';
import { traceparentOf } from './traceparent.ts';

/** Requested every few seconds by machines: their spans would hide the others. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);
/** The length that W3C Trace Context requires systems to propagate at least (section 3.3.1.5); a longer one is dropped as a whole. */
const TRACESTATE_CHARACTERS_MAX = 512;
/** Route of a request to an unknown path, which may contain anything, such as a token pasted into the wrong place. */
const UNMATCHED = 'unmatched';

export function traceRequest(exchange: Exchange, tracer: Tracer): void {
  const { request, startedMs } = exchange;
  if (PROBES.has(pathOf(request.url))) return;
  const { traceparent, tracestate } = request.headers;
  const parent = traceparentOf(traceparent);
  const state =
    parent !== undefined && typeof tracestate === 'string' && tracestate.length <= TRACESTATE_CHARACTERS_MAX
      ? tracestate
      : undefined;
  exchange.span = tracer.begin({ name: 'HTTP', kind: 'server', parent, tracestate: state, startedMs });
}

/** Ends the span; for an answer without an end of its own, when it begins. Further calls do nothing. */
export function endRequestSpan(exchange: Exchange, status: number): void {
  const { span, request, route, method } = exchange;
  if (span === undefined || exchange.isSpanEnded) return;
  exchange.isSpanEnded = true;
  const isMatched = route !== UNMATCHED;
  span.set({
    'http.request.method': method === 'other' ? '_OTHER' : method,
    'http.response.status_code': status,
    'url.scheme': request.secure ? 'https' : 'http',
    'url.path': isMatched ? pathOf(exchange.target) : undefined,
    'http.route': isMatched ? route : undefined,
    'error.type': status >= 500 ? (exchange.code ?? String(status)) : undefined,
    'txledger.problem.code': exchange.code,
    'txledger.tx_hash': exchange.txHash,
  });
  span.end({ name: isMatched ? `${method} ${route}` : method === 'other' ? 'HTTP' : method, failed: status >= 500 });
}

function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}
