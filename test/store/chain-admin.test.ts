/** Tokens, bound addresses and the audit trail: their rows in chain.db, and the entry of the log that they are written from. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import path from 'node:path';
import { decodeAccess, encodeAccess } from '../../server/store/embedded/access-entry.ts';
import { type AccessRows, accessRows, accessWriter } from '../../server/store/embedded/admin.ts';
import { type ChainConnection, openChainDatabase, writing } from '../../server/store/embedded/connection.ts';
import { ChainLog } from '../../server/store/embedded/chain-log.ts';
import { decodeEntries, encodeEntries } from '../../server/store/embedded/journal.ts';
import { SEGMENT_BITS } from '../../server/store/embedded/segments.ts';
import type { AccessWrite, AuditEntry, StoredToken } from '../../server/store/types.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { devAddress } from '../ledger/support.ts';

let writer: ChainConnection;
let admin: AccessRows;

beforeEach(async () => {
  writer = openChainDatabase({ path: path.join(await temporaryFolder('chain-admin'), 'chain.db') });
  admin = accessRows(writer);
});
afterEach(async () => {
  writer.close();
  await removeTemporaryFolders();
});

/** As the writer of chain.db does: what the log has, not what was handed in. */
const write = (...writes: AccessWrite[]): void =>
  writing(writer, () => accessWriter(writer)(decodeAccess(encodeAccess(writes))));

const token = (changes: Partial<StoredToken> = {}): StoredToken => ({
  id: 'a1',
  secretSha256: Buffer.alloc(32, 7),
  owner: 'acme',
  scopes: ['transactions:read'],
  createdAtMs: 100,
  expiresAtMs: undefined,
  revokedAtMs: undefined,
  lastUsedAtMs: undefined,
  ...changes,
});

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  atMs: 5,
  actor: 'gateway:1',
  action: 'server.start',
  subject: 'host',
  details: { a: 1 },
  ...changes,
});

const HASH: unknown = expect.stringMatching(/^[0-9A-F]{64}$/);

describe('an entry', () => {
  test('makes the rows that it names, each with every member', () => {
    write(
      ['insertToken', token({ expiresAtMs: 900, limits: { ratePerS: 3, pendingMax: 4 } })],
      ['insertToken', token({ id: 'b2' })],
      ['setTokenScopes', 'a1', ['transactions:read', 'webhooks:manage']],
      ['expireToken', 'a1', 500],
      ['revokeToken', 'a1', 300],
      ['revokeToken', 'a1', 400],
      ['setTokenLimits', 'b2', { pendingMax: 9 }],
      ['saveBinding', { address: devAddress(1), owner: 'acme', boundAtMs: 1 }],
      ['saveBinding', { address: devAddress(1), owner: 'globex', boundAtMs: 2 }],
      ['saveBinding', { address: devAddress(2), owner: 'acme', boundAtMs: 1 }],
      ['removeBinding', devAddress(2)],
      ['appendAudit', [entry(), entry({ subject: 'other' })]],
    );
    expect(admin.tokens()).toEqual([
      token({
        expiresAtMs: 500,
        revokedAtMs: 300,
        scopes: ['transactions:read', 'webhooks:manage'],
        limits: { ratePerS: 3, pendingMax: 4 },
      }),
      token({ id: 'b2', limits: { pendingMax: 9 } }),
    ]);
    expect(admin.bindings([devAddress(2), devAddress(1)])).toEqual([
      { address: devAddress(1), owner: 'globex', boundAtMs: 2 },
    ]);
    expect(admin.auditEntries({ after: 0, limit: 9 })).toEqual([
      { id: 1, ...entry(), hash: HASH },
      { id: 2, ...entry({ subject: 'other' }), hash: HASH },
    ]);
    write(['setTokenLimits', 'a1', {}]);
    expect(admin.token('a1')).not.toHaveProperty('limits');
  });

  test('of a change that this program does not know is refused: nothing of the log is skipped', () => {
    expect(() => decodeAccess('[["dropToken","a1"]]')).toThrow('which this program does not know');
    expect(() => decodeAccess('[["constructor","a1"]]')).toThrow('which this program does not know');
    expect(() => decodeAccess('{}')).toThrow(TypeError);
  });

  test('sets the moment of a last use, and never back', () => {
    write(['insertToken', token()]);
    write([
      'markTokensUsed',
      [
        { id: 'a1', atMs: 20 },
        { id: 'unknown', atMs: 20 },
      ],
    ]);
    write(['markTokensUsed', [{ id: 'a1', atMs: 10 }]]);
    expect(admin.token('a1')?.lastUsedAtMs).toBe(20);
  });
});

