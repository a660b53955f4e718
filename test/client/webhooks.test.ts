/** The endpoints of webhooks, managed through the client: the requests are the contract's, and so are the answers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as client from '../../client/src/index.ts';
import { testClient } from './support/client.ts';
import { example } from './support/contract.ts';
import { problem, ScriptedServer } from './support/scripted-server.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );
const made = example('WebhookMade');
const webhook = example('WebhookAsItIs');
const webhookId: string = webhook.id;
const WITH_BODY: client.WebhookInput = {
  url: 'https://shop.example/ledger',
  types: ['transaction.committed'],
  submittedOnly: true,
};

type Call = (of: client.Client) => Promise<unknown>;

test.each<[string, number, unknown, Call, string, unknown]>([
  ['createWebhook', 201, made, (of) => client.createWebhook(of, WITH_BODY), 'POST /webhooks', WITH_BODY],
  ['listWebhooks', 200, example('WebhooksOfTheOwner'), (of) => client.listWebhooks(of), 'GET /webhooks', undefined],
  ['getWebhook', 200, webhook, (of) => client.getWebhook(of, { webhookId }), `GET /webhooks/${webhookId}`, undefined],
  [
    'updateWebhook',
    200,
    webhook,
    (of) => client.updateWebhook(of, { webhookId, status: 'enabled', accounts: [] }),
    `PATCH /webhooks/${webhookId}`,
    { status: 'enabled', accounts: [] },
  ],
  [
    'rotateWebhookSecret',
    200,
    { ...made, id: webhookId },
    (of) => client.rotateWebhookSecret(of, { webhookId, overlapSeconds: 60 }),
    `POST /webhooks/${webhookId}/rotate-secret`,
    { overlapSeconds: 60 },
  ],
  [
    'testWebhook',
    202,
    { webhookId, messageId: 'test_01jd8x6c1wq5r4tqv2k9f3m7np' },
    (of) => client.testWebhook(of, { webhookId }),
    `POST /webhooks/${webhookId}/test`,
    undefined,
  ],
  [
    'listWebhookDeliveries',
    200,
    { deliveries: [] },
    (of) => client.listWebhookDeliveries(of, { webhookId, limit: 7, cursor: 'AAA' }),
    `GET /webhooks/${webhookId}/deliveries?limit=7&cursor=AAA`,
    undefined,
  ],
  [
    'replayWebhook',
    202,
    { webhookId, after: '3', until: '4-1' },
    (of) => client.replayWebhook(of, { webhookId, after: '3', until: '4-1' }),
    `POST /webhooks/${webhookId}/replay`,
    { after: '3', until: '4-1' },
  ],
])('%s sends and takes what the contract says', async (operation, status, body, call, asked, sent) => {
  server.script({ status, body });
  const { client: of, operations, faults } = testClient(server.baseUrl);
  expect(await call(of)).toEqual(operation === 'listWebhooks' ? (body as { webhooks: unknown }).webhooks : body);
  const [request] = server.seen;
  expect(`${request!.method} ${request!.path}`).toBe(asked);
  expect(request!.body === '' ? undefined : JSON.parse(request!.body)).toEqual(sent);
  expect([...operations]).toEqual([operation]);
  expect(faults.filter((fault) => fault.includes('request'))).toEqual([]);
});

test('an endpoint that is gone after a lost answer was removed; one that was never there is an error', async () => {
  const of = client.createClient({ baseUrl: server.baseUrl, token: 'txl_a_b', environment: { random: () => 0 } });
  server.script('drop', problem('not_found'));
  await client.deleteWebhook(of, { webhookId });
  server.script({ status: 204, body: '' });
  await client.deleteWebhook(of, { webhookId });
  server.script(problem('not_found'));
  expect(await caught(client.deleteWebhook(of, { webhookId }))).toMatchObject({ name: 'NotFoundError' });
});

test.each<[string, Call]>([
  ['createWebhook', (of) => client.createWebhook(of, WITH_BODY)],
  ['rotateWebhookSecret', (of) => client.rotateWebhookSecret(of, { webhookId })],
  ['testWebhook', (of) => client.testWebhook(of, { webhookId })],
])('%s is sent once, unless more is asked for: an answer that is lost may have held a secret', async (_, call) => {
  server.script('drop');
  expect(await caught(call(testClient(server.baseUrl).client))).toMatchObject({ name: 'ConnectionError' });
  expect(server.seen).toHaveLength(1);
});
