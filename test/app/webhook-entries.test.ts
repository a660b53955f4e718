/** Webhooks are what the log says: a change and a place hold whatever becomes of chain.db, and no start or kill loses one or makes one twice. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { WrittenChain } from '../../server/app/chain-index.ts';
import { ledgerWebhooks } from '../../server/app/threads/ledger-webhooks.ts';
import type { WebhookSecretAnswer } from '../../server/gateway/webhooks/api.ts';
import { ChainAsGateway } from '../../server/store/copy/chain-as-gateway.ts';
import type { BackupTable } from '../../server/store/backup/gateway-tables.ts';
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import { factsOfChain, onChain } from '../../server/store/backup/chain-facts.ts';
import { accessRows } from '../../server/store/embedded/admin.ts';
import { ACCESS, attachLog, verifiedTail } from '../../server/store/embedded/chain-log.ts';
import { openChainDatabase, openChainReader, writing } from '../../server/store/embedded/connection.ts';
import { type WebhookRows, webhookRows, webhookWriter } from '../../server/store/embedded/webhooks.ts';
import { StoreUnavailableError } from '../../server/store/errors.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { unwrittenChain } from '../gateway/support/unwritten-chain.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { signedTransfer, testGenesis } from '../ledger/support.ts';
import { rewriteFirst } from '../log/support/rewrite.ts';

const WAIT_MS = 20_000;
const ACME = { owner: 'acme', tokenId: 'aa' };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let folder: string;
let running: EmbeddedGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-webhook-entries-'));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, 'chain.db');

async function start(writeChain?: () => WrittenChain): Promise<ReturnType<typeof ledgerWebhooks>> {
  running = await openEmbeddedGateway(folder, {
    clock: realClock,
    blockIntervalMs: 20,
    ...(writeChain && { writeChain }),
  });
  const { ledger, sql } = running;
  return ledgerWebhooks({
    core: ledger.core,
    sql,
    gatewayId: 'alone',
    targets: { loopback: true, allowed: [] },
    chain: testGenesis(),
    clock: realClock,
    random: { bytes: (n) => randomBytes(n) },
    logger: silent,
  });
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

async function committed(nonce: number): Promise<void> {
  const transfer = signedTransfer({ nonce });
  await running!.gateway.submit(inputOf(transfer), ALICE);
  expect(await running!.gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
}

function inRows<T>(ask: (rows: WebhookRows) => T): T {
  const sql = openChainReader(file());
  try {
    return ask(webhookRows(sql));
  } finally {
    sql.close();
  }
}
function actions(): string[] {
  const sql = openChainReader(file());
  const found = accessRows(sql).auditEntries({ after: 0, limit: 100 });
  sql.close();
  return found.map(({ id, action }) => `${id} ${action}`);
}

async function made({ api }: ReturnType<typeof ledgerWebhooks>, name = 'shop'): Promise<WebhookSecretAnswer> {
  const answer = await api.createWebhook(ACME, { url: `https://${name}.example/hooks` });
  if (!answer.ok) throw new Error(answer.detail);
  return answer;
}

/** As the chain thread writes what delivery hands over. */
function locally(work: (calls: ReturnType<typeof webhookWriter>) => void): void {
  const sql = openChainDatabase({ path: file() });
  writing(sql, () => work(webhookWriter(sql)));
  sql.close();
}

test('a webhook that was made, and another that was deleted, are so after a kill before chain.db had them', async () => {
  const first = await start();
  const { webhook: old } = await made(first, 'old');
  await stop();
  const before = await start(() => unwrittenChain());
  const { webhook, secret } = await made(before);
  // Decided by rows, which stand still here.
  expect(await before.api.deleteWebhook(ACME, old.id)).toEqual({ ok: true });
  expect(inRows((rows) => rows.webhooksOf('acme').map(({ id }) => id))).toEqual([old.id]);
  await stop();
  // A backup has both files.
  expect(onChain(file(), factsOfChain)?.counts).toMatchObject({ webhooks: 1, auditEntries: 3 });

  const after = await start();
  expect(inRows((rows) => rows.webhooksOf('acme'))).toMatchObject([{ id: webhook.id, secrets: { current: secret } }]);
  expect(await after.api.getWebhook('acme', webhook.id)).toMatchObject({ ok: true, webhook: { place: webhook.place } });
  expect(actions()).toEqual(['1 webhook.create', '2 webhook.create', '3 webhook.delete']);
  await stop();
  await start();
  expect(actions()).toHaveLength(3);
});

