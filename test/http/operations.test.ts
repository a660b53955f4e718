/** What each operation makes of the gateway's answers, and of a request that is as it should be. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Gauge } from 'prom-client';

import { READINESS_CACHE_MS } from '../../server/http/limits.ts';
import { TestServer } from './support/server.ts';
import { CANCELLED, COMMITTED, PENDING, RECEIPT, RECEIVER, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const acknowledged = {
  from: SENDER,
  to: RECEIVER,
  amount: '100',
  txHash: TX_HASH,
  status: 'pending',
  firstSeenAt: '2026-11-21T09:30:01.250Z',
  reason: PENDING.reason,
};

describe('POST /transactions', () => {
  test('answers 202 with the transaction and its Location once the gateway has acknowledged it', async () => {
    const answer = await server.submit(TRANSFER);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual(acknowledged);
    expect(answer.headers.location).toBe(`./transactions/${TX_HASH}`);
    expect(answer.headers).not.toHaveProperty('idempotent-replayed');
    expect(answer.headers).not.toHaveProperty('preference-applied');
    expect(server.gateway.calls).toEqual([
      { method: 'submit', args: [TRANSFER, { tokenId: 'full', owner: 'dev', scopes: expect.anything() }] },
    ]);
  });

  test('holds the answer for Prefer: wait and answers 201 when the transfer has been committed', async () => {
    const answer = await server.submit(TRANSFER, { Prefer: 'wait=7' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ status: 'committed', height: 42, blockTime: '2026-11-21T09:30:02.000Z' });
    expect(answer.headers['preference-applied']).toBe('wait=7');
    expect(answer.headers.location).toBe(`./transactions/${TX_HASH}`);
    expect(server.gateway.calls[1]).toEqual({
      method: 'waitUntilSettled',
      args: [TX_HASH, 7000, expect.any(AbortSignal)],
    });
  });

  test('answers 202 with the status it then has when it settled otherwise, or not at all', async () => {
    server.gateway.onWait = async () => CANCELLED;
    expect(await server.submit(TRANSFER, { Prefer: 'wait=1' })).toMatchObject({
      status: 202,
      body: { status: 'cancelled' },
    });
    server.gateway.onWait = async () => PENDING;
    expect(await server.submit(TRANSFER, { Prefer: 'wait=1' })).toMatchObject({
      status: 202,
      body: { status: 'pending' },
    });
    server.gateway.onWait = async () => undefined;
    expect(await server.submit(TRANSFER, { Prefer: 'wait=1' })).toMatchObject({
      status: 202,
      body: { status: 'pending' },
    });
  });

  test('waits no longer than 30 s, whatever is preferred, and says so', async () => {
    const answer = await server.submit(TRANSFER, { Prefer: 'wait=86400' });
    expect(answer.headers['preference-applied']).toBe('wait=30');
    expect(server.gateway.calls[1]?.args[1]).toBe(30_000);
  });

  test('ignores preferences that it does not know or cannot read, as RFC 7240 demands', async () => {
    for (const prefer of ['respond-async', 'wait', 'wait=-1', 'wait=1.5', 'wait=abc', 'wait=99999999999x', '']) {
      const answer = await server.submit(TRANSFER, { Prefer: prefer });
      expect({ prefer, status: answer.status, applied: answer.headers['preference-applied'] }).toEqual({
        prefer,
        status: 202,
        applied: undefined,
      });
    }
  });

  test('answers 200 with Idempotent-Replayed for a transfer that was known, and waits for it too', async () => {
    server.gateway.onSubmit = async () => ({ ok: true, replayed: true, transaction: COMMITTED });
    const known = await server.submit(TRANSFER);
    expect(known).toMatchObject({ status: 200, body: { status: 'committed' } });
    expect(known.headers['idempotent-replayed']).toBe('true');
    server.gateway.onSubmit = async () => ({ ok: true, replayed: true, transaction: PENDING });
    const waited = await server.submit(TRANSFER, { Prefer: 'wait=3' });
    expect(waited).toMatchObject({ status: 200, body: { status: 'committed' } });
  });

  test('an Idempotency-Key, bare or as a String of Structured Fields, is handed on as the text of the key', async () => {
    const longest = 'k'.repeat(255);
    for (const [header, key] of [
      ['"a"', 'a'],
      ['a', 'a'],
      ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
      ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
      ['1', '1'],
      [':YQ==:', ':YQ==:'],
      [longest, longest],
      ['"8e03978e 40d5"', '8e03978e 40d5'],
      ['"\\"\\\\\\""', '"\\"'],
      [' " ~" ', ' ~'],
      [`"${longest}"`, longest],
    ]) {
      expect((await server.submit(TRANSFER, { 'Idempotency-Key': header as string })).status).toBe(202);
      expect(server.gateway.calls.at(-1)?.args[2]).toBe(key);
    }
  });

  test.each([
    'a b',
    'a, b',
    'a,b',
    'a;b=1',
    'a\\b',
    '""',
    '"',
    '',
    '"a',
    'a"',
    '"a" "b"',
    '"a", "b"',
    '"a";b=1',
    '"\\a"',
    '"a\\"',
    '"a"b"',
    '"a\tb"',
    '"\u00e9"',
    `"${'k'.repeat(256)}"`,
    'k'.repeat(256),
  ])(
    'refuses an Idempotency-Key that is neither a bare key nor a String of 1 to 255 characters by its header: %s',
    async (header) => {
      const answer = await server.submit(TRANSFER, { 'Idempotency-Key': header });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ pointer: '#/header/idempotency-key' }] },
      });
      expect(server.gateway.calls).toEqual([]);
    },
  );
});

describe('GET /transactions', () => {
  test('answers a page with nextCursor, and without it on the last page', async () => {
    const page = await server.ask({ path: '/transactions' });
    expect(page).toMatchObject({
      status: 200,
      body: { nextCursor: 'AAAAAAAAAco', transactions: [{ status: 'pending' }, { status: 'committed' }] },
    });
    server.gateway.onList = async () => ({ ok: true, transactions: [], height: 42 });
    expect((await server.ask({ path: '/transactions' })).body).toEqual({ transactions: [] });
  });

  test('asks for 10 when no limit is given, and hands every filter on', async () => {
    await server.ask({ path: '/transactions' });
    await server.ask({
      path: `/transactions?limit=1000&cursor=AAAAAAAAAco&status=failed&from=${SENDER}&to=${RECEIVER}&account=${SENDER}`,
    });
    expect(server.gateway.calls.map((call) => call.args[0])).toEqual([
      { limit: 10 },
      { limit: 1000, cursor: 'AAAAAAAAAco', status: 'failed', from: SENDER, to: RECEIVER, account: SENDER },
    ]);
  });
});

describe('GET /transactions/{txHash}', () => {
  test('takes the hash in either case and answers the transfer with its history', async () => {
    const answer = await server.ask({ path: `/transactions/${TX_HASH.toLowerCase()}` });
    expect(answer).toMatchObject({
      status: 200,
      body: { txHash: TX_HASH, history: [{ at: '2026-11-21T09:30:01.250Z', event: 'accepted' }] },
    });
    expect(server.gateway.calls).toEqual([{ method: 'get', args: [TX_HASH] }]);
  });

  test('answers 404 with the hash for one that nobody has seen', async () => {
    server.gateway.onGet = async () => undefined;
    const answer = await server.ask({ path: `/transactions/${TX_HASH}` });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', txHash: TX_HASH } });
  });
});

describe('DELETE /transactions/{txHash}', () => {
  const path = `/transactions/${TX_HASH}`;

  test('waits 10 s for the deciding block unless the client prefers otherwise', async () => {
    expect((await server.ask({ method: 'DELETE', path })).status).toBe(200);
    const answer = await server.ask({ method: 'DELETE', path, headers: { Prefer: 'wait=0' } });
    expect(answer.headers['preference-applied']).toBe('wait=0');
    expect(server.gateway.calls.map((call) => call.args[2])).toEqual([10_000, 0]);
    expect(server.gateway.calls[0]?.args[0]).toBe(TX_HASH);
  });

  test('answers 202 while no block has decided', async () => {
    const transaction = {
      ...PENDING,
      reason: { code: 'cancel_requested' as const, detail: 'A cancel waits for a block.' as const },
    };
    server.gateway.onCancel = async () => ({ ok: true, decided: false, transaction });
    expect(await server.ask({ method: 'DELETE', path })).toMatchObject({
      status: 202,
      body: { status: 'pending', reason: { code: 'cancel_requested' } },
    });
  });

  test('answers 409 with the status that stands in the way when it is settled already', async () => {
    server.gateway.onCancel = async () => ({
      ok: false,
      code: 'already_settled',
      detail: 'It has committed.',
      txHash: TX_HASH,
      extra: { status: 'committed' },
    });
    const answer = await server.ask({ method: 'DELETE', path });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'already_settled', transactionStatus: 'committed', txHash: TX_HASH },
    });
  });
});

describe('GET /transactions/{txHash}/receipt', () => {
  const path = `/transactions/${TX_HASH}/receipt`;

  test('waits 10 s for the blocks unless the client prefers otherwise, and answers what the gateway made', async () => {
    const answer = await server.ask({ path });
    expect(answer).toMatchObject({ status: 200, body: { ...RECEIPT, txHash: TX_HASH } });
    expect(answer.headers['preference-applied']).toBeUndefined();
    expect(
      (await server.ask({ path: path.toLowerCase(), headers: { Prefer: 'wait=0' } })).headers['preference-applied'],
    ).toBe('wait=0');
    expect(server.gateway.calls.map((call) => call.args.slice(0, 3))).toEqual([
      [TX_HASH, expect.objectContaining({ owner: 'dev' }), 10_000],
      [TX_HASH, expect.objectContaining({ owner: 'dev' }), 0],
    ]);
  });

  test('needs a token that may read, and a hash', async () => {
    expect((await server.ask({ path, token: 'txl_write_secret' })).status).toBe(403);
    expect((await server.ask({ path: '/transactions/12/receipt' })).status).toBe(400);
    expect((await server.ask({ method: 'DELETE', path })).status).toBe(405);
    expect(server.gateway.calls).toEqual([]);
  });
});

describe('what is needed to sign, and about the chain', () => {
  test('GET /accounts/{address} answers what the account holds and can spend, its nonces, and when that is', async () => {
    const answer = await server.ask({ path: `/accounts/${SENDER}` });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      address: SENDER,
      balance: '1000',
      available: '750',
      pendingOut: '250',
      nonce: 3,
      nextNonce: 5,
      gaps: [{ first: 5, last: 6 }],
      height: 42,
      blockTime: '2026-11-21T09:30:02.000Z',
    });
  });

  test('GET /chain needs no token', async () => {
    const answer = await server.ask({ path: '/chain', token: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      chainId: 'txledger-dev-1',
      addressPrefix: 'txlt',
      height: 42,
      lastBlockTime: '2026-11-21T09:30:02.000Z',
      serviceTime: expect.stringMatching(/Z$/),
      blockIntervalMs: 1000,
      idleBlockIntervalMs: 60_000,
      genesisHash: 'A'.repeat(64),
      currency: { code: 'DEV', scale: 2 },
      openingMinimum: '1',
      format: 2,
    });
  });
});

describe('health', () => {
  test('GET /livez asks nobody', async () => {
    expect((await server.ask({ path: '/livez', token: null })).body).toEqual({ status: 'ok' });
    expect(server.gateway.calls).toEqual([]);
  });

  test('GET /readyz answers 200 when every check passes, and 503 with the checks when one does not', async () => {
    expect(await server.ask({ path: '/readyz', token: null })).toMatchObject({
      status: 200,
      body: { status: 'ready' },
    });
    const checks = (['engine', 'block_age', 'store', 'accepting'] as const).map((name) => ({
      name,
      ok: name !== 'store',
      detail: 'disk full',
    }));
    server.gateway.onReadiness = async () => ({ ready: false, code: 'store_unavailable', checks });
    await new Promise((resolve) => setTimeout(resolve, READINESS_CACHE_MS + 10));
    const answer = await server.ask({ path: '/readyz', token: null });
    expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable', checks } });
    expect(answer.headers['retry-after']).toBe('1');
  });

  test('GET /metrics renders the registry and every number of the gateway in Prometheus base units', async () => {
    const { text, headers } = await server.ask({ path: '/metrics', token: null });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="POST",route="\/transactions",status="202"\} \d+$/m,
    );
    expect(text).toContain('txledger_transactions_pending 1\n');
    expect(text).toContain('txledger_transactions_settled_total{status="committed"} 5\n');
    expect(text).toContain('txledger_follower_block_time_seconds 15\n');
    expect(text.match(/^# TYPE txledger_transactions_settled_total /gm)).toHaveLength(1);
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_]+(\{(?:[^"}]|"[^"]*")*\})? [0-9.e+-]+|)$/);
  });

  test('GET /metrics leaves out what has no value, such as a mean of no measurements', async () => {
    const mean = new Gauge({ name: 'test_mean', help: 'A mean.', registers: [server.registry], labelNames: ['of'] });
    mean.set({ of: 'none' }, Number.NaN);
    mean.set({ of: 'one' }, 1.5);
    const { text } = await server.ask({ path: '/metrics' });
    server.registry.removeSingleMetric('test_mean');
    expect(text.split('\n').filter((line) => line.startsWith('test_mean'))).toEqual(['test_mean{of="one"} 1.5']);
  });

  test('GET /metrics answers OpenMetrics to those who prefer it, with the names of counters as that format has them', async () => {
    const prometheus =
      'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
    const { text, headers } = await server.ask({ path: '/metrics', token: null, headers: { Accept: prometheus } });
    expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const lines = text.split('\n');
    expect(lines.slice(-2)).toEqual(['# EOF', '']);
    expect(lines).toContain('# TYPE txledger_transactions_settled counter');
    expect(lines).toContain('txledger_transactions_settled_total{status="committed"} 5');
    expect(
      lines.filter((line) => line === '' || line.includes('_total_total') || /^# TYPE \S+_total /.test(line)),
    ).toEqual(['']);
    // Both formats have the same samples.
    const plain = (await server.ask({ path: '/metrics', token: null })).text;
    const names = (of: string): string[] =>
      [...new Set([...of.matchAll(/^([a-z_]+)[ {]/gm)].map(([, name = '']) => name))].toSorted();
    expect(names(text)).toEqual(names(plain));
  });
});

describe('the contract', () => {
  test('is served byte for byte as generated, and may be cached', async () => {
    const { contract } = await import('./support/contract-check.ts');
    const json = await server.ask({ path: '/openapi.json', token: null });
    const yaml = await server.ask({ path: '/openapi.yaml', token: null });
    const client = await server.ask({ path: '/openapi.client.json', token: null });
    expect(json.text).toBe(contract.json.toString('utf8'));
    expect(yaml.text).toBe(contract.yaml.toString('utf8'));
    expect(client.text).toBe(contract.clientJson.toString('utf8'));
    for (const answer of [json, yaml, client]) expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(client.headers['content-type']).toBe(json.headers['content-type']);
  });
});
