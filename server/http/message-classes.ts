/**
 * The classes that node:http uses for requests and answers, so that they are Express's from the beginning.
 *
 * Express gives each request and each answer another prototype when it receives it. After that V8 has no stable shape for either, and every
 * access to them is slower for the rest of their lifetime.
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