test('every change is one entry with its line of the audit trail, and is in the rows when it is answered', async () => {
  const service = await start();
  const { webhook } = await made(service);
  const { id } = webhook;
  const shown = (): unknown => inRows((rows) => rows.webhook(id));
  await service.api.updateWebhook(ACME, id, { description: 'orders', types: ['transaction.committed'] });
  expect(shown()).toMatchObject({ description: 'orders', version: 2 });
  const rotated = (await service.api.rotateWebhookSecret(ACME, id, 60)) as WebhookSecretAnswer;
  expect(shown()).toMatchObject({ secrets: { current: rotated.secret, previous: [{ untilMs: expect.any(Number) }] } });
  const tested = await service.api.testWebhook('acme', id);
  expect(inRows((rows) => rows.work())).toMatchObject([{ kind: 'test', id: tested.ok && tested.messageId }]);
  await service.api.updateWebhook(ACME, id, { description: '', status: 'disabled' });
  expect(shown()).toMatchObject({ status: 'disabled', disabledReason: 'owner' });
  expect(shown()).not.toHaveProperty('description');
  expect(await service.control.webhookCounts()).toEqual({ enabled: 0, disabled: 1 });
  expect(actions()).toEqual(['1 webhook.create', '2 webhook.update', '3 webhook.rotate', '4 webhook.update']);
});

test('one that is given up is disabled by one entry, with its notice and its line, also after a kill; and not twice', async () => {
  const first = await start();
  const { webhook } = await made(first);
  const { webhook: other } = await made(first, 'other');
  await stop();
  const before = await start(() => unwrittenChain());
  const what = { id: webhook.id, reason: 'gone', detail: 'The target answered 410 Gone.', atMs: 5 } as const;
  expect(await before.control.disableWebhook({ ...what, revision: 7 })).toBe(false);
  expect(await before.control.disableWebhook({ ...what, revision: 1 })).toBe(true);
  await stop();
  const after = await start();
  expect(inRows((rows) => rows.webhook(webhook.id))).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  expect(inRows((rows) => rows.work())).toMatchObject([{ webhookId: other.id, kind: 'disabled', about: webhook.id }]);
  expect(await after.control.disableWebhook({ ...what, revision: 2 })).toBe(false);
  expect(actions()).toEqual(['1 webhook.create', '2 webhook.create', '3 webhook.disable']);
});

test('a place of the log is where an older chain.db goes on from: nothing behind it is passed over, and it never goes back', async () => {
  const first = await start();
  const { webhook } = await made(first);
  await committed(0);
  await stop();
  // What a power cut may leave of commits that are not synced.
  copyFileSync(file(), join(folder, 'copy.db'));
  const second = await start();
  const at = (height: number, index: number) => ({ height, index });
  await second.control.moveWebhookPlaces([
    { id: webhook.id, place: at(50, 1) },
    { id: 'wh_none', place: at(1, 1) },
  ]);
  await second.control.moveWebhookPlaces([{ id: webhook.id, place: at(40, 0) }]);
  expect(inRows((rows) => rows.webhook(webhook.id))?.place).toEqual(at(50, 1));
  locally((calls) => calls.advance(webhook.id, at(50, 1), at(60, 0), 77));
  expect(inRows((rows) => rows.webhook(webhook.id))).toMatchObject({
    place: at(60, 0),
    lastSuccessAtMs: 77,
    version: 1,
  });
  await stop();
  for (const name of ['chain.db', 'chain.db-wal', 'chain.db-shm']) rmSync(join(folder, name), { force: true });
  cpSync(join(folder, 'copy.db'), file());
  await start();
  expect(inRows((rows) => rows.webhook(webhook.id))?.place).toEqual(at(50, 1));
});

test('whoever is answered finds the change in the rows, whichever thread reads them', async () => {
  await start();
  await stop();
  const waits: (() => void)[] = [];
  const caughtUp = (): Promise<void> => new Promise((resolve) => waits.push(resolve));
  const service = await start(() => ({ ...unwrittenChain(), accessCaughtUp: caughtUp }));
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 10; i += 1) await new Promise(setImmediate);
  };
  let answered = 0;
  const asked = ['one', 'two'].map((name) => made(service, name).then(() => (answered += 1)));
  await turns();
  // One at a time: the second is decided by rows that have the first.
  expect(waits).toHaveLength(1);
  waits.shift()?.();
  await turns();
  expect([answered, waits.length]).toEqual([0, 1]);
  waits.shift()?.();
  await turns();
  expect([answered, waits.length]).toEqual([1, 1]);
  waits.shift()?.();
  await turns();
  waits.shift()?.();
  await Promise.all(asked);
});

