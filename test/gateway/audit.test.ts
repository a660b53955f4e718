/** What the command line changes is in the audit trail, the audit trail in the log, and no secret in either. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Administration } from '../../server/gateway/index.ts';
import { accessIn, createAdministration } from '../../server/gateway/index.ts';
import { AuditStream } from '../../server/gateway/audit/audit-stream.ts';
import { AUDIT_PAGE_MAX, AUDIT_POLL_MS, TOKEN_USES_FIRST_MS, TOKEN_USES_MS } from '../../server/gateway/limits.ts';
import type { AdminStore, Store } from '../../server/store/index.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { devAddress } from '../ledger/support.ts';
import { FaultyStore } from './support/faulty-store.ts';
import { ON_CHAIN } from './support/fixture-store.ts';
import { Fixture } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';

let fixture: Fixture;
let commandLine: AdminStore;
let administration: Administration;
beforeEach(async () => {
  fixture = await Fixture.open({ faulty: true });
  commandLine = await fixture.openAdmin();
  administration = createAdministration(accessIn(commandLine), {
    clock: fixture.clock,
    random: { bytes: (n) => randomBytes(n) },
    actor: 'user:ann@desk',
  });
});
afterEach(async () => {
  await commandLine.close();
  await fixture.dispose();
});

/** Without the hashes that chain.db has of its lines, and a gateway's database has not (test/store/audit-chain.test.ts). */
const trail = async () =>
  (await administration.audit({ after: 0, limit: 100 })).map((line) => ({ ...line, hash: undefined }));

