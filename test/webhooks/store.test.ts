/** What is kept of webhooks: the same on every database, and for several writers at a time. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import type { NewDelivery, StoredWebhook, WebhookStore } from '../../server/store/webhooks/index.ts';
import { onEachWebhookDatabase, openWebhookStore, webhook, type WebhookDatabase } from './support/stores.ts';

const delivery = (webhookId: string, parts: Partial<NewDelivery> = {}): NewDelivery => ({
  webhookId,
  eventId: '8-0',
  type: 'transaction.committed',
  kind: 'event',
  atMs: 1,
  attempt: 1,
  outcome: 'delivered',
  statusCode: 204,
  durationMs: 12,
  ...parts,
});

onEachWebhookDatabase('the store of webhooks', (fresh) => {
  let database: WebhookDatabase;
  let store: WebhookStore;
  beforeEach(async () => {
    database = await fresh();
    store = await openWebhookStore(database.location);
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const insert = async (...rows: StoredWebhook[]): Promise<void> => {
    await store.write(async (tx) => {
      for (const row of rows) await tx.insertWebhook(row);
    });
  };

  test('keeps all of an endpoint, for whoever opens the database next', async () => {
    const whole = webhook({
      description: 'orders "é"',
      filters: { types: ['transaction.committed'], accounts: ['txlt1x'], submittedOnly: true },
      status: 'disabled',
      disabledReason: 'failing',
      secrets: { current: 'whsec_B', previous: [{ secret: 'whsec_A', untilMs: 99 }] },
      place: { height: 2 ** 40, index: END_OF_BLOCK },
      failure: { firstFailedAtMs: 5, attempts: 3, nextAttemptAtMs: 9 },
      lastSuccessAtMs: 4,
      lastFailure: { atMs: 6, code: 'timeout', detail: 'The endpoint did not answer.' },
    });
    const bare = webhook();
    await insert(whole, bare);
    await store.close();
    store = await openWebhookStore(database.location);
    expect(await store.now.webhook(whole.id)).toEqual(whole);
    expect(await store.now.webhook(bare.id)).toEqual(bare);
    expect(await store.now.webhook('wh_none')).toBeUndefined();
    expect((await store.now.enabledWebhooks()).map(({ id }) => id)).toEqual([bare.id]);
  });

  test('lists an owner’s own, oldest first', async () => {
    const [first, second, other] = [
      webhook({ createdAtMs: 1 }),
      webhook({ createdAtMs: 2 }),
      webhook({ owner: 'other' }),
    ] as const;
    await insert(second, first, other);
    expect((await store.now.webhooksOf('acme')).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('changes only the version that was read, and only what is named', async () => {
    const row = webhook({ description: 'a', failure: { firstFailedAtMs: 5, attempts: 3, nextAttemptAtMs: 9 } });
    await insert(row);
    const change = (version: number, changes: object) =>
      store.write((tx) => tx.changeWebhook(row.id, version, { updatedAtMs: 50, ...changes }));
    expect(await change(1, { url: 'https://b.example/' })).toBe(true);
    expect(await change(1, { url: 'https://c.example/' })).toBe(false);
    expect(await store.now.webhook(row.id)).toEqual({ ...row, url: 'https://b.example/', updatedAtMs: 50, version: 2 });
    expect(
      await change(2, {
        description: null,
        clearFailure: true,
        secrets: { current: 'whsec_C', previous: [{ secret: 'whsec_AAAA', untilMs: 7 }] },
      }),
    ).toBe(true);
    const { description: _, failure: __, ...kept } = row;
    expect(await store.now.webhook(row.id)).toEqual({
      ...kept,
      url: 'https://b.example/',
      secrets: { current: 'whsec_C', previous: [{ secret: 'whsec_AAAA', untilMs: 7 }] },
      updatedAtMs: 50,
      version: 3,
    });
    expect(await store.write((tx) => tx.changeWebhook('wh_none', 1, { updatedAtMs: 1 }))).toBe(false);
  });

  test('moves a place only from where it is, so that a delivery that is late undoes nothing', async () => {
    const row = webhook({ place: { height: 7, index: 2 } });
    await insert(row);
    const at = (height: number, index: number) => ({ height, index });
    const last = { atMs: 6, code: 'timeout', detail: 'x' };
    expect(
      await store.write((tx) =>
        tx.noteFailure(row.id, at(7, 2), { firstFailedAtMs: 5, attempts: 1, nextAttemptAtMs: 9 }, last),
      ),
    ).toBe(true);
    expect(await store.now.webhook(row.id)).toMatchObject({
      failure: { firstFailedAtMs: 5, attempts: 1, nextAttemptAtMs: 9 },
      lastFailure: last,
      version: 1,
    });
    expect(await store.write((tx) => tx.advance(row.id, at(7, 2), at(8, 0), 70))).toBe(true);
    expect(await store.write((tx) => tx.advance(row.id, at(7, 2), at(9, 0), 80))).toBe(false);
    expect(
      await store.write((tx) =>
        tx.noteFailure(row.id, at(7, 2), { firstFailedAtMs: 5, attempts: 2, nextAttemptAtMs: 9 }, last),
      ),
    ).toBe(false);
    const now = await store.now.webhook(row.id);
    expect(now).toMatchObject({ place: at(8, 0), lastSuccessAtMs: 70, lastFailure: last });
    expect(now).not.toHaveProperty('failure');
  });

  test('numbers the log for each endpoint, reads it newest first, and keeps the newest', async () => {
    const [a, b] = [webhook(), webhook()];
    await insert(a, b);
    await store.write((tx) =>
      tx.appendDeliveries([delivery(a.id, { eventId: '8-0' }), delivery(b.id), delivery(a.id, { eventId: '8-1' })]),
    );
    const failed = delivery(a.id, {
      eventId: '9-0',
      kind: 'replay',
      attempt: 2,
      outcome: 'failed',
      error: { code: 'tls', detail: 'x' },
      answer: 'no',
    });
    await store.write((tx) => tx.appendDeliveries([failed]));
    expect(await store.now.deliveries({ webhookId: a.id, limit: 2 })).toEqual([
      { ...failed, seq: 3 },
      { ...delivery(a.id, { eventId: '8-1' }), seq: 2 },
    ]);
    expect((await store.now.deliveries({ webhookId: a.id, limit: 9, before: 2 })).map(({ seq }) => seq)).toEqual([1]);
    await store.write((tx) => tx.pruneDeliveries(a.id, 2));
    expect((await store.now.deliveries({ webhookId: a.id, limit: 9 })).map(({ seq }) => seq)).toEqual([3, 2]);
    expect(await store.now.deliveries({ webhookId: b.id, limit: 9 })).toHaveLength(1);
  });

  test('keeps what waits to be done until it is done, and removes it with its endpoint', async () => {
    const row = webhook();
    await insert(row);
    const replay = {
      id: 'replay_1',
      webhookId: row.id,
      createdAtMs: 2,
      kind: 'replay',
      after: { height: 1, index: 0 },
      until: { height: 5, index: END_OF_BLOCK },
      place: { height: 1, index: 0 },
    } as const;
    const notice = {
      id: 'disabled_1',
      webhookId: row.id,
      createdAtMs: 3,
      kind: 'disabled',
      about: 'wh_other',
      reason: 'gone',
    } as const;
    await store.write(async (tx) => {
      await tx.addWork(notice);
      await tx.addWork(replay);
      await tx.addWork({ id: 'test_1', webhookId: row.id, createdAtMs: 1, kind: 'test' });
    });
    const waits = { attempts: 0, nextAttemptAtMs: 0 };
    expect(await store.now.work()).toEqual([
      { id: 'test_1', webhookId: row.id, createdAtMs: 1, kind: 'test', ...waits },
      { ...replay, ...waits },
      { ...notice, ...waits },
    ]);
    await store.write(async (tx) => {
      await tx.endWork('test_1');
      await tx.postponeWork('disabled_1', 2, 77);
      await tx.advanceReplay('replay_1', { height: 3, index: 1 });
    });
    expect(await store.now.work(row.id)).toEqual([
      { ...replay, ...waits, place: { height: 3, index: 1 } },
      { ...notice, attempts: 2, nextAttemptAtMs: 77 },
    ]);
    await store.write((tx) => tx.appendDeliveries([delivery(row.id)]));
    expect(await store.write((tx) => tx.deleteWebhook(row.id))).toBe(true);
    expect(await store.write((tx) => tx.deleteWebhook(row.id))).toBe(false);
    expect([await store.now.work(), await store.now.deliveries({ webhookId: row.id, limit: 1 })]).toEqual([[], []]);
  });

  test('holds entries of the audit trail until they are brought there', async () => {
    const entry = {
      id: 'a1',
      atMs: 5,
      actor: 'owner acme',
      action: 'webhook.create',
      subject: 'wh_1',
      details: { url: 'https://a.example/' },
    } as const;
    await store.write((tx) => tx.addAudit(entry));
    if (database.trail !== undefined) {
      const { id: _, ...line } = entry;
      expect(database.trail).toEqual([line]);
    } else expect(await store.now.waitingAudit(10)).toEqual([entry]);
    await store.write((tx) => tx.endAudit(['a1']));
    expect(await store.now.waitingAudit(10)).toEqual([]);
  });

  test('gives two openers turns: of their read-then-write transactions none is lost, and a thrown one leaves nothing', async () => {
    const other = await openWebhookStore(database.location);
    const row = webhook();
    await insert(row);
    const raise = (by: WebhookStore) =>
      by.write(async (tx) => {
        const { version = 0 } = (await tx.webhook(row.id)) ?? {};
        expect(await tx.changeWebhook(row.id, version, { updatedAtMs: version })).toBe(true);
      });
    await Promise.all(Array.from({ length: 10 }, (_, i) => raise(i % 2 === 0 ? store : other)));
    expect(await store.now.webhook(row.id)).toMatchObject({ version: 11 });
    const thrown = store.write(async (tx) => {
      await tx.deleteWebhook(row.id);
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    expect(await other.now.webhook(row.id)).toBeDefined();
    await other.close();
  });
});
