/**
 * The operations of the contract as typed calls: openapi-fetch's types, and its way of writing paths and queries.
 *
 * Not its `createClient`: middleware, methods and body formats that this package has no use for cannot be shaken off it, and a bundle that only
 * reads would be a third larger (docs/decisions/0053). A test compares the requests with those that it makes.
 */
import {
  type Client as FetchClient,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
} from 'openapi-fetch';
import type { Paths } from '../contract.ts';
import { NO_CONTENT } from './attempt.ts';

export type Api = Pick<FetchClient<Paths>, 'GET' | 'POST' | 'PATCH' | 'DELETE'>;

/** What the types above let through, as far as the operations of this contract need it. */
interface Init {
  readonly params?: {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
    header?: Record<string, string>;
  };
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly bodySerializer?: (body: unknown) => string;
  /** The body as it arrives, in place of a whole one that is JSON. */
  readonly parseAs?: 'stream';
  fetch(request: Request): Promise<Response>;
}

/** Calls below the base URL; each goes through the `fetch` that it is given, which answers with successes only. */
export function createApi(baseUrl: string): Api {
  const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer };
  const caller =
    (method: string) =>
    async (
      path: string,
      { params = {}, headers: own, body, bodySerializer = JSON.stringify, parseAs, fetch }: Init,
    ) => {
      const headers = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...own, ...params.header };
      const url = createFinalURL(path, { baseUrl, params, ...serializers });
      const response = await fetch(
        new Request(url, {
          method,
          headers,
          redirect: 'manual',
          ...(body !== undefined && { body: bodySerializer(body) }),
        }),
      );
      return { data: parseAs ? response.body : response.status === NO_CONTENT ? {} : await response.json(), response };
    };
  return {
    GET: caller('GET'),
    POST: caller('POST'),
    PATCH: caller('PATCH'),
    DELETE: caller('DELETE'),
  } as unknown as Api;
}
