/**
 * Classes for the requests and answers of node:http that have Express's prototypes from the beginning.
 *
 * Otherwise Express changes the prototype of each request and answer when it receives them. After that V8 has no stable shape for either,
 * and every access to them is slower for the rest of their lifetime.
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
  // Express makes an object for `locals` for every request without one; it is not used here.
  Object.defineProperty(AppResponse.prototype, 'locals', { value: Object.freeze({}) });
  app.request = AppRequest.prototype as unknown as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
