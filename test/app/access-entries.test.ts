/** Access is what the log says: a change holds from its entry on, chain.db follows, and no start, kill or copy loses one or makes one twice. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { WrittenChain } from '../../server/app/chain-index.ts';
import { appendStopped, openStoppedAccess } from '../../server/app/stopped-access.ts';
import { type Administration, createAdministration } from '../../server/gateway/index.ts';
import { openLogReader } from '../../server/log/sqlite-log.ts';
import { accessQuestions, accessRows } from '../../server/store/embedded/admin.ts';
import { checkAuditChain } from '../../server/store/embedded/audit-chain.ts';
import { factsOfChain, onChain } from '../../server/store/backup/chain-facts.ts';
import { ACCESS, verifiedTail } from '../../server/store/embedded/chain-log.ts';
import { openChainDatabase, openChainReader } from '../../server/store/embedded/connection.ts';
import type { StoredAuditEntry } from '../../server/store/index.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { unwrittenChain } from '../gateway/support/unwritten-chain.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, BOB, inputOf } from '../gateway/support/fixture.ts';
import { devAddress, signedTransfer, testGenesis } from '../ledger/support.ts';
import { rewriteFirst } from '../log/support/rewrite.ts';

const WAIT_MS = 20_000;

let folder: string;
let running: EmbeddedGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-access-'));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, 'chain.db');
const parts = { clock: realClock, random: { bytes: (n: number) => randomBytes(n) }, actor: 'user:ann@desk' };

async function start(writeChain?: () => WrittenChain): Promise<EmbeddedGateway> {
  return (running = await openEmbeddedGateway(folder, {
    clock: realClock,
    blockIntervalMs: 20,
    ...(writeChain && { writeChain }),
  }));
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

/** As the ledger thread of the service has it. */
function administration({ ledger, sql }: EmbeddedGateway): Administration {
  return createAdministration(
    {
      run: async (change) => (await ledger.core.changeAccess(change)) as never,
      now: accessQuestions(accessRows(sql)),
    },
    parts,
  );
}

/** As a command has it while no service runs. */
async function whileStopped<T>(work: (access: Administration) => Promise<T>): Promise<T> {
  const sql = openChainDatabase({ path: file() });
  const access = await openStoppedAccess(sql, file());
  try {
    return await work(createAdministration(access, parts));
  } finally {
    access.close();
    sql.close();
  }
}

const inRows = <T>(ask: (rows: ReturnType<typeof accessRows>) => T): T => {
  const sql = openChainReader(file());
  try {
    return ask(accessRows(sql));
  } finally {
    sql.close();
  }
};
const trailInRows = (): StoredAuditEntry[] => inRows((rows) => rows.auditEntries({ after: 0, limit: 100 }));
const actions = (): string[] => trailInRows().map(({ id, action }) => `${id} ${action}`);