describe('the audit trail', () => {
  test('is read by id, action and time', () => {
    const actions = ['server.start', 'token.create', 'server.stop', 'token.revoke', 'governance.commit'] as const;
    write(['appendAudit', actions.map((action, i) => entry({ action, atMs: 10 * i }))]);
    const ids = (query: Parameters<AccessRows['auditEntries']>[0]) => admin.auditEntries(query).map(({ id }) => id);
    expect(admin.auditEntries({ before: 2, limit: 5 })).toEqual([{ id: 1, ...entry({ atMs: 0 }), hash: HASH }]);
    expect(ids({ limit: 2 })).toEqual([5, 4]);
    expect(ids({ before: 4, limit: 2 })).toEqual([3, 2]);
    expect(ids({ after: 2, limit: 2 })).toEqual([3, 4]);
    expect(ids({ limit: 9, actions: ['token.create', 'token.revoke'] })).toEqual([4, 2]);
    expect(ids({ limit: 9, sinceMs: 30 })).toEqual([5, 4]);
    expect(admin.lastProcessAudit()).toBe(3);
  });

  test('is changed by no one: the database refuses to update, delete or replace it', () => {
    write(['appendAudit', [entry(), entry()]]);
    for (const statement of [
      "UPDATE audit SET actor = 'x'",
      'DELETE FROM audit',
      "INSERT OR REPLACE INTO audit VALUES (1, 1, 'x', 'x', 'x', '{}', x'00')",
    ]) {
      expect(() => writer.exec(statement)).toThrow('append-only');
    }
  });
});

describe('a submission', () => {
  const hashOf = (text: string): string => Buffer.alloc(32, text).toString('hex').toUpperCase();
  const bytes = (hash: string): Buffer => Buffer.from(hash, 'hex');
  const insert = (
    seq: number,
    hash: string,
    row: { submitter?: number; executedAs?: string; cancelAtMs?: number; canceller?: number } = {},
  ): void => {
    writer
      .prepare(
        `INSERT INTO transfers (seq, hash, from_id, to_id, amount, nonce, submitter_id, status, executed_as, first_seen_at_ms, cancel_requested_at_ms, cancel_submitter_id)
         VALUES (?, ?, 1, 2, '5', 0, ?, 1, ?, 100, ?, ?)`,
      )
      .run(
        seq,
        bytes(hash),
        row.submitter ?? null,
        row.executedAs === undefined ? null : bytes(row.executedAs),
        row.cancelAtMs ?? null,
        row.canceller ?? null,
      );
    for (const each of [hash, row.executedAs ?? []].flat()) {
      writer
        .prepare('INSERT INTO by_hash VALUES (?, ?, ?)')
        .run(Math.floor(seq / 2 ** SEGMENT_BITS), bytes(each).readUIntBE(0, 6), seq);
    }
  };
  const unknown = { owner: undefined, tokenId: undefined, cancelTokenId: undefined, cancelRequestedAtMs: undefined };

  test('is found by its hash and the one it was executed as, in any segment, among hashes that begin alike', () => {
    writer.exec("INSERT INTO submitters VALUES (1, 'acme', 't1'), (2, 'acme', ''), (3, 'globex', 't3')");
    const likeA = `${hashOf('a').slice(0, 12)}${'0'.repeat(52)}`;
    insert(1, hashOf('a'), { submitter: 1, executedAs: hashOf('b'), cancelAtMs: 7, canceller: 3 });
    insert(2, likeA, { submitter: 2 });
    insert(3 * 2 ** SEGMENT_BITS + 5, hashOf('c'));
    const first = {
      hash: hashOf('a'),
      owner: 'acme',
      tokenId: 't1',
      firstSeenAtMs: 100,
      cancelTokenId: 't3',
      cancelRequestedAtMs: 7,
    };
    expect(admin.submission(hashOf('a'))).toEqual(first);
    expect(admin.submission(hashOf('b'))).toEqual(first);
    expect(admin.submission(likeA)).toEqual({ ...unknown, hash: likeA, owner: 'acme', firstSeenAtMs: 100 });
    expect(admin.submission(hashOf('c'))).toEqual({ ...unknown, hash: hashOf('c'), firstSeenAtMs: 100 });
    expect(admin.submission(hashOf('d'))).toBeUndefined();
  });

  test('is found in the journal before the first block that knows it, with the cancel that was asked for first', () => {
    writer.exec("INSERT INTO submitters VALUES (1, 'acme', 't1')");
    insert(1, hashOf('a'), { submitter: 1 });
    const transfer = {
      seq: 2,
      hash: hashOf('b'),
      from: 'f',
      to: 't',
      amount: 5n,
      nonce: 1,
      signature: 'ab',
      owner: 'globex',
      firstSeenAtMs: 50,
      seenBlockMs: 1,
      seenUptimeMs: 1,
    };
    const cancel = { kind: 'cancel', owner: 'globex' } as const;
    const groups = [
      encodeEntries([
        { kind: 'accepted', transfer, tokenId: 't2', idempotencyKey: undefined },
        { ...cancel, seq: 1, atMs: 60, tokenId: 't3' },
      ]),
      encodeEntries([
        { ...cancel, seq: 1, atMs: 70, tokenId: 't4' },
        { ...cancel, seq: 2, atMs: 80, tokenId: 't2' },
      ]),
    ];
    const log = new ChainLog({ sql: writer, chainFile: writer.name, chain: { chainId: 'c', genesisHash: 'h' } });
    writer.exec("INSERT INTO chain VALUES (1, 'c', 'h', 0, 0, 0, NULL, 0)");
    for (const group of groups) log.append(decodeEntries(group));
    log.close();
    expect(admin.submission(hashOf('a'))).toMatchObject({
      tokenId: 't1',
      cancelTokenId: 't3',
      cancelRequestedAtMs: 60,
    });
    expect(admin.submission(hashOf('b'))).toEqual({
      hash: hashOf('b'),
      owner: 'globex',
      tokenId: 't2',
      firstSeenAtMs: 50,
      cancelTokenId: 't2',
      cancelRequestedAtMs: 80,
    });
  });
});
