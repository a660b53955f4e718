/** Webhooks over HTTP: what is sent to the gateway, and what its answers become. The rules are the service's (test/webhooks/service.test.ts). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer } from './support/server.ts';
import { SENDER, TOKENS } from './support/stub-gateway.ts';
import { SECRET, WEBHOOK_ID } from './support/webhook-answers.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const PRINCIPAL = TOKENS['txl_full_secret'];
const one = `/webhooks/${WEBHOOK_ID}`;
const ask = (method: string, path: string, body?: object) => server.ask({ method, path, ...(body && { body }) });
const called = () => server.gateway.calls.at(-1);

describe('an operation of webhooks', () => {
  test('createWebhook answers the endpoint with its secret, and where it is', async () => {
    const input = {
      url: 'https://shop.example/',
      description: 'x',
      types: ['transaction.failed'],
      accounts: [SENDER],
      submittedOnly: true,
    };
    const answer = await ask('POST', '/webhooks', input);
    expect(answer).toMatchObject({
      status: 201,
      body: { id: WEBHOOK_ID, status: 'enabled', position: '1204', secret: SECRET },
      headers: { location: `./webhooks/${WEBHOOK_ID}` },
    });
    expect(called()).toEqual({ method: 'createWebhook', args: [PRINCIPAL, input] });
  });

  test('null for a member that may be left out counts as left out', async () => {
    await ask('POST', '/webhooks', {
      url: 'https://shop.example/',
      description: null,
      types: null,
      accounts: null,
      submittedOnly: null,
    });
    expect(called()?.args[1]).toEqual({ url: 'https://shop.example/' });
    await ask('POST', `${one}/replay`, { after: '1', until: null });
    expect(called()).toEqual({ method: 'replayWebhook', args: ['dev', WEBHOOK_ID, { after: '1' }] });
  });

  test('listWebhooks, getWebhook and updateWebhook answer it without the secret', async () => {
    const shown = {
      id: WEBHOOK_ID,
      disabledReason: 'failing',
      position: '1209-3',
      previousSecretUntil: '2026-11-22T09:30:01.250Z',
      lastFailure: { at: '2026-11-22T09:30:01.250Z', code: 'timeout' },
    };
    expect(await ask('GET', '/webhooks')).toMatchObject({ status: 200, body: { webhooks: [shown] } });
    expect(called()).toEqual({ method: 'listWebhooks', args: ['dev'] });
    expect(await ask('GET', one)).toMatchObject({ status: 200, body: shown });
    const patch = {
      description: '',
      types: [],
      accounts: [],
      submittedOnly: false,
      status: 'enabled',
      resumeFrom: 'now',
    };
    const updated = await ask('PATCH', one, patch);
    expect(updated).toMatchObject({ status: 200, body: shown });
    expect(called()).toEqual({ method: 'updateWebhook', args: [PRINCIPAL, WEBHOOK_ID, patch] });
    expect(updated.text).not.toContain('whsec_');
  });

  test('deleteWebhook answers 204 and nothing, whatever Accept says', async () => {
    const answer = await server.ask({ method: 'DELETE', path: one, headers: { Accept: 'application/json' } });
    expect(answer).toMatchObject({
      status: 204,
      text: '',
      headers: { 'cache-control': 'no-store', 'contract-version': expect.any(String) },
    });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(called()).toEqual({ method: 'deleteWebhook', args: [PRINCIPAL, WEBHOOK_ID] });
  });

  test('rotateWebhookSecret overlaps by a day unless told', async () => {
    expect(await ask('POST', `${one}/rotate-secret`, {})).toMatchObject({ status: 200, body: { secret: SECRET } });
    expect(called()).toEqual({ method: 'rotateWebhookSecret', args: [PRINCIPAL, WEBHOOK_ID, 86_400] });
    await ask('POST', `${one}/rotate-secret`, { overlapSeconds: 0 });
    expect(called()?.args[2]).toBe(0);
  });

  test('testWebhook and replayWebhook say what will be done', async () => {
    expect(await ask('POST', `${one}/test`)).toMatchObject({
      status: 202,
      body: { webhookId: WEBHOOK_ID, messageId: 'test_7h2k9d4f1m6q8s0v3x5z2b4n6p' },
    });
    expect(await ask('POST', `${one}/replay`, { after: '1100', until: '1200-4' })).toMatchObject({
      status: 202,
      body: { webhookId: WEBHOOK_ID, after: '1100', until: '1200-4' },
    });
  });

  test('listWebhookDeliveries answers a page', async () => {
    expect(await ask('GET', `${one}/deliveries?limit=3&cursor=AAAA`)).toMatchObject({
      status: 200,
      body: {
        deliveries: [
          {
            id: '17',
            eventId: '1209-3',
            outcome: 'failed',
            statusCode: 503,
            error: { code: 'status_code' },
            answer: 'later',
          },
        ],
        nextCursor: 'AAAAAAAAAco',
      },
    });
    expect(called()?.args).toEqual(['dev', WEBHOOK_ID, { limit: 3, cursor: 'AAAA' }]);
    await ask('GET', `${one}/deliveries`);
    expect(called()?.args[2]).toEqual({ limit: 10 });
  });
});

describe('what is refused', () => {
  test.each([
    ['no URL', { description: 'x' }],
    ['a member that there is not', { url: 'https://a.example/', secret: 'whsec_mine' }],
    ['a URL that is too long', { url: `https://a.example/${'a'.repeat(2048)}` }],
    ['no account', { url: 'https://a.example/', accounts: [] }],
    ['too many accounts', { url: 'https://a.example/', accounts: Array(101).fill(SENDER) }],
    ['an account in capitals', { url: 'https://a.example/', accounts: [SENDER.toUpperCase()] }],
    ['a description that is too long', { url: 'https://a.example/', description: 'x'.repeat(257) }],
  ])('%s is 400', async (_, body) => {
    expect((await ask('POST', '/webhooks', body)).status).toBe(400);
    expect(server.gateway.calls).toEqual([]);
  });

  test.each([
    ['POST', '/rotate-secret', { overlapSeconds: 604_801 }],
    ['POST', '/rotate-secret', { overlapSeconds: -1 }],
    ['POST', '/replay', { until: '1' }],
    ['POST', '/replay', { after: '01' }],
    ['PATCH', '', { status: 'paused' }],
    ['PATCH', '', { id: WEBHOOK_ID }],
    ['GET', '/deliveries?limit=0', undefined],
    ['GET', '/deliveries?limit=1001', undefined],
  ])('%s %s %j is 400', async (method, path, body) =>
    expect((await ask(method, `${one}${path}`, body)).status).toBe(400),
  );

  test('an id that cannot be one is 400', async () => expect((await ask('GET', '/webhooks/wh_1')).status).toBe(400));

  test.each([
    ['webhook_exists', 409, 'POST', '/webhooks', { url: 'https://a.example/' }],
    ['too_many_webhooks', 409, 'POST', '/webhooks', { url: 'https://a.example/' }],
    ['webhook_url_refused', 422, 'POST', '/webhooks', { url: 'https://10.0.0.1/' }],
    ['invalid_address', 422, 'PATCH', one, { accounts: [SENDER] }],
    ['webhook_exists', 409, 'PATCH', one, { url: 'https://a.example/' }],
    ['not_found', 404, 'DELETE', one, undefined],
    ['webhook_disabled', 409, 'POST', `${one}/test`, undefined],
    ['webhook_busy', 409, 'POST', `${one}/replay`, { after: '1' }],
    ['webhook_busy', 409, 'POST', `${one}/rotate-secret`, {}],
    ['store_unavailable', 503, 'GET', '/webhooks', undefined],
    ['shutting_down', 503, 'POST', `${one}/test`, undefined],
  ] as const)('%s is %i for %s %s', async (code, status, method, path, body) => {
    server.gateway.onWebhook = () => ({
      ok: false,
      code,
      detail: 'It is refused.',
      retryAfterS: 1,
      ...(code === 'invalid_address' && { errors: [{ pointer: '/accounts/0', message: 'It is wrong.' }] }),
    });
    expect(await ask(method, path, body)).toMatchObject({ status, body: { code, detail: 'It is refused.' } });
  });

  test('no line of the log has a secret or a URL in it', async () => {
    await ask('POST', '/webhooks', { url: 'https://shop.example/key-in-the-path' });
    await ask('POST', `${one}/rotate-secret`, {});
    const lines = JSON.stringify(server.log);
    expect(lines).toContain('/webhooks');
    for (const hidden of [SECRET, 'whsec_', 'key-in-the-path']) expect(lines).not.toContain(hidden);
  });
});
