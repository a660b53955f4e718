/** The client's events against a service that is killed and stopped meanwhile: each payment is told once, in order, and waits hold. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import {
  createClient,
  createWebhook,
  deleteWebhook,
  events,
  getWebhook,
  type LedgerEvent,
  listEvents,
  listWebhookDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  sendTransfer,
  signerFromSeed,
  testWebhook,
  updateWebhook,
  waitForTransaction,
} from '../../client/src/index.ts';
import { withOwnChain } from './support/development.ts';

const chain = withOwnChain({ BLOCK_INTERVAL_MS: '100', LOG_LEVEL: 'error' });
const PAYMENTS = 18;

test('tell each payment once and in order, through two restarts', async () => {
  const { server, dev } = chain();
  const client = createClient({ baseUrl: server.baseUrl, token: dev.token });
  const signer = await signerFromSeed(chain().account(0).seed);
  const to = chain().account(1).address;
  const { height } = await listEvents(client, { limit: 1 });

  const seen: LedgerEvent[] = [];
  const following = (async () => {
    for await (const event of events(client, { account: to, after: `${height}` }))
      if (seen.push(event) === PAYMENTS) return;
  })();
  const reachedBy = async (count: number): Promise<void> => {
    while (seen.length < count) await sleep(20);
  };
  const sent: string[] = [];
  for (let third = 0; third < 3; third++) {
    const waits = [];
    for (let i = 0; i < PAYMENTS / 3; i++) {
      const { signed } = await sendTransfer(client, {
        signer,
        to,
        amount: BigInt(sent.length + 1),
        reference: `EV ${sent.length}`,
      });
      sent.push(signed.txHash);
      waits.push(waitForTransaction(client, { txHash: signed.txHash }));
    }
    if (third < 2) {
      // One is told before the service goes, others perhaps not.
      await reachedBy(third * (PAYMENTS / 3) + 1);
      await server.stop(third === 0 ? 'SIGKILL' : 'SIGTERM');
      await server.start();
    }
    expect((await Promise.all(waits)).map(({ outcome }) => outcome)).toEqual(Array(PAYMENTS / 3).fill('committed'));
  }
  await following;
  expect(seen.map(({ data }) => data.transaction.txHash)).toEqual(sent);
  const pages = await listEvents(client, { account: to, after: `${height}`, order: 'asc', limit: 1_000 });
  expect(pages.events).toEqual(seen);
}, 240_000);

test('webhooks are made, changed and removed', async () => {
  const { server, dev } = chain();
  const client = createClient({ baseUrl: server.baseUrl, token: dev.token });
  // Nothing listens there: what matters is that it is kept.
  const {
    id: webhookId,
    secret,
    status,
  } = await createWebhook(client, { url: 'http://127.0.0.1:9/ledger', types: ['transaction.committed'] });
  expect([status, secret.startsWith('whsec_')]).toEqual(['enabled', true]);
  await expect(createWebhook(client, { url: 'http://127.0.0.1:9/ledger' })).rejects.toMatchObject({
    name: 'WebhookExistsError',
    code: 'webhook_exists',
  });
  await expect(createWebhook(client, { url: 'http://shop.example/ledger' })).rejects.toMatchObject({
    name: 'WebhookUrlRefusedError',
  });
  expect((await rotateWebhookSecret(client, { webhookId })).secret).not.toBe(secret);
  expect((await testWebhook(client, { webhookId })).messageId).toMatch(/^test_/);
  expect(await updateWebhook(client, { webhookId, status: 'disabled', types: [] })).toMatchObject({
    status: 'disabled',
  });
  await expect(testWebhook(client, { webhookId })).rejects.toMatchObject({ name: 'WebhookDisabledError' });
  expect(await getWebhook(client, { webhookId })).not.toHaveProperty('secret');
  expect((await listWebhookDeliveries(client, { webhookId })).deliveries).toEqual(expect.any(Array));
  expect((await listWebhooks(client)).map(({ id }) => id)).toEqual([webhookId]);
  await deleteWebhook(client, { webhookId });
  expect(await listWebhooks(client)).toEqual([]);
}, 60_000);
