/** Every error code that a client can provoke from outside, each by a request of its own. */
import { CATALOGUE, CODES, expectProblem, type Code } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { Skipped, expect, expectEqual } from '../expect.ts';
import { ask, sendRaw, type Answer } from '../http.ts';
import type { Session } from '../session.ts';
import { BECH32, encodeAddress } from '../signer.ts';

const WHERE = 'docs/PARTNERS.md, Errors';
const UNKNOWN_HASH = 'CD'.repeat(32);
const NONCE_WINDOW = 1024;
/** Transfers of one account that may wait behind a gap. */
const WAITING_MAX = 256;
const BODY_BYTES_MAX = 16 * 1024;
/** A request has to be complete within 15 s. */
const HALF_REQUEST_MS_MAX = 25_000;
const WAIT = { prefer: 'wait=30' };

interface Provocation {
  readonly accounts?: number;
  readonly background?: boolean;
  readonly provoke: (session: Session) => Promise<Answer>;
  readonly pointer?: string;
  /** What the answer has besides. */
  readonly also?: (answer: Answer, session: Session) => void;
}

const transferOf = async (session: Session): Promise<object> =>
  session.sign(await session.funded(), { to: session.receiver(), amount: '1', nonce: 0 });

/** Sends the transfers with nonces 1 and 0, so that the second is executed when this returns and the first was cancelled before. */
async function cancelledAt1(session: Session): Promise<{ txHash: string; other: object; fill: object }> {
  const [account, to] = [await session.funded(), session.receiver()];
  const waiting = session.sign(account, { to, amount: '1', nonce: 1 });
  await session.submit(waiting);
  const { status } = await session.cancel(waiting.txHash, WAIT);
  expectEqual(status, 200, 'the cancel of a transfer that waits for an earlier nonce');
  return {
    txHash: waiting.txHash,
    other: session.sign(account, { to, amount: '2', nonce: 1 }),
    fill: session.sign(account, { to, amount: '1', nonce: 0 }),
  };
}

