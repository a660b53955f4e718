/** A dry run: it says what submitting right after it is answered, whatever that is, and leaves everything as it was. */
import { afterEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import type { Checked, Principal, Refusal, Submitted, TransferInput } from '../../server/gateway/types.ts';
import {
  encodeAddress,
  isOnCurve,
  isStrictPublicKey,
  NONCE_WINDOW,
  publicKeyOfSeed,
} from '../../server/ledger/index.ts';
import { DEV_BALANCE, devAddress, devSeed, signedTransfer } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, inputOf, START_MS } from './support/fixture.ts';
import { chainFile } from './support/chain-core.ts';
import { ON_CHAIN, ON_POSTGRES } from './support/fixture-store.ts';
import { Random } from './support/random.ts';
import { signedAgain } from './support/second-signature.ts';

let fixture: Fixture;
const opened: Fixture[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.dispose();
});

async function open(limits: { pendingMax?: number; pendingPerOwnerMax?: number } = {}): Promise<Fixture> {
  fixture = await Fixture.open({ limits });
  opened.push(fixture);
  return fixture;
}

const bind = (to: Fixture, address: string, owner: string): Promise<void> =>
  to.admin.write((tx) => tx.saveBinding({ address, owner, boundAtMs: 1 }));

async function checked(
  input: Omit<TransferInput, 'signature'> & { signature?: string },
  who: Principal = ALICE,
): Promise<Checked> {
  const found = await fixture.gateway.check(input, who);
  if (!found.ok) throw new Error(`${found.code}: ${found.detail}`);
  return found;
}

const unsigned = ({ signature: _signature, ...input }: TransferInput): Omit<TransferInput, 'signature'> => input;

/** A key that no one can sign for, because it is no point of the curve. */
const OFF_CURVE = (() => {
  for (let i = 1; ; i++) {
    const key = publicKeyOfSeed(devSeed(0)).slice();
    key[0] = i;
    if (!isOnCurve(key) && isStrictPublicKey(key)) return encodeAddress(key, 'txlt');
  }
})();

/** As a dry run says it. */
function outcomeOf(answer: Submitted | Refusal): unknown {
  if (!answer.ok) return { kind: 'refused', refusal: answer };
  return answer.replayed ? { kind: 'replayed', transaction: answer.transaction } : { kind: 'accepted' };
}

interface Drawn {
  input: TransferInput;
  who: Principal;
  /** The signature, and the hash if there is one, are those of the transfer. */
  isSound: boolean;
}

/** Any kind of submission there is, good and bad. */
function drawn(random: Random, next: readonly number[]): Drawn {
  const from = random.below(4);
  const to =
    random.pick<number | string>([
      0,
      1,
      2,
      3,
      5,
      encodeAddress(publicKeyOfSeed(devSeed(100 + random.below(5))), 'txlt'),
      OFF_CURVE,
    ]) ?? 0;
  const base = next[from] ?? 0;
  const nonce = Math.max(
    0,
    base + (random.pick([0, 0, 0, 1, 2, 3, -1, -1, -2, -3, NONCE_WINDOW, NONCE_WINDOW + 5]) ?? 0),
  );
  const amount = random.pick([1n, 1n, 2n, 1_000n, DEV_BALANCE / 3n, DEV_BALANCE, DEV_BALANCE + 1n]) ?? 1n;
  const members = {
    ...(random.chance(20) && { reference: random.pick(['order 1', 'order 2']) ?? '' }),
    ...(random.chance(20) && { validUntil: START_MS / 1000 + random.below(60) }),
  };
  const transfer = signedTransfer({ from, to, nonce, amount, ...members });
  const input: TransferInput = inputOf(transfer);
  const who = random.chance(50) ? ALICE : BOB;
  switch (random.below(12)) {
    case 0:
      return { input: { ...input, signature: 'ab'.repeat(64) }, who, isSound: false };
    case 1:
      return { input: { ...input, txHash: 'AB'.repeat(32) }, who, isSound: false };
    case 2:
      return { input: { ...input, to: devAddress(1, 'txl') }, who, isSound: true };
    case 3:
      return { input: inputOf({ tx: signedAgain(transfer, devSeed(from)).tx }), who, isSound: true };
    case 4:
      return { input: { ...input, txHash: transfer.hash.toLowerCase() }, who, isSound: true };
    default:
      return { input, who, isSound: true };
  }
}

