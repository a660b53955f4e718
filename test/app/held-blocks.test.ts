/**
 * A log that has no place for an entry holds what needs one: the block that was made, and what comes behind it. Nothing of that block is shown
 * meanwhile, reads go on, and it goes on by itself with the very block that was signed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { ChainLog } from '../../server/store/embedded/chain-log.ts';
import { LedgerLog } from '../../server/store/embedded/ledger-log.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { DEV_BALANCE, devAddress, signedTransfer } from '../ledger/support.ts';
import { ChainRows } from '../store/support/chain-rows.ts';

const ROUNDS = 20;
const WAIT_MS = 20_000;
const APPEND = /^INSERT INTO log .* SELECT/;
const POLL_MS = 5;
/** Of a block that is held, before there is a place. */
const TRIES = 3;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** How the log is kept from taking an entry, on its connection or from outside; what it gives ends that. */
type Fault = (log: OpenedLog) => () => void;
interface OpenedLog {
  file: string;
  /** Each append throws this. */
  failing: string | undefined;
  /** The entries that were tried to be appended. */
  tried: string[];
}

function failingWith(code: string): Fault {
  return (log) => {
    log.failing = code;
    return () => void (log.failing = undefined);
  };
}

const HELD: Readonly<Record<string, Fault>> = {
  'a full disk': failingWith('SQLITE_FULL'),
  'a lock of another process': ({ file }) => {
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    return () => void other.close();
  },
  'no descriptors': failingWith('SQLITE_CANTOPEN'),
};

interface World extends EmbeddedGateway {
  log: OpenedLog;
  fatal: Error[];
}

const connecting =
  (log: OpenedLog) =>
  (file: string): Database.Database => {
    const sql = new Database(file);
    const prepare = sql.prepare.bind(sql);
    sql.prepare = ((text: string) => {
      const statement = prepare(text);
      if (!APPEND.test(text)) return statement;
      const run = statement.run.bind(statement);
      statement.run = (...values: unknown[]) => {
        log.tried.push(Buffer.from(values[2] as Uint8Array).toString('latin1'));
        if (log.failing !== undefined) throw new Database.SqliteError('injected', log.failing);
        return run(...values);
      };
      return statement;
    }) as typeof prepare;
    return sql;
  };

