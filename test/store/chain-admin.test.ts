/** Tokens, bound addresses and the audit trail in chain.db, which the writer of the chain and command lines share. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createAdministration } from '../../server/gateway/index.ts';
import type { Administration } from '../../server/gateway/index.ts';
import { type ChainAdmin, adminStore, chainAdmin } from '../../server/store/embedded/admin.ts';
import {
  type ChainConnection,
  openChainDatabase,
  writing,
  writingLater,
} from '../../server/store/embedded/connection.ts';
import { ChainLog } from '../../server/store/embedded/chain-log.ts';
import { decodeEntries, encodeEntries } from '../../server/store/embedded/journal.ts';
import { SEGMENT_BITS } from '../../server/store/embedded/segments.ts';
import { StoreUnavailableError } from '../../server/store/errors.ts';
import type { AdminStore, AuditEntry } from '../../server/store/types.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { devAddress } from '../ledger/support.ts';

const NOW_MS = 1_700_000_000_000;
const SCOPES = ['transactions:read'] as const;

let writer: ChainConnection;
let admin: ChainAdmin;
let commandLine: AdminStore;
let administration: Administration;
let beside: ChainConnection;

beforeEach(async () => {
  const file = path.join(await temporaryFolder('chain-admin'), 'chain.db');
  writer = openChainDatabase({ path: file });
  admin = chainAdmin(writer);
  beside = openChainDatabase({ path: file });
  commandLine = adminStore(beside);
  const clock = { nowMs: () => NOW_MS, monotonicMs: () => 0, setTimer: () => ({ cancel: () => {} }) };
  administration = createAdministration(commandLine, {
    clock: clock as never,
    random: { bytes: (n) => randomBytes(n) },
    actor: 'user:ann@desk',
  });
});
afterEach(async () => {
  await commandLine.close();
  writer.close();
  await removeTemporaryFolders();
});

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  atMs: 5,
  actor: 'gateway:1',
  action: 'server.start',
  subject: 'host',
  details: { a: 1 },
  ...changes,
});

test('a command line manages tokens and addresses, and each change is in the audit trail', async () => {
  const { token, tokenId } = await administration.createToken({
    owner: 'acme',
    scopes: SCOPES,
    expiresAtMs: NOW_MS + 1000,
  });
  const rotated = await administration.rotateToken(tokenId, { overlapMs: 500 });
  if (!rotated.ok) throw new Error(rotated.message);
  expect(await administration.revokeToken(tokenId)).toBe(true);
  expect(await administration.revokeToken(tokenId)).toBe(false);
  await administration.bindAddress(devAddress(1), 'acme');
  expect(await administration.bindAddress(devAddress(1), 'globex')).toMatchObject({
    ok: false,
    reason: 'bound_to_another',
  });
  await administration.bindAddress(devAddress(1), 'globex', { replace: true });
  expect(await administration.listBindings()).toEqual([{ address: devAddress(1), owner: 'globex', boundAtMs: NOW_MS }]);
  expect(await administration.unbindAddress(devAddress(1))).toMatchObject({ ok: true, was: { owner: 'globex' } });

  expect(admin.token(tokenId)).toMatchObject({
    id: tokenId,
    owner: 'acme',
    scopes: SCOPES,
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 500,
    revokedAtMs: NOW_MS,
  });
  expect(
    admin
      .tokens()
      .map(({ id }) => id)
      .sort(),
  ).toEqual([tokenId, rotated.made.id].sort());
  const trail = admin.auditEntries({ after: 0, limit: 100 });
  expect(trail.map(({ id, action }) => `${id} ${action}`)).toEqual([
    '1 token.create',
    '2 token.rotate',
    '3 token.revoke',
    '4 address.bind',
    '5 address.bind',
    '6 address.unbind',
  ]);
  expect(JSON.stringify(trail)).not.toContain(token.split('_')[2]);
});

describe('a transaction of a command line', () => {
  test('that throws leaves nothing', async () => {
    const failing = commandLine.write(async (tx) => {
      await tx.saveBinding({ address: devAddress(1), owner: 'acme', boundAtMs: 1 });
      expect(await tx.bindings([devAddress(1)])).toHaveLength(1);
      await tx.appendAudit([entry()]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await commandLine.now.bindings([devAddress(1)])).toEqual([]);
    expect(await administration.audit({ limit: 10 })).toEqual([]);
  });

  test('takes turns with others on its connection, and waits for the writer of the chain', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        commandLine.write((tx) => tx.appendAudit([entry({ subject: `s${i}` }), entry()])),
      ),
    );
    expect(admin.auditEntries({ after: 0, limit: 100 }).map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    beside.pragma('busy_timeout = 1');
    const refused = writingLater(writer, () =>
      commandLine.write((tx) => tx.appendAudit([entry()])).catch((error: unknown) => error),
    );
    await expect(refused).resolves.toBeInstanceOf(StoreUnavailableError);
  });
});

describe('the writer of the chain', () => {
  test('sees at once what a command line bound, and what it bound itself', async () => {
    const owners = () => admin.bindings([devAddress(1), devAddress(2)]).map(({ owner }) => owner);
    expect(owners()).toEqual([]);
    await administration.bindAddress(devAddress(1), 'acme');
    expect(owners()).toEqual(['acme']);
    expect(owners()).toEqual(['acme']);
    await administration.bindAddress(devAddress(1), 'globex', { replace: true });
    expect(writing(writer, owners)).toEqual(['globex']);
    await administration.unbindAddress(devAddress(1));
    expect(owners()).toEqual([]);
    admin.saveBinding({ address: devAddress(2), owner: 'mine', boundAtMs: 1 });
    expect(owners()).toEqual(['mine']);
    admin.removeBinding(devAddress(2));
    expect(owners()).toEqual([]);
  });

  test('remembers no binding that was rolled back', () => {
    const undone = (): void =>
      writing(writer, () => {
        admin.saveBinding({ address: devAddress(1), owner: 'acme', boundAtMs: 1 });
        expect(admin.bindings([devAddress(1)])).toHaveLength(1);
        throw new Error('undone');
      });
    expect(undone).toThrow('undone');
    expect(admin.bindings([devAddress(1)])).toEqual([]);
  });

  test('writes when a token was last used, never back, and inside a transaction of its own as part of it', async () => {
    const { tokenId } = await administration.createToken({ owner: 'acme', scopes: SCOPES });
    const lastUsed = () => admin.token(tokenId)?.lastUsedAtMs;
    admin.markTokensUsed([
      { id: tokenId, atMs: 20 },
      { id: 'unknown', atMs: 20 },
    ]);
    admin.markTokensUsed([{ id: tokenId, atMs: 10 }]);
    expect(lastUsed()).toBe(20);
    const undone = (): void =>
      writing(writer, () => {
        admin.markTokensUsed([{ id: tokenId, atMs: 30 }]);
        admin.appendAudit([entry()]);
        throw new Error('undone');
      });
    expect(undone).toThrow('undone');
    expect(lastUsed()).toBe(20);
    expect(admin.auditEntries({ after: 1, limit: 1 })).toEqual([]);
  });
});

describe('the audit trail', () => {
  test('is read by id, action and time', () => {
    const actions = ['server.start', 'token.create', 'server.stop', 'token.revoke', 'governance.commit'] as const;
    admin.appendAudit(actions.map((action, i) => entry({ action, atMs: 10 * i })));
    const ids = (query: Parameters<ChainAdmin['auditEntries']>[0]) => admin.auditEntries(query).map(({ id }) => id);
    expect(admin.auditEntries({ before: 2, limit: 5 })).toEqual([{ id: 1, ...entry({ atMs: 0 }) }]);
    expect(ids({ limit: 2 })).toEqual([5, 4]);
    expect(ids({ before: 4, limit: 2 })).toEqual([3, 2]);
    expect(ids({ after: 2, limit: 2 })).toEqual([3, 4]);
    expect(ids({ limit: 9, actions: ['token.create', 'token.revoke'] })).toEqual([4, 2]);
    expect(ids({ limit: 9, sinceMs: 30 })).toEqual([5, 4]);
    expect(admin.lastProcessAudit()).toBe(3);
  });

  test('is changed by no one: the database refuses to update, delete or replace it', () => {
    admin.appendAudit([entry(), entry()]);
    for (const statement of [
      "UPDATE audit SET actor = 'x'",
      'DELETE FROM audit',
      "INSERT OR REPLACE INTO audit VALUES (1, 1, 'x', 'x', 'x', '{}')",
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
    writer.exec("INSERT INTO chain VALUES (1, 'c', 'h', 0, 0, 0, NULL)");
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
