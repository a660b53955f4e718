/** Tokens, owners and bound addresses, managed on the file of a running server. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Administration } from '../../server/gateway/index.ts';
import { accessIn, createAdministration } from '../../server/gateway/index.ts';
import type { AdminStore } from '../../server/store/index.ts';
import { devAddress, operatorAddress, signedTransfer } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, inputOf } from './support/fixture.ts';

let fixture: Fixture;
let commandLine: AdminStore;
let administration: Administration;
beforeEach(async () => {
  fixture = await Fixture.open();
  // A second connection to the same database, as the command line has beside a running server.
  commandLine = await fixture.openAdmin();
  administration = createAdministration(accessIn(commandLine), {
    clock: fixture.clock,
    random: { bytes: (n) => randomBytes(n) },
    actor: 'user:tester@here',
  });
});
afterEach(async () => {
  await commandLine.close();
  await fixture.dispose();
});

describe('tokens', () => {
  test('stand for their owner and scopes from the moment they are made', async () => {
    const { token, tokenId } = await administration.createToken({
      owner: 'acme',
      scopes: ['transactions:read', 'rpc:broadcast'],
    });
    expect(token).toMatch(/^txl_[0-9a-f]{16}_[0-9a-f]{64}$/);
    expect(await fixture.gateway.authenticate(token)).toEqual({
      tokenId,
      owner: 'acme',
      scopes: ['transactions:read', 'rpc:broadcast'],
    });
  });

  test("are nobody's when a digit is wrong, in the id or in the secret", async () => {
    const { token } = await administration.createToken({ owner: 'acme', scopes: ['transactions:read'] });
    for (let i = 4; i < token.length; i++) {
      if (token[i] === '_') continue;
      const wrong = token.slice(0, i) + (token[i] === '0' ? '1' : '0') + token.slice(i + 1);
      expect(await fixture.gateway.authenticate(wrong)).toBeUndefined();
    }
    for (const text of ['', 'txl_', token.toUpperCase(), `${token}0`, ` ${token}`])
      expect(await fixture.gateway.authenticate(text)).toBeUndefined();
  });

  test('are kept as a hash: the secret is nowhere in the files and in no list', async () => {
    const { token } = await administration.createToken({ owner: 'acme', scopes: ['transactions:read'] });
    const secret = token.split('_')[2]!;
    const bytes = Buffer.concat(readdirSync(fixture.folder).map((name) => readFileSync(join(fixture.folder, name))));
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(Buffer.from(secret, 'hex'))).toBe(false);
    const listed = await administration.listTokens();
    expect(listed).toEqual([
      {
        id: token.split('_')[1],
        owner: 'acme',
        scopes: ['transactions:read'],
        createdAtMs: fixture.clock.nowMs(),
        expiresAtMs: undefined,
        revokedAtMs: undefined,
      },
    ]);
  });

  test('end within five seconds of their revocation', async () => {
    const { token, tokenId } = await administration.createToken({ owner: 'acme', scopes: ['transactions:read'] });
    expect(await fixture.gateway.authenticate(token)).toBeDefined();
    expect(await administration.revokeToken(tokenId)).toBe(true);
    expect(await administration.revokeToken(tokenId)).toBe(false);
    await fixture.clock.advance(4999);
    expect(await fixture.gateway.authenticate(token)).toBeUndefined();
  });

  test('end at their expiry to the millisecond, remembered or not', async () => {
    const { token } = await administration.createToken({
      owner: 'acme',
      scopes: ['transactions:read'],
      expiresAtMs: fixture.clock.nowMs() + 1000,
    });
    await fixture.clock.advance(999);
    expect(await fixture.gateway.authenticate(token)).toBeDefined();
    await fixture.clock.advance(1);
    expect(await fixture.gateway.authenticate(token)).toBeUndefined();
  });

  test('of one owner overlap, so that one can be replaced without losing its rights', async () => {
    const old = await administration.createToken({ owner: 'acme', scopes: ['transactions:write'] });
    const next = await administration.createToken({ owner: 'acme', scopes: ['transactions:write'] });
    const [first, second] = [await fixture.principal(old.token), await fixture.principal(next.token)];
    const { txHash } = await fixture.accept({ nonce: 3 }, first);
    await administration.revokeToken(old.tokenId);
    expect(await fixture.gateway.cancel(txHash, second, 0)).toMatchObject({ ok: true });
  });

  test('are made only for an owner and scopes that can be', async () => {
    await expect(administration.createToken({ owner: 'ACME corp', scopes: ['transactions:read'] })).rejects.toThrow(
      RangeError,
    );
    await expect(administration.createToken({ owner: 'acme', scopes: [] })).rejects.toThrow(RangeError);
    await expect(
      administration.createToken({ owner: 'acme', scopes: ['everything' as 'transactions:read'] }),
    ).rejects.toThrow(RangeError);
  });
});

describe('a bound address', () => {
  test('is submitted for by its owner alone, from the next submission on', async () => {
    await fixture.accept({ nonce: 0 });
    expect(await administration.bindAddress(devAddress(0), 'bob')).toMatchObject({ ok: true });
    expect(await fixture.refusal({ nonce: 1 }, ALICE)).toMatchObject({ code: 'not_submitter' });
    await fixture.accept({ nonce: 1 }, BOB);
    await fixture.accept({ from: 1 }, ALICE);
  });

  test('answers strangers the same before signature, hash and replay', async () => {
    const transfer = signedTransfer();
    await fixture.submit(transfer, ALICE);
    await administration.bindAddress(devAddress(0), 'bob');
    const input = inputOf(transfer);
    for (const attempt of [input, { ...input, amount: '9' }, { ...input, txHash: '0'.repeat(64) }]) {
      expect(await fixture.gateway.submit(attempt, ALICE)).toMatchObject({ ok: false, code: 'not_submitter' });
    }
    expect(await fixture.gateway.submit({ ...input, to: 'nonsense' }, ALICE)).toMatchObject({
      code: 'invalid_address',
    });
    expect(await fixture.gateway.submit({ ...input, amount: '9' }, BOB)).toMatchObject({ code: 'invalid_signature' });
  });

  test('is not taken from its owner by accident', async () => {
    await administration.bindAddress(devAddress(0), 'bob');
    expect(await administration.bindAddress(devAddress(0), 'bob')).toMatchObject({ ok: true });
    expect(await administration.bindAddress(devAddress(0), 'alice')).toMatchObject({
      ok: false,
      reason: 'bound_to_another',
    });
    expect(await administration.bindAddress(devAddress(0), 'alice', { replace: true })).toMatchObject({ ok: true });
    expect(await administration.binding(devAddress(0))).toMatchObject({ owner: 'alice' });
  });

  test('is an address and has an owner', async () => {
    expect(await administration.bindAddress('txlt1nonsense', 'bob')).toMatchObject({
      ok: false,
      reason: 'invalid_address',
    });
    expect(await administration.bindAddress(operatorAddress(), 'Bob!')).toMatchObject({
      ok: false,
      reason: 'invalid_owner',
    });
  });
});
