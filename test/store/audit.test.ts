/** The audit trail, and what else shows who did what: on either database. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEntry, Store } from '../../server/store/index.ts';
import { account, hashOf, transfer } from './support/rows.ts';
import type { Database } from './support/stores.ts';
import { onEachDatabase } from './support/stores.ts';
import { acceptedRows } from './support/accepted-rows.ts';

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  atMs: 5,
  actor: 'user:ann@desk',
  action: 'token.create',
  subject: 'abc',
  details: { owner: 'acme' },
  ...changes,
});

onEachDatabase('the audit trail', (fresh) => {
  let database: Database;
  let store: Store;
  beforeEach(async () => {
    database = await fresh();
    store = await database.open();
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const append = (...entries: AuditEntry[]) => store.write((tx) => tx.appendAudit(entries));
  const ids = async (query: Parameters<Store['now']['auditEntries']>[0]) =>
    (await store.now.auditEntries(query)).map(({ id }) => id);

  test('keeps what was recorded, numbered without a gap, however many write at the same time', async () => {
    // Two connections of one thread to one file would wait for each other.
    const other = store.sharing === undefined ? store : await database.open();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? store : other).write((tx) => tx.appendAudit([entry({ subject: `s${i}` }), entry()])),
      ),
    );
    if (other !== store) await other.close();
    const entries = await store.now.auditEntries({ after: 0, limit: 100 });
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(entries.filter(({ subject }) => subject === 's7')).toEqual([
      { id: expect.any(Number), ...entry({ subject: 's7' }) },
    ]);
  });

  test('is written with what it records, or neither is', async () => {
    const fails = store.write(async (tx) => {
      await tx.saveBinding({ address: 'address-1', owner: 'acme', boundAtMs: 1 });
      await tx.appendAudit([entry()]);
      throw new Error('changed my mind');
    });
    await expect(fails).rejects.toThrow('changed my mind');
    expect(await ids({ limit: 10 })).toEqual([]);
    await append(entry());
    expect(await ids({ limit: 10 })).toEqual([1]);
  });

  test('is changed by no one: the database refuses to update, delete, replace or empty it', async () => {
    await append(entry(), entry({ action: 'token.revoke' }));
    const before = await store.now.auditEntries({ limit: 10 });
    const columns = `(id, at_ms, actor, action, subject, details)`;
    const attempts = [
      "update audit set actor = 'user:other@desk'",
      "update audit set details = '{}' where id = 1",
      'delete from audit',
      'delete from audit where id = 2',
    ];
    for (const statement of attempts) await expect(database.run(statement)).rejects.toThrow('audit is append-only');
    // Each database's own ways around a trigger of rows.
    await expect(database.run('truncate audit')).rejects.toThrow(/audit is append-only|syntax error/);
    await expect(
      database.run(`insert or replace into audit ${columns} values (1, 1, 'a', 'b', 'c', '{}')`),
    ).rejects.toThrow(/audit is append-only|syntax error/);
    await expect(
      database.run(
        `insert into audit ${columns} values (1, 1, 'a', 'b', 'c', '{}') on conflict (id) do update set actor = 'x'`,
      ),
    ).rejects.toThrow('audit is append-only');
    expect(await store.now.auditEntries({ limit: 10 })).toEqual(before);
  });

  test('is read newest first or oldest first, by action, by time, from any place on', async () => {
    await append(
      ...[1, 2, 3, 4, 5, 6].map((n) => entry({ atMs: n * 10, action: n % 2 === 0 ? 'token.revoke' : 'address.bind' })),
    );
    expect(await ids({ limit: 2 })).toEqual([6, 5]);
    expect(await ids({ limit: 2, before: 5 })).toEqual([4, 3]);
    expect(await ids({ limit: 2, after: 2 })).toEqual([3, 4]);
    expect(await ids({ limit: 10, actions: ['token.revoke'], sinceMs: 40 })).toEqual([6, 4]);
    expect(await ids({ limit: 10, actions: ['token.revoke', 'address.bind'] })).toHaveLength(6);
  });

  test('knows where a gateway last started or stopped', async () => {
    expect(await store.read((tx) => tx.lastProcessAudit())).toBe(0);
    await append(
      entry({ action: 'server.start' }),
      entry(),
      entry({ actor: 'gateway:1', action: 'governance.commit' }),
    );
    expect(await store.read((tx) => tx.lastProcessAudit())).toBe(1);
  });

  describe('beside it', () => {
    test('a transfer remembers the token that submitted it, and the first that asked for its cancel', async () => {
      await store.write(async (tx) => {
        await tx.saveAccounts([account(1), account(2)]);
        await tx.saveAccepted(
          acceptedRows({
            owners: [{ id: 1, name: 'acme' }],
            transfers: [transfer(1, { ownerId: 1, tokenId: 'aa' }), transfer(2)],
          }),
        );
        await tx.requestCancels([{ seq: 1, tokenId: 'bb' }, { seq: 2 }], 5);
        await tx.requestCancels([{ seq: 1, tokenId: 'cc' }], 6);
      });
      expect(await store.now.submission(hashOf(1))).toEqual({
        hash: hashOf(1),
        owner: 'acme',
        tokenId: 'aa',
        firstSeenAtMs: 1,
        cancelTokenId: 'bb',
        cancelRequestedAtMs: 5,
      });
      expect(await store.now.submission(hashOf(2))).toEqual({
        hash: hashOf(2),
        owner: undefined,
        tokenId: undefined,
        firstSeenAtMs: 1,
        cancelTokenId: undefined,
        cancelRequestedAtMs: 5,
      });
      expect(await store.now.submission(hashOf(3))).toBeUndefined();
      // Partners see none of it.
      expect(Object.keys((await store.now.transferByHash(hashOf(1))) ?? {})).not.toContain('tokenId');
    });

    test('a token has its last use, which never goes back', async () => {
      const token = (id: string) => ({
        id,
        secretSha256: new Uint8Array(32),
        owner: 'acme',
        scopes: [],
        createdAtMs: 1,
        expiresAtMs: undefined,
        revokedAtMs: undefined,
      });
      await store.write((tx) =>
        Promise.all([tx.insertToken(token('a')), tx.insertToken(token('b')), tx.insertToken(token('c'))]),
      );
      await store.write((tx) =>
        tx.markTokensUsed([
          { id: 'a', atMs: 10 },
          { id: 'b', atMs: 20 },
          { id: 'unknown', atMs: 1 },
        ]),
      );
      await store.write((tx) =>
        tx.markTokensUsed([
          { id: 'a', atMs: 5 },
          { id: 'b', atMs: 25 },
        ]),
      );
      expect((await store.now.tokens()).map(({ id, lastUsedAtMs }) => [id, lastUsedAtMs])).toEqual([
        ['a', 10],
        ['b', 25],
        ['c', undefined],
      ]);
    });

    test('bindings are listed by address and removed once', async () => {
      const binding = (address: string) => ({ address, owner: 'acme', boundAtMs: 1 });
      await store.write((tx) => Promise.all(['c', 'a', 'b'].map((address) => tx.saveBinding(binding(address)))));
      expect(await store.read((tx) => tx.allBindings())).toEqual(['a', 'b', 'c'].map(binding));
      expect(await store.write((tx) => tx.removeBinding('b'))).toEqual(binding('b'));
      expect(await store.write((tx) => tx.removeBinding('b'))).toBeUndefined();
      expect(await store.read((tx) => tx.allBindings())).toEqual(['a', 'c'].map(binding));
    });
  });
});
