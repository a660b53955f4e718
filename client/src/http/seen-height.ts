/**
 * The highest `Ledger-Height` that was answered, and `Ledger-Height-Min` of what is read after it. A service that never answered the first is
 * never sent the second: in a browser a header that it does not allow (CORS) would make the request fail.
 */
import type { Middleware } from 'openapi-fetch';

export function seenHeight(): Middleware {
  let highest = 0;
  return {
    onRequest({ request }) {
      if (highest && request.method === 'GET') request.headers.set('Ledger-Height-Min', `${highest}`);
    },
    onResponse({ response }) {
      highest = Math.max(highest, Number(response.headers.get('Ledger-Height')) || 0);
    },
  };
}