async function opened(folder: string, blockIntervalMs = 20): Promise<World> {
  const log: OpenedLog = { file: join(folder, 'log.db'), failing: undefined, tried: [] };
  const fatal: Error[] = [];
  const gateway = await openEmbeddedGateway(folder, {
    clock: realClock,
    blockIntervalMs,
    onFatal: (error) => fatal.push(error),
    connectLog: connecting(log),
  });
  return { ...gateway, log, fatal };
}

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-held-blocks-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  while (!(await is())) {
    if (performance.now() > endMs) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const balance = async ({ gateway }: World, index: number): Promise<string | undefined> =>
  ((await gateway.account(devAddress(index))) as { balance?: string }).balance;

test.each(Object.keys(HELD))(
  `%s: ${ROUNDS} blocks are held, shown to no one, and stored once there is a place`,
  async (kind) => {
    const folder = folderOf();
    const world = await opened(folder);
    cleanups.push(() => world.stop());
    const { gateway, ledger, log } = world;
    const query = (): ReturnType<typeof gateway.rpc> =>
      gateway.rpc('abci_query', { path: '/accounts', data: new Uint8Array(0), height: 0, prove: false }, undefined);
    for (let round = 0; round < ROUNDS; round += 1) {
      const transfer = signedTransfer({ nonce: round, to: devAddress(1) });
      const before = await balance(world, 1);
      expect(await gateway.submit(inputOf(transfer), ALICE)).toMatchObject({ ok: true });
      const waiting = gateway.waitUntilSettled(transfer.hash, 40);
      const end = (HELD[kind] as Fault)(log);
      const { height } = ledger.engine.tip;
      await until(async () => !(await ledger.engine.status()).healthy);
      expect(await ledger.engine.status()).toMatchObject({
        clockHeld: false,
        detail: expect.stringMatching(/^block \d+ cannot be stored \(SQLITE_\w+\): trying again/),
      });

      // What the block decided is in memory, and nothing of it is told.
      const refused = { ok: false, code: 'store_unavailable', retryAfterS: expect.any(Number) };
      expect((await waiting)?.status).not.toBe('committed');
      expect(await gateway.waitUntilSettled(transfer.hash, 0)).toBeUndefined();
      expect(
        await gateway.submit(inputOf(signedTransfer({ nonce: round + 1, to: devAddress(1) })), ALICE),
      ).toMatchObject(refused);
      expect(await gateway.submit(inputOf(transfer), ALICE)).toMatchObject(refused);
      expect(await gateway.cancel(transfer.hash, ALICE, 0)).toMatchObject(refused);
      expect(await query()).toMatchObject({ ok: false, status: 503 });
      expect(await gateway.rpc('broadcast_tx_sync', { tx: transfer.raw }, undefined)).toMatchObject({
        ok: false,
        status: 503,
      });
      expect(await gateway.readiness()).toMatchObject({
        ready: false,
        code: 'store_unavailable',
        checks: expect.arrayContaining([
          expect.objectContaining({ name: 'engine', ok: false, detail: expect.stringContaining('cannot be stored') }),
        ]),
      });
      // Reads go on.
      expect(ledger.engine.tip.height).toBe(height);
      expect(await gateway.get(transfer.hash)).toMatchObject({ status: 'pending' });
      expect(await balance(world, 1)).toBe(before);
      expect(await gateway.rpc('status', {}, undefined)).toMatchObject({ ok: true });

      end();
      await until(async () => (await ledger.engine.status()).healthy);
      expect(await gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
      expect(await gateway.get(transfer.hash)).toMatchObject({ status: 'committed' });
      expect(await query()).toMatchObject({ ok: true });
    }
    expect(world.fatal).toEqual([]);
    expect(await balance(world, 1)).toBe(String(DEV_BALANCE + BigInt(ROUNDS) * signedTransfer().tx.amount));
  },
  120_000,
);

test('it is the very block that was signed that is stored, and a start goes on behind it', async () => {
  const folder = folderOf();
  const world = await opened(folder);
  const { gateway, ledger, log } = world;
  const transfer = signedTransfer();
  await gateway.submit(inputOf(transfer), ALICE);
  const end = (HELD['a full disk'] as Fault)(log);
  await until(async () => !(await ledger.engine.status()).healthy);
  log.tried = [];
  await until(() => log.tried.length === TRIES);
  end();
  expect(await gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
  expect(new Set(log.tried.slice(0, TRIES + 1)).size).toBe(1);
  const { height } = (await gateway.get(transfer.hash)) as { height: number };
  await world.stop();
  const again = await opened(folder);
  cleanups.push(() => again.stop());
  expect(await again.gateway.get(transfer.hash)).toMatchObject({ status: 'committed', height });
});

test('a service that is stopped while a block is held loses the block and nothing that was acknowledged', async () => {
  const folder = folderOf();
  const world = await opened(folder);
  const transfer = signedTransfer();
  await world.gateway.submit(inputOf(transfer), ALICE);
  const end = (HELD['a full disk'] as Fault)(world.log);
  await until(async () => !(await world.ledger.engine.status()).healthy);
  await world.stop();
  end();
  const again = await opened(folder);
  cleanups.push(() => again.stop());
  expect(await again.gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
});

test.each(Object.keys(HELD))(`%s: an entry of uptime is held too, ${ROUNDS} times`, (kind) => {
  const rows = new ChainRows();
  cleanups.push(() => rows.remove());
  const log: OpenedLog = { file: join(rows.folder, 'log.db'), failing: undefined, tried: [] };
  const chain = { chainId: 'txledger-test-1', genesisHash: 'AB' };
  const chainLog = new ChainLog({ sql: rows.sql, chainFile: rows.path, chain, connect: connecting(log) });
  const ledgerLog = new LedgerLog(chainLog);
  for (let round = 0; round < ROUNDS; round += 1) {
    const end = (HELD[kind] as Fault)(log);
    const { seq } = chainLog.head;
    expect(() => ledgerLog.saveUptime(round)).toThrow(StoreUnavailableError);
    end();
    ledgerLog.saveUptime(round);
    expect(chainLog.head.seq).toBe(seq + 1);
  }
  chainLog.close();
});

test.each(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_WRITE'])('%s of a block ends the process', async (code) => {
  const world = await opened(folderOf());
  cleanups.push(() => world.stop());
  await world.gateway.submit(inputOf(signedTransfer()), ALICE);
  failingWith(code)(world.log);
  await until(() => world.fatal.length > 0);
  expect(await world.gateway.readiness()).toMatchObject({ ready: false });
});
