/** Routes the explorer: its page at `/`, its files, and on a development server the facts for it. */
import type { Express } from 'express';

import type { Exchange } from '../exchange.ts';
import { type PlainParts, registerPlain } from '../register.ts';
import { matches, takesGzip } from '../stored.ts';
import { loadAssets, type Asset, type ExplorerMode } from './assets.ts';
import { mayLearnDevelopment, type ExplorerDevelopment } from './development.ts';
import type { RequestLog } from './request-log.ts';

export interface ExplorerRoutes extends PlainParts {
  /** Only on a development server. */
  development: ExplorerDevelopment | undefined;
  /** Only on a development server: its last requests. */
  requests: RequestLog | undefined;
}

/** Only resources of this service are loaded and requested. Nothing is framed or posted, and only the one script is run. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
/** Revalidated at each request: page and script of two versions must never be mixed. */
const REVALIDATED = { ...HEADERS, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };

export function registerExplorer(app: Express, parts: ExplorerRoutes): void {
  const { answers, development, requests } = parts;
  const route = (path: string, show: (exchange: Exchange) => void): void => registerPlain(app, path, path, parts, show);
  for (const asset of loadAssets(modeOf(development)))
    route(`/${asset.path}`, (exchange) => sendAsset(exchange, asset));
  if (development !== undefined) {
    const tell = (path: string, json: (query: URLSearchParams) => string): void => {
      route(path, (exchange) => {
        const { headers, socket, url } = exchange.request;
        if (mayLearnDevelopment(headers, socket.remoteAddress))
          exchange.send(200, 'application/json', json(new URL(url, 'http://localhost').searchParams), HEADERS);
        else
          answers.problem(exchange, {
            code: 'not_found',
            detail: 'This is only for the explorer of a development server, on the machine that runs it.',
          });
      });
    };
    const facts = JSON.stringify({ token: development.token, accounts: development.accounts });
    tell('/explorer/development.json', () => facts);
    tell('/explorer/requests.json', (query) =>
      JSON.stringify({ requests: requests?.after(Number(query.get('after') ?? 0) || 0) ?? [] }),
    );
  }
}

function modeOf(development: ExplorerDevelopment | undefined): ExplorerMode {
  if (development === undefined) return 'production';
  return development.isPublic ? 'public-development' : 'development';
}

function sendAsset(exchange: Exchange, { mediaType, plain, gzipped, etag }: Asset): void {
  const { headers } = exchange.request;
  const answer = { ...REVALIDATED, ETag: etag };
  if (matches(headers['if-none-match'], etag)) exchange.send(304, undefined, '', answer);
  else if (takesGzip(headers['accept-encoding']))
    exchange.send(200, mediaType, gzipped, { ...answer, 'Content-Encoding': 'gzip' });
  else exchange.send(200, mediaType, plain, answer);
}
