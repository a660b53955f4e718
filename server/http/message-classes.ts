/**
 * The classes of which node:http makes requests and answers, so that they are Express's from the beginning.
 *
 * Express gives each request and each answer another prototype when it sees it. Afterwards V8 knows neither shape any more, and every access
 * to them is slower for as long as they live.
 */
import { IncomingMessage, ServerResponse } from 'node:http';

import type { Express } from 'express';

export function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  // Express makes an object for `locals` at every request that has none; here nothing is kept there.
  Object.defineProperty(AppResponse.prototype, 'locals', { value: Object.freeze({}) });
  app.request = AppRequest.prototype as unknown as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
