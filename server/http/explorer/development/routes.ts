/**
 * What a development server tells the explorer and no other server has: the accounts with their public seeds, the token of dev.json, and the
 * last requests. These paths are not part of the contract, and elsewhere they do not exist.
 *
 * Only a page of this very origin is answered: any other page that a browser shows could otherwise have the token sent to itself by an origin
 * of CORS_ORIGINS, and a link to these paths would show it.
 */
import type { Express, Request, Response } from 'express';

import type { Answers } from '../../answer.ts';
import { limitPlain } from '../../charge.ts';
import type { Entry } from '../../entry.ts';
import type { Hosts } from '../../host.ts';
import type { RateLimits } from '../../rate-limit.ts';
import { refuseMethod } from '../../register.ts';
import type { RequestLog } from './request-log.ts';

/** Of dev.json; plain data, because it crosses threads. */
export interface DevelopmentFacts {
  readonly chainId: string;
  /** Every scope but `transactions:cancel-any`. */
  readonly token: string;
  readonly accounts: readonly { readonly name: string; readonly address: string; readonly seed: string }[];
}

export const FACTS_PATH = '/explorer/dev/facts';
export const REQUESTS_PATH = '/explorer/dev/requests';

interface DevelopmentRoutes {
  enter: Entry;
  answers: Answers;
  hosts: Hosts;
  rateLimits: RateLimits | undefined;
  facts: DevelopmentFacts;
  requests: RequestLog;
}

export function registerDevelopmentRoutes(app: Express, { enter, answers, hosts, rateLimits, facts, requests }: DevelopmentRoutes): void {
  const route = (path: string, body: (query: URLSearchParams) => unknown): void => {
    app.route(path).all((request: Request, response: Response) => {
      const exchange = enter(request, response);
      if (exchange === undefined) return undefined;
      exchange.route = path;
      if (request.method !== 'GET') return refuseMethod(exchange, { answers, hosts, rateLimits }, ['GET']);
      exchange.method = 'GET';
      const limited = limitPlain(exchange, rateLimits);
      if (limited !== undefined) return answers.problem(exchange, limited);
      if (request.headers['sec-fetch-site'] !== 'same-origin') {
        return answers.problem(exchange, { code: 'origin_not_allowed', detail: 'This path answers the pages of this service alone. Programs find the same in dev.json of the data folder.' });
      }
      exchange.corsHeaders = undefined;
      exchange.send(200, 'application/json', JSON.stringify(body(new URL(request.url, 'http://localhost').searchParams)), { 'Cross-Origin-Resource-Policy': 'same-origin' });
      return undefined;
    });
  };
  route(FACTS_PATH, () => facts);
  route(REQUESTS_PATH, (query) => {
    const after = Number(query.get('after') ?? 0);
    return { requests: requests.after(Number.isSafeInteger(after) ? after : 0) };
  });
}