describe('the audit trail', () => {
  test('records every change of tokens and addresses: who, when, what, and nothing secret', async () => {
    const at = fixture.clock.nowMs();
    const { token, tokenId } = await administration.createToken({
      owner: 'acme',
      scopes: ['transactions:read'],
      expiresAtMs: at + 1000,
    });
    const rotated = await administration.rotateToken(tokenId, { overlapMs: 500 });
    if (!rotated.ok) throw new Error(rotated.message);
    await administration.revokeToken(tokenId);
    await administration.bindAddress(devAddress(1), 'acme');
    await administration.bindAddress(devAddress(1), 'globex', { replace: true });
    await administration.unbindAddress(devAddress(1));
    const end = new Date(at + 1000).toISOString();
    const scopes = ['transactions:read'];
    const by = { atMs: at, actor: 'user:ann@desk' };
    expect(await trail()).toEqual([
      { id: 1, ...by, action: 'token.create', subject: tokenId, details: { owner: 'acme', scopes, expiresAt: end } },
      {
        id: 2,
        ...by,
        action: 'token.rotate',
        subject: tokenId,
        details: {
          madeId: rotated.made.id,
          owner: 'acme',
          scopes,
          expiresAt: end,
          oldExpiresAt: new Date(at + 500).toISOString(),
        },
      },
      { id: 3, ...by, action: 'token.revoke', subject: tokenId, details: { owner: 'acme' } },
      { id: 4, ...by, action: 'address.bind', subject: devAddress(1), details: { owner: 'acme' } },
      { id: 5, ...by, action: 'address.bind', subject: devAddress(1), details: { owner: 'globex', before: 'acme' } },
      { id: 6, ...by, action: 'address.unbind', subject: devAddress(1), details: { owner: 'globex' } },
    ]);
    const text = JSON.stringify(await trail());
    for (const whole of [token, rotated.token]) expect(text).not.toContain(whole.split('_')[2]);
  });

  test('records the scopes that a token is given, once, and gives none to one that is revoked', async () => {
    const { tokenId } = await administration.createToken({ owner: 'dev', scopes: ['transactions:read'] });
    expect(await administration.extendToken(tokenId, ['transactions:read', 'webhooks:manage'])).toBe(true);
    expect(await administration.extendToken(tokenId, ['transactions:read', 'webhooks:manage'])).toBe(false);
    expect((await administration.listTokens())[0]?.scopes).toEqual(['transactions:read', 'webhooks:manage']);
    expect((await trail()).at(-1)).toMatchObject({
      action: 'token.extend',
      subject: tokenId,
      details: { owner: 'dev', added: ['webhooks:manage'] },
    });
    await administration.revokeToken(tokenId);
    expect(await administration.extendToken(tokenId, ['transactions:write'])).toBe(false);
    expect(await administration.extendToken('0'.repeat(16), ['transactions:write'])).toBe(false);
  });

  test('records nothing that was not done', async () => {
    await administration.revokeToken('0'.repeat(16));
    await administration.rotateToken('0'.repeat(16), { overlapMs: 1 });
    await administration.unbindAddress(devAddress(1));
    await administration.bindAddress(devAddress(1), 'acme');
    await administration.bindAddress(devAddress(1), 'globex');
    expect((await trail()).map(({ action }) => action)).toEqual(['address.bind']);
  });

  test('and what it records are written together, or neither is', async () => {
    const broken = new FaultyStore(commandLine as Store);
    broken.wrap = (tx) => ({
      ...tx,
      appendAudit: async () => {
        throw new StoreUnavailableError('the disk is full');
      },
    });
    const failing = createAdministration(accessIn(broken), {
      clock: fixture.clock,
      random: { bytes: (n) => randomBytes(n) },
      actor: 'user:ann@desk',
    });
    const { tokenId } = await administration.createToken({ owner: 'acme', scopes: ['transactions:read'] });
    await administration.bindAddress(devAddress(2), 'acme');
    const attempts = [
      () => failing.createToken({ owner: 'acme', scopes: ['transactions:read'] }),
      () => failing.rotateToken(tokenId, { overlapMs: 1 }),
      () => failing.revokeToken(tokenId),
      () => failing.bindAddress(devAddress(1), 'acme'),
      () => failing.unbindAddress(devAddress(2)),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('the disk is full');
    expect(
      (await administration.listTokens()).map(({ id, revokedAtMs, expiresAtMs }) => [id, revokedAtMs, expiresAtMs]),
    ).toEqual([[tokenId, undefined, undefined]]);
    expect((await administration.listBindings()).map(({ address }) => address)).toEqual([devAddress(2)]);
  });
});

describe('the stream', () => {
  const lines: Record<string, unknown>[] = [];
  let stream: AuditStream | undefined;
  beforeEach(() => {
    lines.length = 0;
  });
  afterEach(() => stream?.stop());

  async function open(store: AdminStore = fixture.admin): Promise<AuditStream> {
    const logger = fixture.logger();
    stream = await AuditStream.open({
      store,
      clock: fixture.clock,
      logger,
      stream: { ...logger, info: (fields) => void lines.push(fields as Record<string, unknown>) },
    });
    stream.start();
    await settled();
    return stream;
  }

  test('has each entry once and in order, whichever process wrote it', async () => {
    await open();
    await administration.bindAddress(devAddress(1), 'acme');
    await administration.unbindAddress(devAddress(1));
    await fixture.clock.advance(AUDIT_POLL_MS);
    await administration.bindAddress(devAddress(2), 'acme');
    await fixture.clock.advance(2 * AUDIT_POLL_MS);
    expect(lines.map(({ id, action }) => [id, action])).toEqual([
      [1, 'address.bind'],
      [2, 'address.unbind'],
      [3, 'address.bind'],
    ]);
    expect(lines[0]).toEqual({
      id: 1,
      at: new Date(START).toISOString(),
      actor: 'user:ann@desk',
      action: 'address.bind',
      subject: devAddress(1),
      details: { owner: 'acme' },
    });
  });

  test('has at a start what was done while no gateway ran, however much that is', async () => {
    const gateway = { atMs: 1, actor: 'gateway:before', action: 'server.stop', subject: 'host', details: {} } as const;
    await commandLine.write((tx) => tx.appendAudit([{ ...gateway, action: 'server.start' }, gateway]));
    const count = 2 * AUDIT_PAGE_MAX + 1;
    await commandLine.write((tx) =>
      tx.appendAudit(
        Array.from({ length: count }, () => ({ ...gateway, actor: 'user:ann@desk', action: 'token.create' as const })),
      ),
    );
    await (await open()).stop();
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i + 3));
  });

  test('has at a start what a gateway that was killed had not copied', async () => {
    const gateway = { atMs: 1, actor: 'gateway:before', action: 'server.start', subject: 'host', details: {} } as const;
    await commandLine.write((tx) =>
      tx.appendAudit([
        gateway,
        { ...gateway, actor: 'user:ann@desk', action: 'token.revoke' },
        { ...gateway, action: 'governance.commit' },
      ]),
    );
    await (await open()).stop();
    expect(lines.map(({ id, action }) => [id, action])).toEqual([
      [2, 'token.revoke'],
      [3, 'governance.commit'],
    ]);
  });

  test('goes on after the store was away', async () => {
    await open(fixture.faultyAdmin);
    await administration.bindAddress(devAddress(1), 'acme');
    fixture.faults.beforeRead = () => {
      throw new StoreUnavailableError('away');
    };
    await fixture.clock.advance(AUDIT_POLL_MS);
    expect(lines).toEqual([]);
    fixture.faults.beforeRead = undefined;
    await fixture.clock.advance(AUDIT_POLL_MS);
    expect(lines).toHaveLength(1);
  });
});