test('an owner who goes on from now does not take a place back that was reached meanwhile', async () => {
  const service = await start();
  const { webhook } = await made(service);
  const reached = { height: 70, index: 4 };
  locally((calls) => calls.advance(webhook.id, webhook.place, reached, 1));
  const sql = openChainDatabase({ path: file() });
  writing(sql, () =>
    webhookWriter(sql).changeWebhook(webhook.id, 1, { place: { height: 60, index: 0 }, updatedAtMs: 5 }),
  );
  sql.close();
  expect(inRows((rows) => rows.webhook(webhook.id))).toMatchObject({ place: reached, version: 2, updatedAtMs: 5 });
});

test('what is known of attempts does not undo what an owner changed meanwhile', async () => {
  const service = await start();
  const { webhook } = await made(service);
  const { id, place } = webhook;
  const failure = { firstFailedAtMs: 5, attempts: 3, nextAttemptAtMs: 9 };
  const last = { atMs: 6, code: 'timeout', detail: 'It was silent.' };
  locally((calls) => calls.noteFailure(id, place, failure, last));
  expect(inRows((rows) => rows.webhook(id))).toMatchObject({ failure, lastFailure: last });
  await service.api.updateWebhook(ACME, id, { url: 'https://new.example/' });
  expect(inRows((rows) => rows.webhook(id))).not.toHaveProperty('failure');
  await service.api.deleteWebhook(ACME, id);
  locally((calls) => {
    calls.advance(id, place, { height: 9, index: 0 }, 1);
    calls.noteFailure(id, place, failure, last);
    calls.appendDeliveries([
      {
        webhookId: id,
        eventId: '9-0',
        type: 'transaction.committed',
        kind: 'event',
        atMs: 1,
        attempt: 1,
        outcome: 'delivered',
        durationMs: 1,
      },
    ]);
    calls.endWork('none');
  });
  expect(inRows((rows) => [rows.webhook(id), rows.deliveries({ webhookId: id, limit: 9 })])).toEqual([undefined, []]);
});

test('a secret that was made durable is shown although chain.db is late, and none is made while rows stand still', async () => {
  let isLate = 0;
  const late = async (): Promise<void> => {
    isLate += 1;
    if (isLate > 1) throw new StoreUnavailableError('chain.db stands still');
  };
  await start();
  await stop();
  const service = await start(() => ({ ...unwrittenChain(), accessCaughtUp: late }));
  const { secret, webhook } = await made(service);
  expect(await service.api.createWebhook(ACME, { url: 'https://other.example/' })).toMatchObject({
    ok: false,
    code: 'store_unavailable',
  });
  await stop();
  await start();
  expect(inRows((rows) => rows.webhooksOf('acme'))).toMatchObject([{ id: webhook.id, secrets: { current: secret } }]);
});

test('gateways of a network get them as rows of the tables that they have, with what was sent and what waits', async () => {
  const service = await start();
  const { webhook, secret } = await made(service);
  await service.api.testWebhook('acme', webhook.id);
  locally((calls) =>
    calls.appendDeliveries([
      {
        webhookId: webhook.id,
        eventId: '9-0',
        type: 'transaction.committed',
        kind: 'event',
        atMs: 1,
        attempt: 1,
        outcome: 'delivered',
        durationMs: 1,
      },
    ]),
  );
  await stop();
  const sql = openChainReader(file());
  attachLog(sql, file());
  const copy = new ChainAsGateway({ sql, webhooks: sql, signatureAt: () => '' });
  const rows = (table: BackupTable): unknown[] => [...copy.lines(table)].map((line) => JSON.parse(line));
  expect(rows('webhooks')).toEqual([expect.objectContaining({ id: webhook.id, secret, place_idx: END_OF_BLOCK })]);
  expect(rows('webhook_deliveries')).toEqual([expect.objectContaining({ webhook_id: webhook.id, seq: 1 })]);
  expect(rows('webhook_work')).toEqual([expect.objectContaining({ webhook_id: webhook.id, kind: 'test' })]);
  // Lines of the audit trail wait nowhere.
  expect(rows('webhook_audit')).toEqual([]);
  sql.close();
});

test('an entry with a change of a webhook that this program does not know is refused, and nothing of it is skipped', async () => {
  await start();
  await stop();
  const service = await start(() => unwrittenChain());
  await made(service);
  await stop();
  rewriteFirst(join(folder, 'log.db'), (text) => text.replace('insertWebhook', 'appendDeliveries'), {
    forged: true,
    kind: ACCESS,
  });
  const { chainId, hash: genesisHash } = testGenesis();
  const sql = openChainReader(file());
  expect(() => verifiedTail(file(), sql, { chainId, genesisHash })).toThrow('which this program does not know');
  sql.close();
  await expect(start()).rejects.toMatchObject({ name: 'StoreDamagedError' });
});
