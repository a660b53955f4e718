/** What is read from the database is not taken as signed: a row that was changed while no gateway ran is never paid. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { LEASE_TTL_MS } from '../../server/gateway/limits.ts';
import { DISPATCH_LEASE } from '../../server/gateway/sharing/lease.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { rewriteFirst } from '../log/support/rewrite.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { chainFile } from './support/chain-core.ts';
import { ON_CHAIN, ON_POSTGRES } from './support/fixture-store.ts';
import { settled } from './support/manual-clock.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

const forgedLines = () =>
  fixture.logged.filter(({ level, message }) => level === 'error' && message.includes('is not what its sender signed'));
const [first, second] = [signedTransfer({ nonce: 0, amount: 5n }), signedTransfer({ nonce: 1, amount: 6n })];

/** chain.db has all transfers in one table. */
const ofPending = (statement: string): string => statement.replaceAll('transfers', 'pending');

/** Stops the gateway, changes the rows, and starts it again. */
async function tamper(statement: string, entry?: Change['entry'], forged = true): Promise<void> {
  await fixture.stop();
  fixture.engine.forget();
  if (ON_POSTGRES) {
    const client = new pg.Client({ connectionString: await fixture.database.url });
    await client.connect();
    await client.query(ofPending(statement));
    await client.end();
  } else if (entry !== undefined) {
    const [field, value] = entry;
    const change = (text: string): string => {
      const [first, second] = text.split('\n').map((line) => line.split('\t')) as [string[], string[]?];
      first[field] = value ?? String(second?.[field]);
      return [first, second].flatMap((fields) => fields?.join('\t') ?? []).join('\n');
    };
    rewriteFirst(join(fixture.folder, 'log.db'), change, { forged });
  } else {
    const database = new Database(ON_CHAIN ? chainFile(fixture.folder) : join(fixture.folder, 'gateway.db'));
    database.exec(ON_CHAIN ? statement : ofPending(statement));
    database.close();
  }
  await fixture.start();
}

/** A block writes what is pending. */
async function leaveInRows(): Promise<void> {
  fixture.engine.forget();
  fixture.engine.fate = () => 'lose';
  await fixture.block();
  fixture.engine.fate = () => 'take';
}

/** Its start was refused, so there is nothing to end. */
async function leaveStopped(): Promise<void> {
  await fixture.store?.close();
  rmSync(fixture.folder, { recursive: true, force: true });
  fixture.dispose = async () => undefined;
}

/** The gateway stands by while another has the lease, then takes over and reads the pending rows anew. */
async function loseLeaseAndTakeOver(): Promise<void> {
  const sharing = fixture.store.sharing!;
  const times = (message: string): number => fixture.logged.filter((line) => line.message === message).length;
  const [holder, other] = ['gateway-2', 'another'];
  const [lost, taken] = ['this gateway stands by from now on', 'this gateway follows and dispatches from now on'];
  const before = { lost: times(lost), taken: times(taken) };
  await sharing.dropLease(DISPATCH_LEASE, holder);
  while (!(await sharing.holdLease(DISPATCH_LEASE, other, LEASE_TTL_MS)))
    await sharing.dropLease(DISPATCH_LEASE, holder);
  while (times(lost) === before.lost) await fixture.clock.advance(1000);
  await sharing.dropLease(DISPATCH_LEASE, other);
  while (times(taken) === before.taken) await fixture.clock.advance(1000);
  await fixture.clock.advance(10_000);
  await fixture.block();
}

test('signatures of this process are claimed as verified, those of rows are not', async () => {
  await fixture.accept({ nonce: 0 });
  await settled();
  expect(fixture.engine.claimedVerified).toBe(1);
  fixture.engine.forget();
  await fixture.restart();
  await settled();
  expect(fixture.engine.claimedVerified).toBe(1);
  expect(fixture.engine.heard.length).toBeGreaterThan(1);
  await fixture.block();
  expect(await fixture.status(signedTransfer({ nonce: 0 }).hash)).toBe('committed');
});

interface Change {
  what: string;
  statement: string;
  /** Of chain.db, where transfers are in rows from the next block on. */
  inRows?: true;
  /** Of the first entry of log.db: a field of the transfer at nonce 0, and its value instead of that of the one at nonce 1. */
  entry?: [field: number, value: string | undefined];
}