const PROVOCATIONS: Partial<Record<Code, Provocation>> = {
  malformed_json: { provoke: (session) => session.submit('{"from":' as unknown as object) },
  invalid_request: { provoke: (session) => session.call('/transactions?limit=0'), pointer: '#/query/limit' },
  unauthenticated: {
    provoke: (session) => session.call('/transactions', { headers: { authorization: '' } }),
    also: ({ headers }) =>
      expect(/^Bearer\b/.test(headers['www-authenticate'] ?? ''), 'a 401 names the scheme Bearer in WWW-Authenticate'),
  },
  insufficient_scope: {
    accounts: 1,
    provoke: async (session) => {
      const { readToken } = session.tokens;
      if (readToken === undefined)
        throw new Skipped('needs --read-token, a token with the scope transactions:read alone');
      return session.submit(await transferOf(session), { authorization: `Bearer ${readToken}` });
    },
    also: ({ headers }) =>
      expect(
        /insufficient_scope/.test(headers['www-authenticate'] ?? ''),
        'a 403 for a scope names it in WWW-Authenticate',
      ),
  },
  not_submitter: {
    accounts: 1,
    provoke: async (session) => {
      const { otherToken } = session.tokens;
      if (otherToken === undefined) throw new Skipped('needs --other-token, a token of another owner');
      const waiting = session.sign(await session.funded(), { to: session.receiver(), amount: '1', nonce: 1 });
      await session.submit(waiting);
      return session.cancel(waiting.txHash, { authorization: `Bearer ${otherToken}` });
    },
  },
  origin_not_allowed: {
    provoke: (session) => session.call('/transactions', { headers: { origin: 'https://conformance.example' } }),
  },
  not_found: { provoke: (session) => session.read(UNKNOWN_HASH) },
  method_not_allowed: {
    provoke: (session) => session.call('/transactions', { method: 'PUT' }),
    also: ({ headers }) =>
      expect(
        /\bPOST\b/.test(headers.allow ?? '') && /\bGET\b/.test(headers.allow ?? ''),
        `a 405 names the methods in Allow, got ${headers.allow}`,
      ),
  },
  not_acceptable: { provoke: (session) => session.call('/transactions', { headers: { accept: 'image/png' } }) },
  request_timeout: {
    background: true,
    provoke: async (session) => {
      const { host, pathname } = new URL(session.baseUrl);
      const path = `${pathname.replace(/\/$/, '')}/transactions`;
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${session.tokens.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
      return parsed(session.baseUrl, await sendRaw(session.baseUrl, head, HALF_REQUEST_MS_MAX));
    },
  },
  nonce_too_low: {
    accounts: 1,
    provoke: async (session) => {
      const { other, fill } = await cancelledAt1(session);
      await session.pay(fill); // The account moves past the void nonce with it.
      return session.submit(other);
    },
    pointer: '/nonce',
  },
  nonce_conflict: {
    accounts: 1,
    provoke: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      await session.pay(session.sign(account, { to, amount: '1', nonce: 0 }));
      return session.submit(session.sign(account, { to, amount: '2', nonce: 0 }));
    },
    pointer: '/nonce',
    also: ({ body }) =>
      expect(/^[0-9A-F]{64}$/.test(body.txHash), 'nonce_conflict names the payment that holds the nonce in txHash'),
  },
  nonce_cancelled: {
    accounts: 1,
    provoke: async (session) => session.submit((await cancelledAt1(session)).other),
    pointer: '/nonce',
  },
  already_settled: {
    accounts: 1,
    provoke: async (session) => session.cancel((await session.pay(await transferOf(session))).body.txHash),
    also: ({ body }) =>
      expectEqual(
        body.transactionStatus,
        'committed',
        'already_settled tells what became of the transfer in transactionStatus',
      ),
  },
  receipt_not_ready: {
    accounts: 1,
    provoke: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const { txHash } = (await session.submit(session.sign(account, { to, amount: '1', nonce: 1 }))).body;
      return session.call(`/transactions/${txHash}/receipt`, { headers: { prefer: 'wait=0' } });
    },
  },
  height_not_reached: {
    provoke: (session) =>
      session.call('/transactions?limit=1', { headers: { 'ledger-height-min': String(Number.MAX_SAFE_INTEGER) } }),
  },
  place_ahead: {
    provoke: (session) => session.call(`/events?after=${Number.MAX_SAFE_INTEGER}`),
  },
  body_too_large: {
    provoke: (session) => session.submit(`{"from":"${'x'.repeat(BODY_BYTES_MAX)}"}` as unknown as object),
  },
  unsupported_media_type: { provoke: (session) => session.submit({}, { 'content-type': 'text/plain' }) },
  host_not_allowed: {
    provoke: (session) => session.call('/transactions', { headers: { host: 'conformance.example' } }),
  },
  invalid_address: {
    accounts: 1,
    provoke: async (session) => {
      const account = await session.funded();
      return session.submit(
        session.sign(account, { to: encodeAddress(account.publicKey, session.prefix, BECH32), amount: '1', nonce: 0 }),
      );
    },
    pointer: '/to',
  },
  invalid_signature: {
    accounts: 1,
    provoke: async (session) => session.submit({ ...(await transferOf(session)), amount: '2', txHash: undefined }),
    pointer: '/signature',
    also: ({ body }) =>
      expect(
        String(body.signBytes).startsWith('txledger-transfer-v1\n{"amount":"2"'),
        'invalid_signature shows the bytes that the signature was held against',
      ),
  },
  tx_hash_mismatch: {
    accounts: 1,
    provoke: async (session) => session.submit({ ...(await transferOf(session)), txHash: UNKNOWN_HASH }),
    pointer: '/txHash',
  },
  insufficient_funds: {
    accounts: 1,
    provoke: async (session) =>
      session.submit(
        session.sign(await session.funded(), { to: session.receiver(), amount: String(10n ** 30n), nonce: 0 }),
      ),
    pointer: '/amount',
  },
  validity_passed: {
    accounts: 1,
    provoke: async (session) =>
      session.submit(
        session.sign(await session.funded(), { to: session.receiver(), amount: '1', nonce: 0, validUntil: 1 }),
      ),
    pointer: '/validUntil',
  },
  nonce_too_high: {
    accounts: 1,
    provoke: async (session) =>
      session.submit(
        session.sign(await session.funded(), { to: session.receiver(), amount: '1', nonce: NONCE_WINDOW }),
      ),
    pointer: '/nonce',
  },
  idempotency_key_reused: {
    accounts: 1,
    provoke: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const key = { 'idempotency-key': `"${account.address}"` };
      await session.submit(session.sign(account, { to, amount: '1', nonce: 0 }), key);
      return session.submit(session.sign(account, { to, amount: '1', nonce: 1 }), key);
    },
    pointer: '#/header/idempotency-key',
    also: ({ body }) =>
      expect(
        /^[0-9A-F]{64}$/.test(body.txHash),
        'idempotency_key_reused names the transfer that was accepted with the key in txHash',
      ),
  },
  rate_limited: {
    provoke: async (session) => {
      const policy = (await session.call('/transactions')).headers['ratelimit-policy'];
      if (policy === undefined) throw new Skipped('the server has its rate limits switched off');
      const quota = Number(/q=(\d+)/.exec(String(policy))?.[1] ?? Infinity);
      if (quota > RATE_MAX) throw new Skipped(`it would take more than ${RATE_MAX} requests: the policy is ${policy}`);
      const answers = await Promise.all(
        Array.from({ length: 3 * RATE_MAX }, () => session.call('/transactions?limit=1')),
      );
      const limited = answers.find(({ status }) => status !== 200);
      expect(
        limited !== undefined,
        `${answers.length} requests at once were all answered, and the policy is ${policy}`,
      );
      // The checks after this one have their quota again.
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(limited.headers['retry-after'] ?? 1)));
      return limited;
    },
    also: ({ headers }) => expect(Number(headers['retry-after']) >= 1, 'a 429 names a time in Retry-After'),
  },
  too_many_pending: {
    accounts: 1,
    provoke: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const waiting = Array.from({ length: WAITING_MAX }, (_, i) =>
        session.sign(account, { to, amount: '1', nonce: i + 1 }),
      );
      for (let i = 0; i < waiting.length; i += 32)
        await Promise.all(waiting.slice(i, i + 32).map((body) => session.submit(body)));
      const refused = await session.submit(session.sign(account, { to, amount: '1', nonce: WAITING_MAX + 1 }));
      await session.submit(session.sign(account, { to, amount: '1', nonce: 0 }), WAIT); // The gap is closed: they are paid.
      return refused;
    },
    also: ({ headers }) => expect(Number(headers['retry-after']) >= 1, 'a 429 names a time in Retry-After'),
  },
  headers_too_large: {
    provoke: (session) => session.call('/transactions', { headers: { 'x-padding': 'x'.repeat(20 * 1024) } }),
  },
};

