/** What the owner of webhooks is promised: the same on every database. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import type { WebhookAnswer, WebhookSecretAnswer } from '../../server/gateway/webhooks/api.ts';
import { createWebhookService, type WebhookService } from '../../server/gateway/webhooks/service.ts';
import type { AuditEntry } from '../../server/store/types.ts';
import type { WebhookStore } from '../../server/store/webhooks/index.ts';
import { devAddress, TEST_CHAIN } from '../ledger/support.ts';
import { onEachWebhookDatabase, openWebhookStore, type WebhookDatabase } from './support/stores.ts';

const ACME = { owner: 'acme', tokenId: 'aa' };
const OTHER = { owner: 'other', tokenId: 'bb' };
const URL_OF = (name: string | number) => `https://${name}.example/hooks`;
const REFUSED = (code: string) => ({ ok: false, code });

onEachWebhookDatabase(
  'webhooks of an owner',
  (fresh) => {
    let database: WebhookDatabase;
    let service: WebhookService;
    let store: WebhookStore;
    let nowMs: number;
    let height: number;
    let audit: AuditEntry[];
    let changes: number;
    let auditIsAway: boolean;
    /** In the entries of the changes, or brought there. */
    const trail = (): AuditEntry[] => database.trail ?? audit;

    const open = (): WebhookService =>
      createWebhookService({
        openStore: () => openWebhookStore(database.location),
        height: async () => height,
        appendAudit: async (entries) => {
          if (auditIsAway) throw new Error('away');
          audit.push(...entries);
        },
        onChange: () => (changes += 1),
        targets: { loopback: false, allowed: [] },
        chain: TEST_CHAIN,
        clock: { nowMs: () => nowMs } as never,
        random: { bytes: (n) => new Uint8Array(randomBytes(n)) },
        logger: { error: () => undefined, warn: () => undefined } as never,
      });

    beforeEach(async () => {
      [nowMs, height, audit, changes, auditIsAway] = [1000, 40, [], 0, false];
      database = await fresh();
      service = open();
      store = await openWebhookStore(database.location);
    });
    afterEach(async () => {
      await service.close();
      await store.close();
      await database.remove();
    });

    const made = async (parts = {}, caller = ACME): Promise<WebhookSecretAnswer> => {
      const answer = await service.createWebhook(caller, { url: URL_OF(Object.keys(parts).length), ...parts });
      if (!answer.ok) throw new Error(answer.detail);
      return answer;
    };
    const shown = async (id: string, owner = 'acme') =>
      ((await service.getWebhook(owner, id)) as WebhookAnswer).webhook;

    test('a new one is enabled, begins behind the last block, and shows its secret this once', async () => {
      const { webhook, secret } = await made({
        url: 'https://Shop.example',
        description: 'orders',
        types: ['transaction.committed', 'transaction.committed'],
        accounts: [devAddress(1)],
        submittedOnly: false,
      });
      expect(webhook).toEqual({
        id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
        url: 'https://shop.example/',
        description: 'orders',
        types: ['transaction.committed'],
        accounts: [devAddress(1)],
        status: 'enabled',
        place: { height: 40, index: END_OF_BLOCK },
        createdAtMs: 1000,
        updatedAtMs: 1000,
      });
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect((await store.now.webhook(webhook.id))?.secrets).toEqual({ current: secret, previous: [] });
      const answers = [
        await service.getWebhook('acme', webhook.id),
        await service.listWebhooks('acme'),
        await service.updateWebhook(ACME, webhook.id, { description: 'x' }),
      ];
      expect(JSON.stringify(answers)).not.toContain(secret.slice(6, 20));
      expect(await service.listWebhooks('acme')).toMatchObject({
        ok: true,
        webhooks: [{ id: webhook.id, description: 'x' }],
      });
    });

    test('one of another owner is as one that does not exist, whatever is asked of it, and is left as it is', async () => {
      const { webhook } = await made();
      const { id } = webhook;
      const asked = [
        service.getWebhook('other', id),
        service.updateWebhook(OTHER, id, { status: 'disabled' }),
        service.deleteWebhook(OTHER, id),
        service.rotateWebhookSecret(OTHER, id, 0),
        service.testWebhook('other', id),
        service.listWebhookDeliveries('other', id, { limit: 1 }),
        service.replayWebhook('other', id, { after: '1' }),
      ];
      const none = await service.getWebhook('acme', 'wh_00000000000000000000000000');
      for (const answer of await Promise.all(asked))
        expect(JSON.stringify(answer).replaceAll(id, 'ID')).toBe(
          JSON.stringify(none).replaceAll('wh_00000000000000000000000000', 'ID'),
        );
      expect(await service.listWebhooks('other')).toEqual({ ok: true, webhooks: [] });
      expect(await shown(id)).toEqual(webhook);
      expect(await store.now.work()).toEqual([]);
      expect((await made({ url: URL_OF(0) }, OTHER)).webhook.id).not.toBe(id);
    });

    test('an owner has 20, however many are asked for at a time, and each with another URL', async () => {
      const asked = await Promise.all(
        Array.from({ length: 23 }, (_, i) => service.createWebhook(ACME, { url: URL_OF(`shop-${i}`) })),
      );
      expect(asked.filter(({ ok }) => ok)).toHaveLength(20);
      expect(asked.filter(({ ok }) => !ok)).toEqual(
        Array.from({ length: 3 }, () => expect.objectContaining(REFUSED('too_many_webhooks'))),
      );
      const [first, second] = asked.filter(({ ok }) => ok) as WebhookSecretAnswer[];
      expect(await service.createWebhook(ACME, { url: first!.webhook.url })).toMatchObject({
        ...REFUSED('webhook_exists'),
        detail: expect.stringContaining(first!.webhook.id),
      });
      expect(await service.updateWebhook(ACME, second!.webhook.id, { url: first!.webhook.url })).toMatchObject(
        REFUSED('webhook_exists'),
      );
      expect(await service.updateWebhook(ACME, first!.webhook.id, { url: first!.webhook.url })).toMatchObject({
        ok: true,
      });
      await service.deleteWebhook(ACME, first!.webhook.id);
      expect(await service.createWebhook(ACME, { url: URL_OF('another') })).toMatchObject({ ok: true });
    });

    test('a target that may not be called, an address of another chain and a type that no event has are refused', async () => {
      expect(await service.createWebhook(ACME, { url: 'https://10.0.0.1/' })).toMatchObject({
        ...REFUSED('webhook_url_refused'),
        errors: [{ pointer: '/url' }],
      });
      expect(
        await service.createWebhook(ACME, {
          url: URL_OF('a'),
          accounts: [devAddress(1), `${devAddress(2).slice(0, -1)}q`],
        }),
      ).toMatchObject({ ...REFUSED('invalid_address'), errors: [{ pointer: '/accounts/1' }] });
      expect(await service.createWebhook(ACME, { url: URL_OF('a'), types: ['transaction.comitted'] })).toMatchObject({
        ...REFUSED('invalid_request'),
        errors: [{ pointer: '/types/0' }],
      });
      expect(await service.listWebhooks('acme')).toEqual({ ok: true, webhooks: [] });
      const { webhook } = await made();
      expect(await service.updateWebhook(ACME, webhook.id, { url: 'http://shop.example/' })).toMatchObject(
        REFUSED('webhook_url_refused'),
      );
      expect(await shown(webhook.id)).toEqual(webhook);
    });

    test('a change names what it changes; an empty text, an empty list and false take away', async () => {
      const { webhook } = await made({
        description: 'a',
        types: ['transaction.failed'],
        accounts: [devAddress(1)],
        submittedOnly: true,
      });
      nowMs = 2000;
      await service.updateWebhook(ACME, webhook.id, { accounts: [devAddress(2)] });
      expect(await shown(webhook.id)).toEqual({ ...webhook, accounts: [devAddress(2)], updatedAtMs: 2000 });
      await service.updateWebhook(ACME, webhook.id, { description: '', types: [], accounts: [], submittedOnly: false });
      const { description: _, types: __, accounts: ___, submittedOnly: ____, ...bare } = webhook;
      expect(await shown(webhook.id)).toEqual({ ...bare, updatedAtMs: 2000 });
    });

    test('of changes at one time of different members every one counts, and none of rotated secrets is lost', async () => {
      const { webhook, secret } = await made();
      const second = open();
      const [, , a, b] = await Promise.all([
        service.updateWebhook(ACME, webhook.id, { description: 'a' }),
        second.updateWebhook(ACME, webhook.id, { submittedOnly: true }),
        service.rotateWebhookSecret(ACME, webhook.id, 60),
        second.rotateWebhookSecret(ACME, webhook.id, 60),
      ]);
      expect(await shown(webhook.id)).toMatchObject({ description: 'a', submittedOnly: true });
      const secrets = (await store.now.webhook(webhook.id))?.secrets;
      const all = [secrets?.current, ...(secrets?.previous ?? []).map((one) => one.secret)];
      expect(new Set(all)).toEqual(
        new Set([secret, (a as WebhookSecretAnswer).secret, (b as WebhookSecretAnswer).secret]),
      );
      await second.close();
    });

    test('a secret that is replaced signs until its overlap ends; no overlap ends every earlier one', async () => {
      const { webhook, secret } = await made();
      const rotate = (overlapS: number) =>
        service.rotateWebhookSecret(ACME, webhook.id, overlapS) as Promise<WebhookSecretAnswer>;
      const first = await rotate(60);
      expect(first.secret).not.toBe(secret);
      expect(first.webhook.previousSecretUntilMs).toBe(61_000);
      nowMs = 31_000;
      const second = await rotate(60);
      const kept = async () => (await store.now.webhook(webhook.id))?.secrets;
      expect(await kept()).toEqual({
        current: second.secret,
        previous: [
          { secret: first.secret, untilMs: 91_000 },
          { secret, untilMs: 61_000 },
        ],
      });
      nowMs = 61_000;
      const third = await rotate(60);
      expect(await kept()).toMatchObject({ previous: [{ secret: second.secret }, { secret: first.secret }] });
      const fourth = await rotate(60);
      expect(await rotate(60)).toMatchObject(REFUSED('webhook_busy'));
      expect(await kept()).toMatchObject({
        current: fourth.secret,
        previous: [{ secret: third.secret }, { secret: second.secret }, { secret: first.secret }],
      });
      const last = await rotate(0);
      expect(await kept()).toEqual({ current: last.secret, previous: [] });
      expect(await shown(webhook.id)).not.toHaveProperty('previousSecretUntilMs');
    });

    test('enabled again it goes on where it stopped, or from now when that is asked for, and never goes back', async () => {
      const { webhook } = await made();
      const failing = { firstFailedAtMs: 5, attempts: 9, nextAttemptAtMs: 99_999 };
      await store.write(async (tx) => {
        await tx.noteFailure(webhook.id, webhook.place, failing, { atMs: 5, code: 'timeout', detail: 'x' });
        await tx.changeWebhook(webhook.id, 1, { status: 'disabled', disabledReason: 'failing', updatedAtMs: 5 });
      });
      expect(await service.updateWebhook(ACME, webhook.id, { status: 'disabled' })).toMatchObject({
        webhook: { disabledReason: 'failing' },
      });
      height = 90;
      expect(await service.updateWebhook(ACME, webhook.id, { status: 'enabled' })).toMatchObject({
        webhook: { status: 'enabled', place: webhook.place },
      });
      const enabled = await store.now.webhook(webhook.id);
      expect(enabled).not.toHaveProperty('failure');
      expect(enabled).not.toHaveProperty('disabledReason');
      expect(await service.updateWebhook(ACME, webhook.id, { status: 'disabled' })).toMatchObject({
        webhook: { status: 'disabled', disabledReason: 'owner' },
      });
      expect(await service.updateWebhook(ACME, webhook.id, { status: 'enabled', resumeFrom: 'now' })).toMatchObject({
        webhook: { place: { height: 90, index: END_OF_BLOCK } },
      });
      height = 50;
      expect(await service.updateWebhook(ACME, webhook.id, { status: 'enabled', resumeFrom: 'now' })).toMatchObject({
        webhook: { place: { height: 90, index: END_OF_BLOCK } },
      });
      expect(await service.updateWebhook(ACME, webhook.id, { resumeFrom: 'now' })).toMatchObject({
        ...REFUSED('invalid_request'),
        errors: [{ pointer: '/resumeFrom' }],
      });
    });

    test('tests wait to be sent, ten at most, and none for one that is disabled', async () => {
      const { webhook } = await made();
      const asked = await Promise.all(Array.from({ length: 12 }, () => service.testWebhook('acme', webhook.id)));
      expect(asked.filter(({ ok }) => ok)).toHaveLength(10);
      expect(asked.find(({ ok }) => !ok)).toMatchObject(REFUSED('webhook_busy'));
      const ids = asked.flatMap((answer) => (answer.ok ? [answer.messageId] : []));
      expect(new Set((await store.now.work(webhook.id)).map(({ id }) => id))).toEqual(new Set(ids));
      await service.updateWebhook(ACME, webhook.id, { status: 'disabled' });
      expect(await service.testWebhook('acme', webhook.id)).toMatchObject(REFUSED('webhook_disabled'));
      expect(await service.replayWebhook('acme', webhook.id, { after: '1' })).toMatchObject(
        REFUSED('webhook_disabled'),
      );
    });

    test('a replay is of a range that was delivered, one at a time', async () => {
      height = 2_000_000;
      const { webhook } = await made();
      const replay = (after: string, until?: string) => service.replayWebhook('acme', webhook.id, { after, until });
      for (const [after, until] of [
        ['5', '5'],
        ['6', '5-1'],
        ['1', '2000001'],
        ['0', '1500000'],
        ['9007199254740993', '2'],
        ['1', '9999999999999999'],
      ]) {
        expect(await replay(after!, until)).toMatchObject(REFUSED('invalid_request'));
      }
      const [one, two] = await Promise.all([replay('1999000-3'), replay('1999000', '1999500-7')]);
      expect([one, two].map(({ ok }) => ok).sort()).toEqual([false, true]);
      expect([one, two].find(({ ok }) => !ok)).toMatchObject(REFUSED('webhook_busy'));
      const [work] = await store.now.work();
      expect(work).toMatchObject({ kind: 'replay', webhookId: webhook.id, attempts: 0 });
      await store.write((tx) => tx.endWork(work!.id));
      expect(await replay('1999000', '1999500-7')).toEqual({
        ok: true,
        after: { height: 1_999_000, index: END_OF_BLOCK },
        until: { height: 1_999_500, index: 7 },
      });
    });

    test('pages of the log join to the whole log; a cursor is of one log', async () => {
      const { webhook } = await made();
      const other = await made({ url: URL_OF('other') });
      const row = {
        webhookId: webhook.id,
        type: 'transaction.committed',
        kind: 'event',
        atMs: 1,
        attempt: 1,
        outcome: 'delivered',
        durationMs: 1,
      } as const;
      await store.write((tx) =>
        tx.appendDeliveries(Array.from({ length: 5 }, (_, i) => ({ ...row, eventId: `9-${i}` }))),
      );
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await service.listWebhookDeliveries('acme', webhook.id, { limit: 2, cursor });
        if (!page.ok) throw new Error(page.detail);
        seen.push(...page.deliveries.map(({ eventId }) => eventId));
        if (page.nextCursor !== undefined)
          expect(
            await service.listWebhookDeliveries('acme', other.webhook.id, { limit: 2, cursor: page.nextCursor }),
          ).toMatchObject(REFUSED('invalid_request'));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(['9-4', '9-3', '9-2', '9-1', '9-0']);
    });

    test('a page of the log ends at a mebibyte of text, and says how to go on', async () => {
      const { webhook } = await made();
      const answer = '\uFFFD'.repeat(1024);
      await store.write((tx) =>
        tx.appendDeliveries(
          Array.from({ length: 400 }, (_, i) => ({
            webhookId: webhook.id,
            eventId: `9-${i}`,
            type: 'transaction.committed',
            kind: 'event' as const,
            atMs: 1,
            attempt: 1,
            outcome: 'failed' as const,
            durationMs: 1,
            statusCode: 500,
            answer,
          })),
        ),
      );
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await service.listWebhookDeliveries('acme', webhook.id, { limit: 1000, cursor });
        if (!page.ok) throw new Error(page.detail);
        expect(Buffer.byteLength(JSON.stringify(page.deliveries))).toBeLessThanOrEqual(1024 * 1024);
        expect(page.deliveries.length).toBeGreaterThan(0);
        seen.push(...page.deliveries.map(({ seq }) => seq));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(Array.from({ length: 400 }, (_, i) => 400 - i));
    });

    test('every change is in the audit trail without a secret, also when the trail was away at first', async () => {
      const { webhook, secret } = await made({ url: 'https://shop.example/hooks/path-with-a-key?key=hidden' });
      await service.updateWebhook(ACME, webhook.id, { url: 'https://other.example/hooks?key=hidden' });
      auditIsAway = true;
      const rotated = (await service.rotateWebhookSecret(ACME, webhook.id, 60)) as WebhookSecretAnswer;
      expect(rotated.ok).toBe(true);
      auditIsAway = false;
      await service.deleteWebhook(ACME, webhook.id);
      expect(trail().map(({ action }) => action)).toEqual([
        'webhook.create',
        'webhook.update',
        'webhook.rotate',
        'webhook.delete',
      ]);
      expect(trail()).toEqual(
        trail().map((entry) => ({
          ...entry,
          actor: 'token:aa',
          subject: webhook.id,
          details: expect.objectContaining({ owner: 'acme' }),
        })),
      );
      expect(trail()[0]?.details).toEqual({ owner: 'acme', receiver: 'https://shop.example' });
      for (const secretText of [secret, rotated.secret, 'hidden'])
        expect(JSON.stringify(trail())).not.toContain(secretText);
      expect(await store.now.waitingAudit(1)).toEqual([]);
    });

    test('only what changed something is told of', async () => {
      const { webhook } = await made();
      const before = changes;
      await service.getWebhook('acme', webhook.id);
      await service.listWebhooks('acme');
      await service.updateWebhook(OTHER, webhook.id, { status: 'disabled' });
      expect(changes).toBe(before);
      await service.testWebhook('acme', webhook.id);
      expect(changes).toBe(before + 1);
    });
  },
  false,
);

describe('where the database is away', () => {
  test('the answer is store_unavailable, and the next request opens it again', async () => {
    const { StoreUnavailableError } = await import('../../server/store/errors.ts');
    const { freshFile } = await import('./support/stores.ts');
    const database = await freshFile();
    let opened = 0;
    const service = createWebhookService({
      openStore: async () => {
        opened += 1;
        if (opened === 1) throw new StoreUnavailableError('SQLITE_CANTOPEN');
        return await openWebhookStore(database.location);
      },
      height: async () => 1,
      appendAudit: async () => undefined,
      onChange: () => undefined,
      targets: { loopback: false, allowed: [] },
      chain: TEST_CHAIN,
      clock: { nowMs: () => 1 } as never,
      random: { bytes: (n) => new Uint8Array(createHash('shake256', { outputLength: n }).update('x').digest()) },
      logger: { error: () => undefined, warn: () => undefined } as never,
    });
    expect(await service.listWebhooks('acme')).toMatchObject(REFUSED('store_unavailable'));
    expect(await service.listWebhooks('acme')).toEqual({ ok: true, webhooks: [] });
    await service.close();
    await database.remove();
  });
});
