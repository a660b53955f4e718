/**
 * The highest `Ledger-Height` that was answered, and `Ledger-Height-Min` of what is read after it. A service that never answered the first is
 * never sent the second: in a browser a header that it does not allow (CORS) would make the request fail.
 */
import type { Middleware } from 'openapi-fetch';

/** The media type of the stream of events. */
export const EVENT_STREAM = 'text/event-stream';

export function seenHeight(): Middleware {
  let highest = 0;
  return {
    onRequest({ request }) {
      // A stream begins at a place of its own, and would not be told that this is ahead of the log: the height that is, too, is refused first.
      const isStream = request.headers.get('Accept') === EVENT_STREAM;
      if (highest && request.method === 'GET' && !isStream) request.headers.set('Ledger-Height-Min', `${highest}`);
    },
    onResponse({ response }) {
      highest = Math.max(highest, Number(response.headers.get('Ledger-Height')) || 0);
    },
  };
}
