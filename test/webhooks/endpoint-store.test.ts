/** What delivery writes down, in a real chain.db. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DELIVERIES_KEPT, endpointStore } from '../../server/gateway/webhooks/delivery/endpoint-store.ts';
import type { DeliveryRecord, EndpointStore, Progress } from '../../server/gateway/webhooks/delivery/ports.ts';
import type { AuditEntry } from '../../server/store/types.ts';
import type { WebhookStore } from '../../server/store/webhooks/index.ts';
import { freshFile, openWebhookStore, webhook } from './support/stores.ts';

let webhooks: WebhookStore;
let store: EndpointStore;
let remove: () => Promise<void>;
let trail: AuditEntry[] | undefined;
let names = 0;
const made = webhook({ id: 'wh_1' });

const progress = (parts: Partial<Progress>): Progress => ({
  endpoints: [],
  records: [],
  replays: [],
  postponed: [],
  finished: [],
  ...parts,
});
const record = (parts: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  endpointId: 'wh_1',
  messageId: '8-0',
  type: 'transaction.committed',
  replay: false,
  attempt: 1,
  atMs: 5,
  durationMs: 3,
  code: 'delivered',
  httpStatus: 204,
  ...parts,
});
const at = (height: number, index: number) => ({
  id: 'wh_1',
  revision: 1,
  place: { height, index },
  failing: undefined,
});

beforeEach(async () => {
  const database = await freshFile();
  remove = database.remove;
  trail = database.trail;
  webhooks = await openWebhookStore(database.location);
  store = endpointStore({ store: webhooks, actor: 'gateway:test', newId: (prefix) => `${prefix}_${++names}` });
  await webhooks.write((tx) => tx.insertWebhook(made));
});

afterEach(async () => {
  await webhooks.close();
  await remove();
});

test('two holders never move a place backwards', async () => {
  await store.save(progress({ endpoints: [{ ...at(9, 1), lastSuccessAtMs: 77 }] }));
  await store.save(progress({ endpoints: [at(8, 5)] }));
  expect(await webhooks.now.webhook('wh_1')).toMatchObject({ place: { height: 9, index: 1 }, lastSuccessAtMs: 77 });
});

test('a failure is kept with its waits, and only of the endpoint as it was', async () => {
  const failed = {
    ...at(8, 0),
    failing: { sinceMs: 100, attempts: 2, retryAtMs: 900 },
    lastFailure: { atMs: 120, code: 'timeout', detail: 'It was silent.' },
  };
  await store.save(
    progress({
      endpoints: [failed],
      records: [record({ code: 'timeout', httpStatus: undefined, detail: 'It was silent.', retryAtMs: 900 })],
    }),
  );
  await store.version();
  expect((await store.load()).endpoints[0]).toMatchObject({
    place: { height: 8, index: 0 },
    failing: { sinceMs: 100, attempts: 2, retryAtMs: 900 },
  });
  expect(await webhooks.now.deliveries({ webhookId: 'wh_1', limit: 10 })).toMatchObject([
    { outcome: 'failed', error: { code: 'timeout' }, kind: 'event' },
  ]);
  await webhooks.write((tx) =>
    tx.changeWebhook('wh_1', 1, { url: 'https://new.example/', clearFailure: true, updatedAtMs: 1 }),
  );
  await store.save(progress({ endpoints: [failed] }));
  expect((await webhooks.now.webhook('wh_1'))?.failure).toBeUndefined();
});

test('who disables says so in the audit trail and to the owner, once, and not of an endpoint that was changed', async () => {
  await webhooks.write(async (tx) => {
    await tx.insertWebhook(webhook({ id: 'wh_2' }));
    await tx.insertWebhook(webhook({ id: 'wh_3', owner: 'other' }));
  });
  const what = {
    id: 'wh_1',
    reason: 'gone',
    detail: 'The target answered 410 Gone.',
    atMs: 1_700_000_000_000,
  } as const;
  expect(await store.disable({ ...what, revision: 7 })).toBe(false);
  expect(await store.disable({ ...what, revision: 1 })).toBe(true);
  expect(await store.disable({ ...what, revision: 2 })).toBe(false);
  expect(await webhooks.now.webhook('wh_1')).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  expect(trail).toMatchObject([
    { actor: 'gateway:test', action: 'webhook.disable', subject: 'wh_1', details: { owner: 'acme', reason: 'gone' } },
  ]);
  await store.version();
  const { jobs } = await store.load();
  expect(jobs).toMatchObject([{ endpointId: 'wh_2', kind: 'message', type: 'webhook.disabled' }]);
  const [notice] = jobs as unknown as { messageId: string; body: string }[];
  expect(JSON.parse(notice?.body ?? '')).toEqual({
    id: notice?.messageId,
    type: 'webhook.disabled',
    timestamp: '2023-11-14T22:13:20.000Z',
    data: { webhookId: 'wh_1', reason: 'gone' },
  });
});

test('the log of an endpoint is bounded, and that of a deleted one is not written', async () => {
  for (let i = 0; i < 13; i += 1)
    await store.save(progress({ records: Array.from({ length: 100 }, (_, n) => record({ messageId: `${i}-${n}` })) }));
  const kept = await webhooks.now.deliveries({ webhookId: 'wh_1', limit: 2000 });
  expect(kept).toHaveLength(DELIVERIES_KEPT);
  expect(kept[0]).toMatchObject({ eventId: '12-99', statusCode: 204 });
  await webhooks.write((tx) => tx.deleteWebhook('wh_1'));
  await store.save(progress({ records: [record()], endpoints: [at(99, 0)] }));
  expect(await webhooks.now.deliveries({ webhookId: 'wh_1', limit: 10 })).toEqual([]);
});

test('whether anything changed is asked without reading endpoints or work', async () => {
  const { version } = endpointStore({
    store: { ...webhooks, now: { marks: () => webhooks.now.marks() } as WebhookStore['now'] },
    actor: 'gateway:test',
    newId: String,
  });
  const before = await version();
  await webhooks.write((tx) => tx.addWork({ id: 'test_1', webhookId: 'wh_1', kind: 'test', createdAtMs: 1 }));
  const after = await version();
  expect(after).not.toBe(before);
  await webhooks.write((tx) => tx.insertWebhook(webhook({ id: 'wh_2' })));
  expect(await version()).not.toBe(after);
});

test('a change by an owner is another version, and progress is none', async () => {
  const before = await store.version();
  await store.save(progress({ endpoints: [at(9, 0)], records: [record()] }));
  expect(await store.version()).toBe(before);
  await webhooks.write((tx) => tx.changeWebhook('wh_1', 1, { url: 'https://new.example/', updatedAtMs: 1 }));
  const changed = await store.version();
  expect(changed).not.toBe(before);
  await webhooks.write((tx) => tx.addWork({ id: 'test_1', webhookId: 'wh_1', kind: 'test', createdAtMs: 1 }));
  expect(await store.version()).not.toBe(changed);
  await store.save(progress({ finished: ['test_1'] }));
  expect(await store.version()).toBe(changed);
});