/** More requests than this are not sent to find out about a limit. */
const RATE_MAX = 200;

/** Reads the first answer in the bytes of a connection. */
function parsed(baseUrl: string, text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const start = body.indexOf('{');
  const json = start < 0 ? undefined : (JSON.parse(body.slice(start, body.lastIndexOf('}') + 1)) as unknown);
  return {
    baseUrl,
    url: `${baseUrl}/transactions`,
    method: 'POST',
    path: '/transactions',
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]),
    headers,
    text: body,
    body: json,
  };
}

const provoked: readonly Check[] = CODES.flatMap((code) => {
  const provocation = PROVOCATIONS[code];
  if (provocation === undefined) return [];
  const { accounts, background, provoke, pointer, also } = provocation;
  return [
    {
      id: `catalogue.${code}`,
      promise: `${code} is ${CATALOGUE[code].status}, as a problem document`,
      where: WHERE,
      ...(accounts === undefined ? {} : { accounts }),
      ...(background === undefined ? {} : { background }),
      run: async (session: Session) => {
        const answer = await provoke(session);
        expectProblem(answer, code, pointer);
        also?.(answer, session);
      },
    },
  ];
});

export const CATALOGUE_CHECKS: readonly Check[] = [
  {
    id: 'catalogue.declared',
    promise: 'the contract names every code of the catalogue with its status',
    where: 'spec/problems.yaml, ProblemCode',
    run: async (session) => {
      const { document } = await session.contract();
      const schema = document['components']?.schemas?.ProblemCode ?? {};
      const problems = schema['x-problems'] ?? {};
      const values: unknown[] = schema.enum ?? schema['x-extensible-enum'] ?? [];
      for (const code of CODES) {
        expect(values.includes(code), `the contract does not name the code ${code}`);
        if (problems[code] === undefined) continue;
        expectEqual(
          { status: problems[code].status, retriable: problems[code].retriable },
          { ...CATALOGUE[code] },
          `the contract's ${code}`,
        );
      }
    },
  },
  {
    id: 'catalogue.documented',
    promise: 'the type of a problem leads to where its code is explained',
    where: WHERE,
    run: async (session) => {
      const page = await ask(session.baseUrl, '/docs/errors', {});
      expectEqual(page.status, 200, 'GET /docs/errors');
      for (const code of CODES) expect(page.text.includes(`id="${code}"`), `/docs/errors does not explain ${code}`);
    },
  },
  ...provoked,
];