/** Of one change: an entry of the log and its rows, or rows alone. */
const WRITES = ON_CHAIN ? 2 : 1;

const START = Date.parse('2026-11-21T09:00:00Z');

describe('the last use of a token', () => {
  const lastUse = async (id: string) =>
    (await administration.listTokens()).find((token) => token.id === id)?.lastUsedAtMs;

  test('is written once a minute for all tokens together, and no request waits for it', async () => {
    const made = await Promise.all(
      [1, 2, 3].map(() => administration.createToken({ owner: 'acme', scopes: ['transactions:read'] })),
    );
    const [a, b, c] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    const firstMs = fixture.clock.nowMs();
    const writes = fixture.faults.writes;
    for (let i = 0; i < 100; i++) await fixture.gateway.authenticate(a.token);
    await fixture.gateway.authenticate(b.token);
    expect(fixture.faults.writes).toBe(writes);
    expect(await lastUse(a.tokenId)).toBeUndefined();
    await fixture.clock.advance(TOKEN_USES_FIRST_MS);
    expect([await lastUse(a.tokenId), await lastUse(b.tokenId), await lastUse(c.tokenId)]).toEqual([
      firstMs,
      firstMs,
      undefined,
    ]);
    expect(fixture.faults.writes).toBe(writes + WRITES);

    for (let ms = 0; ms < TOKEN_USES_MS - 2 * TOKEN_USES_FIRST_MS; ms += 5000) {
      await fixture.gateway.authenticate(a.token);
      await fixture.clock.advance(5000);
    }
    await fixture.clock.advance(TOKEN_USES_MS);
    expect(fixture.faults.writes).toBe(writes + 2 * WRITES);
    expect(await lastUse(a.tokenId)).toBe(firstMs + TOKEN_USES_FIRST_MS);
  });

  test('is of one who knew the secret: an id alone is no use', async () => {
    const { token, tokenId } = await administration.createToken({ owner: 'acme', scopes: ['transactions:read'] });
    await fixture.gateway.authenticate(`${token.slice(0, -4)}${token.endsWith('0000') ? '1111' : '0000'}`);
    await administration.revokeToken(tokenId);
    await fixture.clock.advance(5000);
    await fixture.gateway.authenticate(token);
    await fixture.clock.advance(2 * TOKEN_USES_MS);
    expect(await lastUse(tokenId)).toBeUndefined();
  });

  test('is written when the gateway stops, and a store that is away harms nothing but itself', async () => {
    const { token, tokenId } = await administration.createToken({ owner: 'acme', scopes: ['transactions:read'] });
    await fixture.gateway.authenticate(token);
    fixture.faults.beforeCommit = () => {
      throw new StoreUnavailableError('the disk is full');
    };
    await fixture.clock.advance(TOKEN_USES_FIRST_MS);
    fixture.faults.beforeCommit = undefined;
    expect(await fixture.gateway.authenticate(token)).toMatchObject({ tokenId });
    await fixture.gateway.drain();
    expect(await lastUse(tokenId)).toBe(fixture.clock.nowMs());
  });
});
