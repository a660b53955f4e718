/** Raw transactions that are handed to the chain through this gateway: who may, what is remembered, and what the audit trail records. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Administration, Principal, Refusal } from '../../server/gateway/index.ts';
import { accessIn, createAdministration } from '../../server/gateway/index.ts';
import { GovernanceSubmissions } from '../../server/gateway/audit/governance-submissions.ts';
import { ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX } from '../../server/gateway/limits.ts';
import { decodeTransaction } from '../../server/ledger/index.ts';
import type { AuditEntry } from '../../server/store/types.ts';
import type { RpcOutcome } from '../../server/gateway/rpc/port.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import {
  devAddress,
  devSeed,
  governorAddress,
  operatorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
} from '../ledger/support.ts';
import { ALICE, BOB, Fixture } from './support/fixture.ts';
import { onFollower } from './support/fixture-store.ts';

const METHODS = ['broadcast_tx_sync', 'broadcast_tx_async', 'broadcast_tx_commit'] as const;

let fixture: Fixture;
let administration: Administration;
beforeEach(async () => {
  fixture = await Fixture.open({ faulty: true });
  administration = createAdministration(accessIn(fixture.admin), {
    clock: fixture.clock,
    random: { bytes: (n) => new Uint8Array(n).fill(7) },
    actor: 'user:tester@here',
  });
  const { engine } = fixture;
  // The mempool of a node, as far as broadcasting needs it.
  engine.rpc = async (method, { tx, hash }) => {
    if (method === 'broadcast_tx_sync') {
      const [{ code, log } = { code: 1, log: '' }] = await engine.broadcast([{ raw: tx as Uint8Array }]);
      return { ok: true, json: JSON.stringify({ code, data: '', log, codespace: '', hash: '' }) };
    }
    if (method === 'tx')
      return {
        ok: false,
        status: 404,
        error: { code: -32603, message: 'Internal error', data: `tx (${hash}) not found` },
      };
    return { ok: true, json: '{}' };
  };
});
afterEach(() => fixture.dispose());

const broadcast = (
  raw: Uint8Array,
  who: Principal | undefined,
  method: (typeof METHODS)[number] = 'broadcast_tx_sync',
): Promise<RpcOutcome | Refusal> => fixture.gateway.rpc(method, { tx: raw }, who);
const TAKEN = { ok: true, json: expect.stringContaining('"code":0') };

describe('a bound address', () => {
  beforeEach(() => administration.bindAddress(devAddress(0), 'bob'));

  test.each(METHODS)(
    'is not broadcast for by another owner, nor without a token, and no byte reaches the mempool: %s',
    async (method) => {
      const transfer = signedTransfer();
      for (const who of [ALICE, undefined]) {
        expect(await broadcast(transfer.raw, who, method)).toMatchObject({
          ok: false,
          code: 'not_submitter',
          txHash: transfer.hash,
        });
      }
      expect(fixture.engine.heard).toEqual([]);
      expect(await fixture.gateway.get(transfer.hash)).toBeUndefined();
    },
  );

  test('is broadcast for by its owner, others by anyone', async () => {
    expect(await broadcast(signedTransfer().raw, BOB)).toMatchObject(TAKEN);
    expect(await broadcast(signedTransfer({ from: 1 }).raw, ALICE)).toMatchObject(TAKEN);
    expect(await broadcast(signedTransfer({ from: 2 }).raw, undefined)).toMatchObject(TAKEN);
  });

  test('is free again once it is unbound, and bound from the next broadcast on', async () => {
    expect(await administration.unbindAddress(devAddress(0))).toMatchObject({ ok: true, was: { owner: 'bob' } });
    expect(await administration.unbindAddress(devAddress(0))).toMatchObject({ ok: false, reason: 'not_bound' });
    expect(await broadcast(signedTransfer().raw, ALICE)).toMatchObject(TAKEN);
    await administration.bindAddress(devAddress(0), 'bob');
    expect(await broadcast(signedTransfer({ nonce: 1 }).raw, ALICE)).toMatchObject({ code: 'not_submitter' });
  });

  test('answers a stranger the same whatever is wrong with the bytes', async () => {
    const known = signedTransfer();
    await fixture.submit(known, BOB);
    for (const raw of [
      known.raw,
      signedTransfer({ nonce: 5000 }).raw,
      signedTransfer({ chainId: 'other-1' }).raw,
      signedTransfer({ amount: 2n ** 127n }).raw,
    ]) {
      expect(await broadcast(raw, ALICE)).toMatchObject({ code: 'not_submitter' });
    }
  });

  test('is cancelled by a cancel that the sender signed, or an operator, whichever client brings it', async () => {
    const { txHash } = await fixture.accept({ nonce: 0 }, BOB);
    fixture.engine.forget();
    expect(await broadcast(signedCancel({ nonce: 0, signer: devSeed(0), txHash }).raw, ALICE)).toMatchObject(TAKEN);
    expect(await broadcast(signedCancel({ nonce: 7 }).raw, undefined)).toMatchObject(TAKEN);
  });

  test('stays its owner’s when the store cannot tell: 503, and no byte reaches the mempool', async () => {
    fixture.faults.beforeRead = () => {
      throw new StoreUnavailableError('away');
    };
    for (const who of [ALICE, BOB])
      expect(await broadcast(signedTransfer().raw, who)).toMatchObject({
        ok: false,
        status: 503,
        error: { code: -32603 },
      });
    fixture.faults.beforeRead = undefined;
    expect(fixture.engine.heard).toEqual([]);
  });

  test('may be checked by anyone: check_tx changes nothing', async () => {
    expect(await fixture.gateway.rpc('check_tx', { tx: signedTransfer().raw }, undefined)).toMatchObject({ ok: true });
  });
});

describe('who submitted', () => {
  test('is remembered with the token, over REST and by broadcast, and who asked for the cancel', async () => {
    const byRest = await fixture.accept({ nonce: 5 }, ALICE);
    const byBroadcast = signedTransfer({ from: 1 });
    await broadcast(byBroadcast.raw, BOB);
    const withoutToken = signedTransfer({ from: 2 });
    await broadcast(withoutToken.raw, undefined);
    const fresh = { ...ALICE, tokenId: 'another-token' };
    await fixture.gateway.cancel(byRest.txHash, fresh, 0);
    await fixture.gateway.cancel(byRest.txHash, ALICE, 0);
    expect(await administration.submission(byRest.txHash)).toMatchObject({
      owner: 'alice',
      tokenId: 'token-of-alice',
      cancelTokenId: 'another-token',
    });
    expect(await administration.submission(byBroadcast.hash)).toMatchObject({
      owner: 'bob',
      tokenId: 'token-of-bob',
      cancelTokenId: undefined,
    });
    expect(await administration.submission(withoutToken.hash)).toMatchObject({ owner: undefined, tokenId: undefined });
  });

  test('is the first: a replay with another token changes nothing', async () => {
    const transfer = signedTransfer();
    await fixture.submit(transfer, ALICE);
    await fixture.submit(transfer, { ...ALICE, tokenId: 'another-token' });
    expect(await administration.submission(transfer.hash)).toMatchObject({ tokenId: 'token-of-alice' });
    expect(await fixture.detail(transfer.hash)).not.toHaveProperty('tokenId');
  });
});

test.each(METHODS)('a core that takes nothing any more gives the mempool nothing either: %s', async (method) => {
  await fixture.core.drain();
  expect(await broadcast(signedTransfer().raw, BOB, method)).toMatchObject({
    ok: false,
    status: 503,
    error: { data: expect.stringContaining('shutting down') },
  });
  expect(fixture.engine.heard).toEqual([]);
});

describe('governance', () => {
  const trail = async () =>
    (await administration.audit({ after: 0, limit: 100 })).map(({ actor, action, subject, details }) => ({
      actor,
      action,
      subject,
      details,
    }));

  test('is recorded when it is handed in, by whom, and when a block holds it', async () => {
    const { raw, hash } = signedGovernance({ subject: operatorAddress(1) });
    await broadcast(raw, BOB);
    const governance = { kind: 'canceller_add', power: 0, sequence: 0, signers: [governorAddress(0)], hash };
    const submitted = {
      actor: 'gateway:gateway-1',
      action: 'governance.submit',
      subject: operatorAddress(1),
      details: { ...governance, owner: 'bob', tokenId: 'token-of-bob' },
    };
    expect(await trail()).toEqual([submitted]);
    // The mempool has the bytes and says yes again: the trail has it once for each token.
    await broadcast(raw, BOB);
    expect(await trail()).toEqual([submitted]);
    await fixture.block();
    const committed = {
      actor: 'gateway:gateway-1',
      action: 'governance.commit',
      subject: operatorAddress(1),
      details: { ...governance, height: 1, code: 0 },
    };
    expect(await trail()).toEqual([submitted, committed]);
  });

  test('that came another way is recorded when a block holds it', async () => {
    const { raw, hash } = signedGovernance({ subject: operatorAddress(2) });
    await fixture.block({ outsiders: [raw] });
    expect(await trail()).toMatchObject([
      { action: 'governance.commit', subject: operatorAddress(2), details: { hash, height: 1 } },
    ]);
  });

  test('that the mempool refuses leaves no entry, so that a stranger cannot fill the trail', async () => {
    expect(await broadcast(signedGovernance({ signers: [devSeed(3)] }).raw, undefined)).not.toMatchObject(TAKEN);
    expect(await trail()).toEqual([]);
  });

  test('that comes without a token has a bounded number of entries a minute; with a token each has its own', async () => {
    const tx = decodeTransaction(signedGovernance({ subject: operatorAddress(1) }).raw);
    if (!tx.ok) throw new Error('no transaction');
    const rows: AuditEntry[] = [];
    const leftOut: unknown[] = [];
    let nowMs = 0;
    const submissions = new GovernanceSubmissions({
      actor: 'gateway:one',
      clock: { ...fixture.clock, nowMs: () => nowMs, monotonicMs: () => nowMs } as never,
      logger: { debug: () => {}, info: () => {}, warn: (fields) => void leftOut.push(fields), error: () => {} },
      lifecycle: { watch: () => undefined } as never,
      append: (entries) => void rows.push(...entries),
    });
    const many = 3 * ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX;
    for (let i = 0; i < many; i++) await submissions.record(tx.tx, `${i}`, undefined);
    expect(rows).toHaveLength(ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX);
    expect(leftOut.at(-1)).toEqual({ hash: `${many - 1}`, leftOut: many - ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX });
    for (let i = 0; i < many; i++) await submissions.record(tx.tx, `${i}`, { owner: 'bob', tokenId: 'of-bob' });
    expect(rows).toHaveLength(ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX + many);
    nowMs = 60_000;
    await submissions.record(tx.tx, 'later', undefined);
    expect(rows).toHaveLength(ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX + many + 1);
  });

  onFollower.test(
    'is recorded in the transaction of its block, or the block is not applied',
    'a block that cannot be written ends the process: see embedded-core.test.ts',
    async () => {
      const store = fixture.faultyStore;
      store.wrap = (tx) => ({
        ...tx,
        appendAudit: async () => {
          throw new StoreUnavailableError('the disk is full');
        },
      });
      const { raw } = signedGovernance({ subject: operatorAddress(1) });
      await fixture.block({ outsiders: [raw] });
      expect((await fixture.store.read((tx) => tx.follower()))?.height).toBe(0);
      store.wrap = undefined;
      await fixture.clock.advance(1000);
      await fixture.block();
      expect((await fixture.store.now.governance())?.cancellers).toContain(operatorAddress(1));
      expect(await trail()).toMatchObject([{ action: 'governance.commit', details: { height: 1 } }]);
    },
  );
});