const CHANGES: readonly Change[] = [
  { what: 'amount', statement: `update transfers set amount = '900000' where nonce = 0` },
  { what: 'receiver', statement: 'update transfers set to_id = (select max(id) from accounts) where nonce = 0' },
  { what: 'nonce', statement: 'update transfers set nonce = 5 where nonce = 0' },
  {
    what: 'signature',
    statement: `update transfers set signature = (select signature from transfers where nonce = 1) where nonce = 0`,
  },
];
const CHANGES_ON_CHAIN: readonly Change[] = [
  { what: 'amount in its row', inRows: true, statement: `update transfers set amount = '900000' where nonce = 0` },
  {
    what: 'receiver in its row',
    inRows: true,
    statement: 'update transfers set to_id = (select max(id) from accounts) where nonce = 0',
  },
  {
    what: 'nonce in its rows',
    inRows: true,
    statement: 'update transfers set nonce = 5 where nonce = 0; update pending set nonce = 5 where nonce = 0',
  },
  {
    what: 'signature in its row',
    inRows: true,
    statement: 'update pending set signature = (select signature from pending where nonce = 1) where nonce = 0',
  },
  { what: 'amount in the log', statement: '', entry: [5, '900000'] },
  { what: 'receiver in the log', statement: '', entry: [4, devAddress(7)] },
  { what: 'nonce in the log', statement: '', entry: [6, '5'] },
  { what: 'signature in the log', statement: '', entry: [7, undefined] },
];

test.each(ON_CHAIN ? CHANGES_ON_CHAIN : CHANGES)(
  'a changed $what is never broadcast as good, the log says what to do once, and a cancel mends it',
  async ({ what, statement, inRows, entry }) => {
    fixture.engine.fate = () => 'lose';
    await Promise.all([fixture.submit(first), fixture.submit(second)]);
    if (inRows === true) await fixture.block();
    fixture.engine.fate = () => 'take';
    await tamper(statement, entry);
    for (let round = 0; round < 5; round++) {
      await fixture.clock.advance(10_000);
      await fixture.block();
    }
    expect(fixture.engine.committed.flatMap(({ transactions }) => transactions)).toEqual([]);
    expect(await fixture.status(first.hash)).toBe('pending');
    if (!what.startsWith('nonce')) {
      if (ON_POSTGRES) await loseLeaseAndTakeOver();
      expect(forgedLines()).toHaveLength(1);
      expect(forgedLines()[0]).toMatchObject({
        fields: { txHash: first.hash, nonce: 0 },
        message: expect.stringMatching(/cancel it .*, or stop the service and restore the database/),
      });
      // What comes after it waits for its cancel, and goes on after it. Where the reason is read from the rows, they do not show the fault.
      expect(await fixture.detail(second.hash)).toMatchObject({
        status: 'pending',
        reason: { code: ON_POSTGRES || ON_CHAIN ? 'broadcast' : 'waiting_for_nonce' },
      });
      await fixture.gateway.cancel(first.hash, ALICE, 0);
      await fixture.clock.advance(10_000);
      await fixture.block();
      await fixture.clock.advance(10_000);
      await fixture.block();
      expect([await fixture.status(first.hash), await fixture.status(second.hash)]).toEqual(['cancelled', 'committed']);
    }
  },
);

test('an amount that is no amount stops the start with a sentence', async () => {
  await fixture.submit(first);
  // Where it is from the next block on; the journal has its own test below.
  if (ON_CHAIN) await leaveInRows();
  const statement = `update transfers set amount = '-5' where nonce = 0`;
  if (ON_POSTGRES) {
    // A start on a shared store reads no rows: what is pending is read in the background, and that row never becomes a transaction.
    await tamper(statement);
    await fixture.clock.advance(10_000);
    await fixture.block();
    expect(fixture.engine.committed.flatMap(({ transactions }) => transactions)).toEqual([]);
    return;
  }
  await expect(tamper(statement)).rejects.toThrow(
    /seq 1 has the amount "-5", which this program never wrote; restore the database from a backup/,
  );
  await leaveStopped();
});

(ON_CHAIN ? test : test.skip)('an entry that this program never wrote stops the start with a sentence', async () => {
  await fixture.submit(first);
  await expect(tamper('', [5, '-5'])).rejects.toThrow(
    /the journal holds .*, which this program never wrote; restore the database from a backup/,
  );
  await leaveStopped();
});

(ON_CHAIN ? test : test.skip)(
  'an entry whose hash is not that of its bytes stops the start with a sentence',
  async () => {
    await fixture.submit(first);
    await expect(tamper('', [5, '900000'], false)).rejects.toThrow(
      /log.db: the hash of entry 1 is not that of its bytes/,
    );
    await leaveStopped();
  },
);

test('a row that an engine refuses for another reason is not called changed', async () => {
  await fixture.submit(first);
  await fixture.stop();
  fixture.engine.forget();
  fixture.engine.fate = () => 'refuse';
  await fixture.start();
  await fixture.clock.advance(10_000);
  expect(forgedLines()).toEqual([]);
  fixture.engine.fate = () => 'take';
  await fixture.clock.advance(10_000);
  await fixture.block();
  expect(await fixture.status(first.hash)).toBe('committed');
});
