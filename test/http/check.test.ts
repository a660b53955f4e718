/** POST /transactions/check: what a dry run answers, what is still 400, and that everything else is an outcome. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Checked, Refusal } from '../../server/gateway/types.ts';
import { TestServer } from './support/server.ts';
import type { Answer, Ask } from './support/server.ts';
import { ACCOUNT, PENDING, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

let server: TestServer;
beforeAll(async () => {
  server = await new TestServer().start();
});
afterEach(() => server.gateway.reset());
afterAll(() => server.stop());

const check = (body: unknown, more: Ask = {}): Promise<Answer> =>
  server.ask({ method: 'POST', path: '/transactions/check', body: body as object, ...more });
const { signature: _signature, ...UNSIGNED } = TRANSFER;
const SIGN_BYTES = 'txledger-transfer-v1\n{}';
const answering = (checked: Partial<Checked>): void => {
  server.gateway.onCheck = async () => ({
    ok: true,
    judgement: { kind: 'accepted' },
    signatureStatus: 'not_judged',
    signBytes: SIGN_BYTES,
    ...checked,
  });
};
const conflict: Refusal = {
  ok: false,
  code: 'nonce_conflict',
  detail: 'Another payment holds it.',
  txHash: TX_HASH,
  errors: [{ pointer: '/nonce', message: 'Held.' }],
  extra: { nextNonce: 7 },
};

describe('a dry run', () => {
  test('is answered with the outcome, the bytes to sign, the hash and the account', async () => {
    const { status, body } = await check(TRANSFER);
    expect(status).toBe(200);
    const { blockTimeMs, ...account } = ACCOUNT;
    expect(body).toEqual({
      outcome: 'accepted',
      signatureStatus: 'valid',
      signBytes: SIGN_BYTES,
      txHash: TX_HASH,
      account: { ...account, blockTime: new Date(blockTimeMs).toISOString() },
    });
    expect(server.gateway.calls).toMatchObject([
      { method: 'check', args: [TRANSFER, { owner: 'dev', tokenId: 'full' }] },
    ]);
  });

  test('tells a replay with the transfer, and a refusal with the problem that submitting would be answered', async () => {
    answering({ judgement: { kind: 'replayed', transaction: PENDING } });
    expect((await check(TRANSFER)).body).toMatchObject({
      outcome: 'replayed',
      transaction: { txHash: TX_HASH, status: 'pending' },
    });
    answering({ judgement: { kind: 'refused', refusal: conflict } });
    server.gateway.onSubmit = async () => conflict;
    const { status, body } = await check(TRANSFER);
    const { requestId: _own, ...problem } = body.problem;
    const { requestId: _other, type, ...single } = (await server.submit(TRANSFER)).body;
    // Only the place of the page that explains it is another, seen from a longer path.
    expect([status, body.outcome, problem]).toEqual([200, 'refused', { ...single, type: type.replace('./', '../') }]);
    expect([problem.errors, problem.nextNonce, body.transaction]).toEqual([
      [{ pointer: '/nonce', message: 'Held.' }],
      7,
      undefined,
    ]);
  });

  test('with a refusal that can pass tells when to try', async () => {
    answering({
      judgement: { kind: 'refused', refusal: { ok: false, code: 'pool_full', detail: 'It is full.', retryAfterS: 5 } },
    });
    expect((await check(TRANSFER)).body.problem).toMatchObject({ status: 503, retriable: true, retryAfterS: 5 });
  });

  test('needs no signature; null counts as none', async () => {
    answering({});
    for (const body of [UNSIGNED, { ...UNSIGNED, signature: null }, { ...UNSIGNED, signature: null, txHash: null }]) {
      expect((await check(body)).body).toEqual({
        outcome: 'accepted',
        signatureStatus: 'not_judged',
        signBytes: SIGN_BYTES,
      });
    }
    expect(server.gateway.calls.map(({ args }) => args[0])).toEqual([UNSIGNED, UNSIGNED, UNSIGNED]);
  });

  test.each<[string, unknown, string]>([
    ['no amount', { ...UNSIGNED, amount: undefined }, '/amount'],
    ['an amount that is a number', { ...UNSIGNED, amount: 5 }, '/amount'],
    ['a signature in upper case', { ...TRANSFER, signature: TRANSFER.signature.toUpperCase() }, '/signature'],
    ['an empty signature', { ...TRANSFER, signature: '' }, '/signature'],
    ['an unknown member', { ...UNSIGNED, chainId: 'txledger-dev-1' }, '/chainId'],
    ['no object', [UNSIGNED], ''],
  ])('of %s is 400, as submitting is', async (_, body, pointer) => {
    const answer = await check(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
    expect(server.gateway.calls).toEqual([]);
  });

  test('ignores Prefer and Idempotency-Key, and refuses a query', async () => {
    expect((await check(TRANSFER, { headers: { Prefer: 'wait=5', 'Idempotency-Key': 'not quoted' } })).status).toBe(
      200,
    );
    expect(server.gateway.calls).toHaveLength(1);
    expect((await check(TRANSFER, { path: '/transactions/check?x=1' })).status).toBe(400);
  });

  test('needs the scope of submitting', async () => {
    expect((await check(TRANSFER, { token: 'txl_read_secret' })).body).toMatchObject({ code: 'insufficient_scope' });
    expect((await check(TRANSFER, { token: 'txl_write_secret' })).status).toBe(200);
    expect((await check(TRANSFER, { token: null })).status).toBe(401);
  });

  test('is not a transaction with the hash "check": other methods are 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']) {
      const answer = await server.ask({ method, path: '/transactions/check' });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
    expect(await server.ask({ path: `/accounts/${SENDER}` })).toMatchObject({ status: 200 });
  });
});
