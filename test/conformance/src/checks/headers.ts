/** Headers that every answer has, or none. */
import type { Check } from '../check.ts';
import { expect, expectEqual, Skipped } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Session } from '../session.ts';

const WHERE = 'the description of the contract: every answer';
const UNKNOWN = `/transactions/${'EF'.repeat(32)}`;

/** A success, a refusal of the rules, one of HTTP, a path that does not exist, and the chain's RPC. */
async function answers(session: Session, headers: Record<string, string> = {}): Promise<Answer[]> {
  return Promise.all([
    session.call('/transactions?limit=1', { headers }),
    session.call('/chain', { headers }),
    session.call(UNKNOWN, { headers }),
    session.call('/transactions?limit=0', { headers }),
    session.call('/transactions', { headers: { ...headers, authorization: '' } }),
    session.call('/no-such-path', { headers }),
    session.call('/rpc/status', { headers }),
  ]);
}

function each(
  id: string,
  promise: string,
  look: (answer: Answer, name: string) => void,
  headers: Record<string, string> = {},
): Check {
  return {
    id: `headers.${id}`,
    promise,
    where: WHERE,
    run: async (session) => {
      for (const answer of await answers(session, headers))
        look(answer, `${answer.method} ${answer.path}, ${answer.status}`);
    },
  };
}

export const HEADER_CHECKS: readonly Check[] = [
  each('no-store', 'answers are not to be kept: Cache-Control: no-store', ({ headers }, name) =>
    expectEqual(headers['cache-control'], 'no-store', name),
  ),
  each('nosniff', 'X-Content-Type-Options: nosniff', ({ headers }, name) =>
    expectEqual(headers['x-content-type-options'], 'nosniff', name),
  ),
  each('request-id', 'every answer has an X-Request-Id', ({ headers }, name) =>
    expect(headers['x-request-id'] !== undefined && headers['x-request-id'] !== '', name),
  ),
  each(
    'request-id-echo',
    'the X-Request-Id of a request comes back',
    ({ headers }, name) => expectEqual(headers['x-request-id'], 'conformance-1', name),
    {
      'x-request-id': 'conformance-1',
    },
  ),
  each('no-banner', 'no answer says what it is made with', ({ headers }, name) => {
    expectEqual(
      [headers['x-powered-by'], headers.server],
      [undefined, undefined],
      `X-Powered-By and Server of ${name}`,
    );
  }),
  each('no-cors', 'an answer is open to no web page', ({ headers }, name) =>
    expectEqual(headers['access-control-allow-origin'], undefined, name),
  ),
  {
    id: 'headers.rate-limit',
    promise: 'RateLimit and RateLimit-Policy stand on every answer where a limit applies',
    where: 'docs/PARTNERS.md, Limits',
    run: async (session) => {
      // What does not exist is no operation.
      const all = (await answers(session)).filter(({ path }) => path !== '/no-such-path');
      if (all.every(({ headers }) => headers['ratelimit'] === undefined && headers['ratelimit-policy'] === undefined))
        throw new Skipped('the server has its rate limits switched off');
      for (const { headers, path } of all)
        expect(
          headers['ratelimit'] !== undefined && headers['ratelimit-policy'] !== undefined,
          `${path} has no RateLimit and RateLimit-Policy, others have`,
        );
    },
  },
  {
    id: 'headers.media-type',
    promise: 'answers are application/json, in UTF-8',
    where: 'the contract',
    run: async (session) => {
      for (const path of ['/chain', '/transactions?limit=1', '/rpc/status'])
        expectEqual(
          (await session.call(path)).headers['content-type'],
          'application/json',
          `the media type of ${path}`,
        );
    },
  },
];
