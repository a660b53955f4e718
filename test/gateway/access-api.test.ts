/** Tokens and bindings by the API: what a caller may give, what is recorded, and what it changes for who submits. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { AccessApi } from '../../server/gateway/access/api.ts';
import { createAccessService } from '../../server/gateway/access/service.ts';
import type { Scope } from '../../server/gateway/types.ts';
import type { AdminStore } from '../../server/store/index.ts';
import { devAddress } from '../ledger/support.ts';
import { ALICE, BOB, Fixture } from './support/fixture.ts';

const MANAGER = {
  tokenId: 'a0a0a0a0a0a0a0a0',
  scopes: ['access:manage', 'transactions:read', 'transactions:write'] as Scope[],
};
const EVERY_SCOPE: Scope[] = [
  'access:manage',
  'transactions:read',
  'transactions:write',
  'transactions:cancel-any',
  'rpc:broadcast',
  'webhooks:manage',
];
const ADMINISTRATOR = { tokenId: 'b0b0b0b0b0b0b0b0', scopes: EVERY_SCOPE };

let fixture: Fixture;
let rows: AdminStore;
let access: AccessApi;
beforeEach(async () => {
  fixture = await Fixture.open();
  rows = await fixture.openAdmin();
  for (const { tokenId, scopes } of [MANAGER, ADMINISTRATOR])
    await rows.write(async (tx) =>
      tx.insertToken({
        id: tokenId,
        secretSha256: randomBytes(32),
        owner: 'operator',
        scopes,
        createdAtMs: 0,
        expiresAtMs: undefined,
        revokedAtMs: undefined,
      }),
    );
  access = createAccessService({
    change: (change) => fixture.core.changeAccess(change),
    read: (work) => work(rows.now),
    chain: fixture.engine.genesis,
    clock: fixture.clock,
    random: { bytes: (n) => randomBytes(n) },
  });
});
afterEach(async () => {
  await rows.close();
  await fixture.dispose();
});

async function made(scopes: readonly string[] = ['transactions:read'], caller = MANAGER, owner = 'acme') {
  const answer = await access.createToken(caller, { owner, scopes, expiresInSeconds: 60 });
  if (!answer.ok) throw new Error(answer.detail);
  return answer;
}

describe('a token that the API makes', () => {
  test('can be used, and is on record under the token that made it', async () => {
    const { text, token } = await made(['transactions:read', 'transactions:write']);
    expect(await fixture.gateway.authenticate(text)).toMatchObject({
      tokenId: token.id,
      owner: 'acme',
      scopes: ['transactions:read', 'transactions:write'],
    });
    expect(token.expiresAtMs).toBe(fixture.clock.nowMs() + 60_000);
    const [entry] = await rows.now.auditEntries({ limit: 1 });
    expect(entry).toMatchObject({
      actor: 'token:a0a0a0a0a0a0a0a0',
      action: 'token.create',
      subject: token.id,
      details: { owner: 'acme', scopes: ['transactions:read', 'transactions:write'] },
    });
    expect(JSON.stringify(entry)).not.toContain(text.split('_')[2]);
  });

  test('has no scope that its maker lacks', async () => {
    for (const scope of ['transactions:cancel-any', 'rpc:broadcast', 'webhooks:manage']) {
      const refused = await access.createToken(MANAGER, { owner: 'acme', scopes: ['transactions:read', scope] });
      expect(refused).toMatchObject({ ok: false, code: 'insufficient_scope', extra: { scopes: [scope] } });
    }
    expect(await access.createToken(MANAGER, { owner: 'acme', scopes: ['transactions:rule'] })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      errors: [{ pointer: '/scopes/0' }],
    });
    expect((await rows.now.tokens()).map(({ id }) => id)).toEqual([MANAGER.tokenId, ADMINISTRATOR.tokenId]);
    expect(await rows.now.auditEntries({ limit: 10 })).toEqual([]);
  });

  test('is replaced, changed and ended; another holds for its overlap', async () => {
    const { token, text } = await made();
    const limited = await access.updateToken(MANAGER, token.id, { limits: { ratePerS: 5 } });
    expect(limited).toMatchObject({ ok: true, token: { limits: { ratePerS: 5 }, expiresAtMs: token.expiresAtMs } });
    const rotated = await access.rotateToken(MANAGER, token.id, { overlapSeconds: 10 });
    if (!rotated.ok) throw new Error(rotated.detail);
    expect(rotated).toMatchObject({
      token: { owner: 'acme', limits: { ratePerS: 5 } },
      replaced: { id: token.id, expiresAtMs: fixture.clock.nowMs() + 10_000 },
    });
    expect(await fixture.gateway.authenticate(rotated.text)).toMatchObject({ limits: { ratePerS: 5 } });
    await fixture.clock.advance(10_000);
    expect(await fixture.gateway.authenticate(text)).toBeUndefined();
    expect(await access.rotateToken(MANAGER, token.id, { overlapSeconds: 0 })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
    expect(await access.revokeToken(MANAGER, rotated.token.id)).toEqual({ ok: true });
    expect(await access.revokeToken(MANAGER, rotated.token.id)).toMatchObject({ ok: false, code: 'not_found' });
    expect(await access.updateToken(MANAGER, rotated.token.id, { expiresInSeconds: 1000 })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
    await fixture.clock.advance(4999);
    expect(await fixture.gateway.authenticate(rotated.text)).toBeUndefined();
    const actions = (await rows.now.auditEntries({ limit: 10 })).map(({ action }) => action);
    expect(actions).toEqual(['token.revoke', 'token.rotate', 'token.update', 'token.create']);
  });
});

test('a token with wider scopes is neither replaced nor changed, but can be revoked', async () => {
  const { token } = await made(['transactions:read', 'rpc:broadcast'], ADMINISTRATOR);
  const lacking = { ok: false, code: 'insufficient_scope', extra: { scopes: ['rpc:broadcast'] } };
  expect(await access.rotateToken(MANAGER, token.id, { overlapSeconds: 0 })).toMatchObject(lacking);
  expect(await access.updateToken(MANAGER, token.id, { limits: { ratePerS: 1 } })).toMatchObject(lacking);
  expect(await access.getToken(token.id)).toMatchObject({ ok: true, token: { expiresAtMs: token.expiresAtMs } });
  expect(await access.revokeToken(MANAGER, token.id)).toEqual({ ok: true });
});

test('pages of tokens join to the whole list, newest first, also of one moment, and a cursor belongs to its filters', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 7; at += 1) {
    if (at % 3 === 0) await fixture.clock.advance(1000);
    ids.push((await made(['transactions:read'], MANAGER, at === 6 ? 'globex' : 'acme')).token.id);
  }
  await access.revokeToken(MANAGER, ids[2]!);
  const all = async (query: { owner?: string; state: 'usable' | 'all' }): Promise<string[]> => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await access.listTokens({ limit: 2, cursor, ...query });
      if (!page.ok) throw new Error(page.detail);
      found.push(...page.tokens.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  };
  const whole = await all({ state: 'all' });
  expect([whole.length, new Set(whole)]).toEqual([9, new Set([...ids, MANAGER.tokenId, ADMINISTRATOR.tokenId])]);
  expect(whole[0]).toBe(ids[6]);
  expect(new Set(await all({ state: 'usable', owner: 'acme' }))).toEqual(
    new Set(ids.filter((_, at) => at !== 2 && at !== 6)),
  );
  const first = await access.listTokens({ limit: 2, state: 'all' });
  const wrong = await access.listTokens({ limit: 2, state: 'usable', cursor: first.ok ? first.nextCursor : '' });
  expect(wrong).toMatchObject({ ok: false, code: 'invalid_request', errors: [{ pointer: '#/query/cursor' }] });
  await fixture.clock.advance(60_000);
  expect(await all({ state: 'usable' })).toEqual([ADMINISTRATOR.tokenId, MANAGER.tokenId]);
});

test('an address is bound from the next submission on, is not taken by accident, and is freed', async () => {
  const address = devAddress(0);
  expect(await access.bindAddress(MANAGER, address, 'bob', false)).toMatchObject({
    ok: true,
    binding: { address, owner: 'bob' },
  });
  expect(await fixture.refusal({ nonce: 0 }, ALICE)).toMatchObject({ code: 'not_submitter' });
  await fixture.accept({ nonce: 0 }, BOB);
  expect(await access.bindAddress(MANAGER, address, 'alice', false)).toMatchObject({
    ok: false,
    code: 'not_submitter',
  });
  expect(await access.bindAddress(MANAGER, address, 'alice', true)).toMatchObject({ ok: true });
  await access.bindAddress(MANAGER, devAddress(1), 'bob', false);
  const page = await access.listBoundAddresses({ limit: 1 });
  const next = await access.listBoundAddresses({ limit: 1, cursor: page.ok ? page.nextCursor : '' });
  expect([page, next].map((each) => (each.ok ? each.bindings.map((binding) => binding.address) : each))).toEqual(
    [devAddress(0), devAddress(1)].toSorted().map((each) => [each]),
  );
  expect(await access.listBoundAddresses({ limit: 10, owner: 'bob' })).toMatchObject({
    bindings: [{ address: devAddress(1) }],
  });
  expect(await access.unbindAddress(MANAGER, address)).toEqual({ ok: true });
  expect(await access.unbindAddress(MANAGER, address)).toMatchObject({ ok: false, code: 'not_found' });
  expect(
    await access.unbindAddress(MANAGER, 'txlt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq'),
  ).toMatchObject({ ok: false, code: 'invalid_address' });
  await fixture.accept({ nonce: 1 }, ALICE);
  const [unbound, , bound] = await rows.now.auditEntries({ limit: 3 });
  expect([unbound, bound]).toMatchObject([
    { actor: 'token:a0a0a0a0a0a0a0a0', action: 'address.unbind', subject: address },
    {
      actor: 'token:a0a0a0a0a0a0a0a0',
      action: 'address.bind',
      subject: address,
      details: { owner: 'alice', before: 'bob' },
    },
  ]);
});

test("a token's own bound on what its owner has pending holds, below and above that of the service", async () => {
  const few = { ...ALICE, limits: { pendingMax: 2 } };
  await fixture.accept({ nonce: 0 }, few);
  await fixture.accept({ nonce: 1 }, ALICE);
  expect(await fixture.refusal({ nonce: 2 }, few)).toMatchObject({ code: 'too_many_pending' });
  await fixture.accept({ nonce: 2 }, ALICE);
  await fixture.accept({ nonce: 3 }, { ...ALICE, limits: { pendingMax: 4 } });
});

describe('who is remembered as a manager, and is none any more,', () => {
  const changes: [string, (caller: typeof MANAGER, tokenId: string) => Promise<unknown>][] = [
    ['makes no token', (caller) => access.createToken(caller, { owner: 'operator', scopes: ['access:manage'] })],
    ['replaces none', (caller, tokenId) => access.rotateToken(caller, tokenId, { overlapSeconds: 0 })],
    ['does not prolong itself', (caller) => access.updateToken(caller, caller.tokenId, { expiresInSeconds: 1000 })],
    ["ends no one else's", (caller, tokenId) => access.revokeToken(caller, tokenId)],
    ['binds no address', (caller) => access.bindAddress(caller, devAddress(5), 'operator', true)],
    ['frees none', (caller) => access.unbindAddress(caller, devAddress(0))],
  ];

  test.each(changes)('%s', async (_, change) => {
    const { token } = await made();
    await access.bindAddress(MANAGER, devAddress(0), 'acme', false);
    const short = await access.createToken(ADMINISTRATOR, {
      owner: 'operator',
      scopes: MANAGER.scopes,
      expiresInSeconds: 5,
    });
    if (!short.ok) throw new Error(short.detail);
    await access.revokeToken(ADMINISTRATOR, MANAGER.tokenId);
    await fixture.clock.advance(5000);
    const before = [await rows.now.tokens(), await rows.now.allBindings(), await rows.now.auditEntries({ limit: 100 })];
    for (const tokenId of [MANAGER.tokenId, short.token.id, 'c0c0c0c0c0c0c0c0']) {
      expect(await change({ ...MANAGER, tokenId }, token.id)).toMatchObject({ ok: false, code: 'unauthenticated' });
    }
    expect([
      await rows.now.tokens(),
      await rows.now.allBindings(),
      await rows.now.auditEntries({ limit: 100 }),
    ]).toEqual(before);
  });
});