async function committed({ gateway }: EmbeddedGateway, nonce: number): Promise<void> {
  const transfer = signedTransfer({ nonce });
  await gateway.submit(inputOf(transfer), ALICE);
  expect(await gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
}

test('a change holds as soon as the log has it, and after a kill before chain.db had it', async () => {
  await start();
  await stop();
  const before = await start(unwrittenChain);
  const access = administration(before);
  const { token, tokenId } = await access.createToken({ owner: 'acme', scopes: ['transactions:read'] });
  const ended = await access.createToken({ owner: 'acme', scopes: ['transactions:read'] });
  expect(await before.gateway.authenticate(token)).toMatchObject({ tokenId, owner: 'acme' });
  expect(await access.revokeToken(ended.tokenId)).toBe(true);
  expect(await before.gateway.authenticate(ended.token)).toBeUndefined();
  await access.bindAddress(devAddress(0), 'bob');
  expect(await before.gateway.submit(inputOf(signedTransfer()), ALICE)).toMatchObject({ code: 'not_submitter' });
  await access.updateToken(tokenId, { limits: { ratePerS: 3 }, expiresAtMs: realClock.nowMs() + 60_000 });
  await access.extendToken(tokenId, ['webhooks:manage']);
  expect(trailInRows()).toEqual([]);
  await stop();
  // A backup has both files.
  expect(onChain(file(), factsOfChain)?.counts).toMatchObject({ tokens: 2, addressBindings: 1, auditEntries: 6 });

  const after = await start();
  expect(await after.gateway.authenticate(token)).toEqual({
    tokenId,
    owner: 'acme',
    scopes: ['transactions:read', 'webhooks:manage'],
    limits: { ratePerS: 3 },
  });
  expect(await after.gateway.authenticate(ended.token)).toBeUndefined();
  expect(await after.gateway.submit(inputOf(signedTransfer()), ALICE)).toMatchObject({ code: 'not_submitter' });
  expect(await after.gateway.submit(inputOf(signedTransfer()), BOB)).toMatchObject({ ok: true });
  expect(actions()).toEqual([
    '1 token.create',
    '2 token.create',
    '3 token.revoke',
    '4 address.bind',
    '5 token.update',
    '6 token.extend',
  ]);
  for (const { atMs } of trailInRows()) expect(atMs).toBeLessThanOrEqual(realClock.nowMs());
});

test('a line of the audit trail has the time of its entry, whenever chain.db is written', async () => {
  await start();
  await stop();
  const { ledger } = await start(unwrittenChain);
  await ledger.core.appendAudit([
    { atMs: 77, actor: 'gateway:1', action: 'server.start', subject: 'here', details: {} },
  ]);
  await stop();
  await start();
  expect(trailInRows()).toMatchObject([{ id: 1, atMs: 77, action: 'server.start' }]);
});

test('rows follow without a block, and stay once over starts', async () => {
  const first = await start();
  await administration(first).bindAddress(devAddress(1), 'acme');
  expect(actions()).toEqual(['1 address.bind']);
  await committed(first, 0);
  await administration(first).bindAddress(devAddress(2), 'acme');
  await stop();
  await start();
  await stop();
  await start();
  expect(actions()).toEqual(['1 address.bind', '2 address.bind']);
});

test('a chain.db that is written again from the log has the same hashes of the audit trail', async () => {
  await start();
  await stop();
  const older = join(folder, 'older.db');
  cpSync(file(), older);
  // No block without a transaction, and so no checkpoint: the log keeps everything.
  const service = (running = await openEmbeddedGateway(folder, {
    clock: realClock,
    blockIntervalMs: 20,
    idleBlockMs: 100_000,
  }));
  const access = administration(service);
  await access.createToken({ owner: 'acme', scopes: ['transactions:read'] });
  await committed(service, 0);
  await service.ledger.core.appendAudit([
    { atMs: 1, actor: 'half \ud83d', action: 'server.start', subject: 'é', details: { text: '\ud83d' } },
    { atMs: 2, actor: 'a', action: 'server.stop', subject: 'here', details: {} },
  ]);
  await access.bindAddress(devAddress(1), 'acme');
  await stop();
  const written = trailInRows();
  expect(actions()).toEqual(['1 token.create', '2 server.start', '3 server.stop', '4 address.bind']);
  rmSync(`${file()}-wal`, { force: true });
  rmSync(`${file()}-shm`, { force: true });
  cpSync(older, file());
  expect(trailInRows()).toEqual([]);
  await start();
  expect(trailInRows()).toEqual(written);
  const sql = openChainReader(file());
  expect(checkAuditChain(sql)).toBe(4);
  sql.close();
});

test('an address that was asked for before is bound and let go at once, whether chain.db has the change or not', async () => {
  const service = await start();
  const access = administration(service);
  const mayAct = (): Promise<unknown> => service.ledger.core.mayActFor(devAddress(1), 'globex');
  expect(await mayAct()).toBe(true);
  await access.bindAddress(devAddress(1), 'acme');
  expect(inRows((rows) => rows.allBindings())).toHaveLength(1);
  expect([await mayAct(), await mayAct()]).toEqual([false, false]);
  await access.bindAddress(devAddress(1), 'globex', { replace: true });
  expect(await mayAct()).toBe(true);
  await access.unbindAddress(devAddress(1));
  expect(await mayAct()).toBe(true);
});

test('the log keeps an entry until chain.db has a block behind it on disk, and drops it then', async () => {
  const isInLog = (): boolean => {
    const { log, close } = openLogReader(join(folder, 'log.db'));
    const [, ...entries] = log.follow(log.first().seq - 1, Infinity) ?? [];
    close();
    return entries.some(({ bytes }) => bytes[1] === ACCESS);
  };
  running = await openEmbeddedGateway(folder, { clock: realClock, blockIntervalMs: 20, idleBlockMs: 100_000 });
  const access = administration(running);
  // Enough pages for a checkpoint.
  for (let i = 0; i < 80; i += 1) await access.bindAddress(devAddress(i % 8), `owner-${i}`, { replace: true });
  running.sql.pragma('wal_checkpoint(TRUNCATE)');
  expect(isInLog()).toBe(true);
  await stop();
  running = await openEmbeddedGateway(folder, { clock: realClock, blockIntervalMs: 20, idleBlockMs: 20 });
  const again = administration(running);
  for (let i = 0; i < 80; i += 1) await again.bindAddress(devAddress(i % 8), `owner-${i}`, { replace: true });
  while (isInLog()) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(inRows((rows) => rows.auditEntries({ after: 0, limit: 1000 }))).toHaveLength(160);
});

test('a command while no service runs goes into the log, and the service that starts has it', async () => {
  const { token: early } = await whileStopped((access) =>
    access.createToken({ owner: 'first', scopes: ['transactions:read'] }),
  );
  const first = await start();
  expect(await first.gateway.authenticate(early)).toMatchObject({ owner: 'first' });
  await committed(first, 0);
  await stop();
  const { token, tokenId } = await whileStopped((access) =>
    access.createToken({ owner: 'acme', scopes: ['transactions:read'] }),
  );
  expect(await whileStopped((access) => access.listTokens())).toHaveLength(2);
  // Without its rows, as where chain.db could not be written.
  const sql = openChainDatabase({ path: file() });
  appendStopped(sql, file(), [['revokeToken', tokenId, 5]]);
  expect(accessRows(sql).token(tokenId)?.revokedAtMs).toBeUndefined();
  sql.close();
  const second = await start();
  expect(await second.gateway.authenticate(token)).toBeUndefined();
  expect(await second.gateway.authenticate(early)).toMatchObject({ owner: 'first' });
  expect(inRows((rows) => rows.token(tokenId)?.revokedAtMs)).toBe(5);
});

test('behind a copy of the log that is older than chain.db, as a backup has it, the next change is made, and once', async () => {
  const first = await start();
  await committed(first, 0);
  await stop();
  const copy = join(folder, 'older-log.db');
  cpSync(join(folder, 'log.db'), copy);
  await whileStopped(async (access) => {
    await access.bindAddress(devAddress(1), 'acme');
    await access.bindAddress(devAddress(2), 'acme');
  });
  for (const name of ['log.db-wal', 'log.db-shm', 'log_witness.json']) rmSync(join(folder, name), { force: true });
  cpSync(copy, join(folder, 'log.db'));
  await whileStopped((access) => access.bindAddress(devAddress(3), 'acme'));
  await start();
  expect(inRows((rows) => rows.allBindings().map(({ address }) => address)).toSorted()).toEqual(
    [1, 2, 3].map((i) => devAddress(i)).toSorted(),
  );
  expect(actions()).toEqual(['1 address.bind', '2 address.bind', '3 address.bind']);
});

test('an entry that this program does not know is refused with a sentence, and nothing of it is skipped', async () => {
  await start();
  await stop();
  const { ledger } = await start(unwrittenChain);
  await ledger.core.appendAudit([{ atMs: 1, actor: 'a', action: 'server.stop', subject: 'here', details: {} }]);
  await stop();
  rewriteFirst(join(folder, 'log.db'), () => '[["dropToken","a"]]', { forged: true, kind: ACCESS });
  const { chainId, hash: genesisHash } = testGenesis();
  const sql = openChainReader(file());
  expect(() => verifiedTail(file(), sql, { chainId, genesisHash })).toThrow('which this program does not know');
  sql.close();
  await expect(start()).rejects.toMatchObject({
    name: 'StoreDamagedError',
    message: expect.stringMatching(/which this program does not know/),
  });
});
