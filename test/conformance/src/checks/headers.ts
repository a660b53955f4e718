/** Headers that every answer has, or none. */
import type { Check } from '../check.ts';
import { expect, expectEqual, Skipped } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Session } from '../session.ts';

const WHERE = 'the description of the contract: every answer';
const REQUEST_ID_CHARS_MAX = 128;
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
  {
    id: 'headers.request-id-bounds',
    promise:
      'an X-Request-Id of 1 to 128 letters, digits, dots, dashes and underscores is echoed, any other is replaced',
    where: 'the contract, the parameter X-Request-Id',
    run: async (session) => {
      const named = async (id: string): Promise<Answer> => session.call('/chain', { headers: { 'x-request-id': id } });
      for (const id of ['a', 'AZ.az_09-', 'x'.repeat(REQUEST_ID_CHARS_MAX)])
        expectEqual((await named(id)).headers['x-request-id'], id, 'the X-Request-Id of an answer');
      for (const id of ['x'.repeat(REQUEST_ID_CHARS_MAX + 1), 'a b', 'a/b', '<b>']) {
        const { status, headers } = await named(id);
        expectEqual([status, headers['x-request-id'] === id], [200, false], `status, and whether ${id} is echoed`);
        expect(/^[\w.-]{1,128}$/.test(String(headers['x-request-id'])), 'what is in its place fits the pattern');
      }
    },
  },
  {
    id: 'headers.preference',
    promise:
      'Preference-Applied names the wait that was applied, more than 30 as 30, on every operation that waits, and is absent where none was asked for',
    where: 'the contract, the header Preference-Applied',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const paid = session.sign(account, { to, amount: '1', nonce: 0 });
      const [deleted, signed] = [1, 2].map((nonce) => session.sign(account, { to, amount: '1', nonce: nonce + 1 }));
      if (deleted === undefined || signed === undefined) throw new Error('two were signed');
      for (const body of [deleted, signed]) await session.submit(body);
      const asked: readonly ((headers: Record<string, string>) => Promise<Answer>)[] = [
        (headers) => session.submit(paid, headers),
        (headers) => session.cancel(deleted.txHash, headers),
        (headers) => session.submitCancel(account, signed, headers),
        (headers) => session.call(`/transactions/${paid.txHash}/receipt`, { headers }),
      ];
      for (const ask of asked)
        for (const [prefer, applied] of [
          ['wait=99', 'wait=30'],
          ['respond-async, wait=20', 'wait=20'],
          ['wait=soon', undefined],
          ['', undefined],
        ] as const) {
          const { headers, method, path, status } = await ask({ prefer });
          expect(status < 300, `${method} ${path} is answered with a success, got ${status}`);
          expectEqual(
            headers['preference-applied'],
            applied,
            `Preference-Applied of ${method} ${path} with "${prefer}"`,
          );
        }
    },
  },
  {
    id: 'headers.ledger-height',
    promise:
      'every read names the block that it reflects and shows no less than the one before it, and one with Ledger-Height-Min waits for that block',
    where: 'the contract, the headers Ledger-Height and Ledger-Height-Min',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const [paid, next] = [0, 1].map((nonce) => session.sign(account, { to, amount: '1', nonce }));
      if (paid === undefined || next === undefined) throw new Error('two were signed');
      await session.pay(paid);
      let height: number = (await session.call(`/transactions/${paid.txHash}`)).body.height;
      const reads = [
        '/transactions?limit=1',
        `/transactions/${paid.txHash}`,
        `/transactions/${paid.txHash}/receipt`,
        `/accounts/${account.address}`,
        `/accounts?address=${account.address}`,
        `/accounts/${account.address}/entries`,
        '/events?limit=1',
      ];
      const asked = (path: string, least: number | string): Promise<Answer> =>
        session.call(path, { headers: { 'ledger-height-min': String(least) } });
      for (const path of reads) {
        const answer = await asked(path, height);
        expectEqual(answer.status, 200, `the status of ${path}`);
        const named = String(answer.headers['ledger-height'] ?? '');
        expect(
          /^\d+$/.test(named) && Number(named) >= height,
          `${path} names block ${height} or later, got "${named}"`,
        );
        height = Number(named);
      }
      const waiting = reads.map(async (path) => [path, await asked(path, height + 1)] as const);
      await session.pay(next);
      for (const [path, { status, headers }] of await Promise.all(waiting)) {
        expectEqual(status, 200, `the status of ${path} that waited for a block`);
        expect(Number(headers['ledger-height']) > height, `${path} waits for the next block`);
      }
      for (const path of reads) {
        const ahead = await asked(path, Number.MAX_SAFE_INTEGER);
        expectEqual([ahead.status, ahead.body.code], [409, 'height_not_reached'], `${path} far ahead of the chain`);
        for (const least of ['-1', '01', '1.5', 'x'])
          expectEqual((await asked(path, least)).status, 400, `the status of ${path} from block ${least}`);
      }
    },
  },
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