/** Submits what chance draws, between blocks and cancels, with or without asking before each. */
async function live(
  seed: number,
  steps: number,
  asks: boolean,
  on: Fixture,
): Promise<{ kinds: Set<string>; answers: unknown[] }> {
  const random = new Random(seed);
  const kinds = new Set<string>();
  const answers: unknown[] = [];
  const accepted: string[] = [];
  const taken: { from: number; nonce: number }[] = [];
  await bind(on, devAddress(3), BOB.owner);
  for (let step = 0; step < steps; step++) {
    const next: number[] = [];
    for (let from = 0; from < 4; from++)
      next.push(((await on.gateway.account(devAddress(from))) as { nextNonce: number }).nextNonce);
    const earlier = random.chance(12) ? random.pick(taken) : undefined;
    const { input, who, isSound } =
      earlier === undefined
        ? drawn(random, next)
        : { input: inputOf(signedTransfer({ ...earlier, amount: 77n })), who: ALICE, isSound: true };
    const before = asks ? [await checked(input, who), await checked(unsigned(input), who)] : [];
    const account = asks ? await on.gateway.account(input.from) : undefined;
    const answer = await on.gateway.submit(input, who);
    answers.push(outcomeOf(answer));
    kinds.add(answer.ok ? (answer.replayed ? 'replayed' : 'accepted') : answer.code);
    const [signed, bare] = before;
    if (signed !== undefined && bare !== undefined) {
      expect(signed.judgement).toEqual(outcomeOf(answer));
      if (isSound) expect(bare.judgement).toEqual(signed.judgement);
      if (answer.ok && !answer.replayed) expect(signed.txHash).toBe(answer.transaction.txHash);
      expect([bare.txHash, bare.signatureStatus, bare.signBytes]).toEqual([undefined, 'not_judged', signed.signBytes]);
      // Judgement comes as far as the account of everyone who may act for the sender, unless an address is none.
      if (signed.account !== undefined) expect(signed.account).toEqual(account);
      expect(signed.account === undefined).toBe(signed.signatureStatus === 'not_judged');
    }
    if (answer.ok) {
      accepted.push(answer.transaction.txHash);
      taken.push({ from: [0, 1, 2, 3].findIndex((from) => devAddress(from) === input.from), nonce: input.nonce });
    }
    if (random.chance(15)) await on.gateway.cancel(random.pick(accepted.slice(-8)) ?? 'AB'.repeat(32), ALICE, 0);
    if (random.chance(25)) await on.block();
  }
  return { kinds, answers };
}

const EVERY_KIND = [
  'accepted',
  'insufficient_funds',
  'invalid_address',
  'invalid_signature',
  'nonce_cancelled',
  'nonce_conflict',
  'nonce_too_high',
  'nonce_too_low',
  'not_submitter',
  'replayed',
  'too_many_pending',
  'tx_hash_mismatch',
  'validity_passed',
];

/** Every row of the database file, but when it was made. */
function rowsOf({ folder }: Fixture): Record<string, unknown> {
  const sql = new Database(ON_CHAIN ? chainFile(folder) : join(folder, 'gateway.db'), { readonly: true });
  try {
    const tables = sql
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'kysely%' ORDER BY name",
      )
      .pluck()
      .all();
    return Object.fromEntries(
      tables.map((table) => [table, sql.prepare(`SELECT * FROM "${table}"`).raw().safeIntegers().all()]),
    );
  } finally {
    sql.close();
  }
}

