/**
 * Keeps the highest `Ledger-Height` of all answers and sends it as `Ledger-Height-Min` with later reads. A service that never sent the
 * first never gets the second: in a browser a header that the service does not allow (CORS) would make the request fail.
 */
import type { Middleware } from 'openapi-fetch';

/** The media type of the stream of events. */
export const EVENT_STREAM = 'text/event-stream';

export function seenHeight(): Middleware {
  let highest = 0;
  return {
    onRequest({ request }) {
      // A stream begins at its own `after`. With both headers, a place ahead of the log would get the refusal of the height instead of its
      // own.
      const isStream = request.headers.get('Accept') === EVENT_STREAM;
      if (highest && request.method === 'GET' && !isStream) request.headers.set('Ledger-Height-Min', `${highest}`);
    },
    onResponse({ response }) {
      highest = Math.max(highest, Number(response.headers.get('Ledger-Height')) || 0);
    },
  };
}
