/**
 * How SQLite finds what the store asks for: by an index that bounds the work, never by going through a table.
 *
 * A wrong plan answers rightly and slowly, so no other test would see it.
 */
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListSide } from '../../server/store/index.ts';
import { openSqliteStore } from '../../server/store/index.ts';
import { acceptedRows } from './support/accepted-rows.ts';

const transfer = {
  seq: 1,
  hash: 'AA',
  fromId: 1,
  toId: 1,
  amount: 1n,
  nonce: 1,
  signature: 'aa',
  status: 'pending',
  reason: undefined,
  firstSeenAtMs: 1,
  seenBlockMs: 1,
  seenUptimeMs: 1,
  height: undefined,
  blockTimeMs: undefined,
  ownerId: undefined,
} as const;
const account = { id: 1, address: 'a', onChain: true, balance: 1n, nonce: 0, voids: 0n, reserved: 0n };
const settlement = {
  seq: 1,
  status: 'committed',
  reason: undefined,
  reasonHash: undefined,
  executedAs: undefined,
  height: 1,
  blockTimeMs: 1,
} as const;

/** The text of every statement that a gateway's work needs, with how SQLite would run it. */
async function plans(): Promise<Map<string, string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-plans-'));
  const path = join(folder, 'gateway.db');
  const statements = new Set<string>();
  const { prepare } = Database.prototype;
  const store = await openSqliteStore({ path });
  Database.prototype.prepare = function (this: Database.Database, text: string) {
    statements.add(text);
    return prepare.call(this, text);
  } as typeof prepare;
  try {
    await store.write(async (tx) => {
      await tx.saveAccounts([account]);
      await tx.saveAccepted(
        acceptedRows({
          shards: await tx.shards(),
          senders: await tx.accountsById([1]),
          owners: [{ id: 1, name: 'a' }],
          ownerChanges: [{ ownerId: 1, shard: 0, count: 1 }],
        }),
      );
      await tx.insertTransfers([transfer]);
      await tx.accountsByAddress(['a']);
      await tx.accountsById([1]);
      await tx.transfersAt([{ from: 'a', nonce: 2 }]);
      await tx.transferByHash('AA');
      await tx.bindings(['a']);
      await tx.pendingTransfers();
      const sides: (ListSide[] | undefined)[] = [
        undefined,
        [{ fromId: 1 }],
        [{ fromId: 1 }, { toId: 1 }],
        [{ fromId: 1, toId: 2 }],
      ];
      for (const side of sides) {
        await tx.listTransfers({ limit: 10, before: 5, ...(side && { sides: side }) });
        await tx.listTransfers({ limit: 10, before: 5, status: 'failed', ...(side && { sides: side }) });
      }
      await tx.listTransfers({ limit: 10, before: 5, sides: [{ fromId: 1 }], nonce: 2, status: 'failed' });
      await tx.appendEvents(
        {
          height: 1,
          blockTimeMs: 1,
          rows: [
            { index: 0, seq: 1 },
            { index: 1, voided: { from: 'a', nonce: 1, hash: 'AA' } },
          ],
        },
        () => 1,
      );
      for (const order of ['asc', 'desc'] as const) {
        for (const ends of [{}, { after: { height: 0, index: 0 } }, { before: { height: 2, index: 0 } }]) {
          await tx.events({ limit: 10, order, scanMax: 2, ...ends });
          await tx.events({
            limit: 10,
            order,
            scanMax: 2,
            ...ends,
            account: 'a',
            owner: 'a',
            status: 'cancelled',
            reference: 'r',
          });
        }
      }
      await tx.takeFromOwners([{ owner: 'a', shard: 0, count: 1 }]);
      await tx.requestExpiry({ uptimeMsMax: 0, blockMsMax: 0 }, 10, 1);
      await tx.requestCancels([{ seq: 1 }], 1);
      await tx.transfersByHash(['A'.repeat(64)]);
      await tx.groupStanding({ addresses: ['a'], senders: ['a'], owners: ['a'] });
      await tx.settleTransfers([settlement]);
    });
    Database.prototype.prepare = prepare;
    const raw = new Database(path);
    const explained = [...statements]
      .filter((text) => /^\s*(select|update|insert)/i.test(text))
      .map((text) => {
        const parameters = Array.from(text.matchAll(/\?/g), () => '[]');
        const rows = raw.prepare<string[], { detail: string }>(`explain query plan ${text}`).all(...parameters);
        return [text.replaceAll(/\s+/g, ' '), rows.map(({ detail }) => detail)] as const;
      });
    raw.close();
    return new Map(explained);
  } finally {
    Database.prototype.prepare = prepare;
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('no statement of the store goes through a table', async () => {
  const explained = await plans();
  expect(explained.size).toBeGreaterThan(20);
  for (const [text, details] of explained) {
    // Rows of a parameter and of a bounded subquery are gone through, and the few shards; tables never.
    const scans = details.filter(
      (detail) => detail.startsWith('SCAN') && !/^SCAN (json_each|x|e|t|shards)\b/.test(detail),
    );
    expect({ text, scans }).toEqual({ text, scans: [] });
  }
});

test('rows are changed by their key, not by going through what is pending; what ages has its own index', async () => {
  for (const [text, details] of await plans()) {
    if (!text.startsWith('update transfers')) continue;
    const used = details.filter((detail) => detail.startsWith('SEARCH transfers'));
    const byKey = /USING INTEGER PRIMARY KEY|USING INDEX transfers_ageing/;
    expect({ text, other: used.filter((detail) => !byKey.test(detail)) }).toEqual({ text, other: [] });
    expect(used.length).toBeGreaterThan(0);
  }
});