describe('a dry run', () => {
  test('says what submitting right after it is answered, for every kind of submission', async () => {
    const kinds = new Set<string>();
    for (const [seed, pendingPerOwnerMax] of [
      [1, 1000],
      [2, 2],
      [3, 1000],
      [4, 4],
    ] as const) {
      const on = await open({ pendingPerOwnerMax });
      for (const kind of (await live(seed, 150, true, on)).kinds) kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual(EVERY_KIND);
    const full = await open({ pendingMax: 0 });
    expect((await checked(inputOf(signedTransfer()))).judgement).toEqual(
      outcomeOf(await full.submit(signedTransfer())),
    );
    expect((await checked(inputOf(signedTransfer()))).judgement).toMatchObject({ refusal: { code: 'pool_full' } });
  }, 60_000);

  test('leaves no trace: database, mempool, numbers and later answers are those of a run without it', async () => {
    const [plain, asked] = [await open({ pendingPerOwnerMax: 12 }), await open({ pendingPerOwnerMax: 12 })];
    const lived = [await live(7, 120, false, plain), await live(7, 120, true, asked)];
    expect(lived[1]).toEqual(lived[0]);
    expect(asked.engine.heard).toEqual(plain.engine.heard);
    expect(asked.engine.mempool).toEqual(plain.engine.mempool);
    expect(await asked.gateway.metrics()).toEqual(await plain.gateway.metrics());
    expect(await asked.gateway.list({ limit: 1000 })).toEqual(await plain.gateway.list({ limit: 1000 }));
    if (!ON_POSTGRES) expect(rowsOf(asked)).toEqual(rowsOf(plain));
  }, 60_000);

  test('uses no idempotency key up and holds no nonce, and its own answer is the same when asked again', async () => {
    await open();
    const transfer = signedTransfer({ amount: 5n });
    const first = await checked(inputOf(transfer));
    expect(await checked(inputOf(transfer))).toEqual(first);
    expect(first).toMatchObject({
      judgement: { kind: 'accepted' },
      signatureStatus: 'valid',
      txHash: transfer.hash,
      account: { nextNonce: 0, pendingOut: '0' },
    });
    const { txHash } = await fixture.accept({ nonce: 0, amount: 9n });
    expect(await checked(inputOf(transfer))).toMatchObject({
      judgement: { kind: 'refused', refusal: { code: 'nonce_conflict', txHash } },
      account: { nextNonce: 1, pendingOut: '9' },
    });
  });

  test('of a sender that is bound to another owner tells nothing of signature and account', async () => {
    await open();
    await bind(fixture, devAddress(0), BOB.owner);
    for (const signature of [inputOf(signedTransfer()).signature, 'ab'.repeat(64)]) {
      const found = await checked({ ...inputOf(signedTransfer()), signature });
      expect(found).toMatchObject({
        judgement: { kind: 'refused', refusal: { code: 'not_submitter' } },
        signatureStatus: 'not_judged',
      });
      expect(found.account).toBeUndefined();
    }
    expect(await checked(inputOf(signedTransfer()), BOB)).toMatchObject({
      judgement: { kind: 'accepted' },
      signatureStatus: 'valid',
    });
  });

  test('judges no hash without a signature, and no signature behind a wrong address, but tells the bytes to sign', async () => {
    await open();
    const { signature, ...input } = { ...inputOf(signedTransfer()), txHash: 'AB'.repeat(32) };
    expect(await checked(input)).toMatchObject({ judgement: { kind: 'accepted' }, signatureStatus: 'not_judged' });
    expect(await checked({ ...input, signature })).toMatchObject({
      judgement: { kind: 'refused', refusal: { code: 'tx_hash_mismatch' } },
      signatureStatus: 'valid',
    });
    const wrong = await checked({ ...input, signature, to: devAddress(1, 'txl') });
    expect(wrong).toMatchObject({
      judgement: { kind: 'refused', refusal: { code: 'invalid_address' } },
      signatureStatus: 'not_judged',
    });
    expect(wrong.signBytes).toBe(
      `txledger-transfer-v1\n{"amount":"1","chainId":"txledger-test-1","from":"${devAddress(0)}","nonce":0,"to":"${devAddress(1, 'txl')}"}`,
    );
    expect(wrong.account).toBeUndefined();
    expect(await fixture.gateway.check({ ...input, amount: '0' }, ALICE)).toMatchObject({
      ok: false,
      code: 'invalid_request',
    });
  });

  test('is refused as submitting is while the service stops', async () => {
    await open();
    await fixture.gateway.drain();
    expect(await fixture.gateway.check(inputOf(signedTransfer()), ALICE)).toMatchObject({
      ok: false,
      code: 'shutting_down',
    });
    expect(
      await fixture.core.check({ ...signedTransfer().tx, txHash: signedTransfer().hash, owner: 'alice' }),
    ).toMatchObject({ ok: false, code: 'shutting_down' });
  });
});
