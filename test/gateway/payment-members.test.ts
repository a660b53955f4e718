/** What a payment is: its reference and its validity are part of it, an absent one being a value, and nothing on the way to a block loses them. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeEntries, encodeEntries } from '../../server/store/embedded/journal.ts';
import { packSubmissions, unpackSubmissions } from '../../server/gateway/packed-groups.ts';
import type { TransferOptions } from '../ledger/support.ts';
import { devAddress, devSeed, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture, inputOf } from './support/fixture.ts';
import { signedAgain } from './support/second-signature.ts';

const LATER = Date.parse('2027-01-01T00:00:00Z') / 1000;
const VARIANTS: Readonly<Record<string, Pick<TransferOptions, 'reference' | 'validUntil'>>> = {
  neither: {},
  'a reference': { reference: 'INV-1' },
  'another reference': { reference: 'INV-2' },
  'a validity': { validUntil: LATER },
  'another validity': { validUntil: LATER + 1 },
  both: { reference: 'INV-1', validUntil: LATER },
};

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

describe.each(Object.entries(VARIANTS))('a payment with %s', (name, members) => {
  test('is replayed by itself alone, under any signature and at any time, and every other one at its nonce is a conflict', async () => {
    const signed = signedTransfer({ ...members });
    expect(await fixture.submit(signed)).toMatchObject({
      ok: true,
      replayed: false,
      transaction: { txHash: signed.hash, ...members },
    });
    const expectAll = async (): Promise<void> => {
      for (const [other, otherMembers] of Object.entries(VARIANTS)) {
        const answer = await fixture.submit(signedTransfer({ ...otherMembers }));
        const expected =
          other === name
            ? { ok: true, replayed: true, transaction: { txHash: signed.hash } }
            : { ok: false, code: 'nonce_conflict', txHash: signed.hash };
        expect({ other, answer }).toMatchObject({ other, answer: expected });
      }
      expect(await fixture.submit(signedAgain(signed, devSeed(0), 'again'))).toMatchObject({
        ok: true,
        replayed: true,
        transaction: { txHash: signed.hash },
      });
    };
    await expectAll();
    await fixture.block();
    expect(await fixture.status(signed.hash)).toBe('committed');
    await expectAll();
    await fixture.restart();
    await expectAll();
  });

  test('commits after a restart as it was signed, from the journal and from its row', async () => {
    const fresh = signedTransfer({ ...members });
    const waiting = signedTransfer({ nonce: 1, ...members });
    fixture.engine.fate = () => 'lose';
    await fixture.submit(waiting);
    await fixture.block();
    await fixture.submit(fresh);
    fixture.engine.forget();
    await fixture.restart();
    fixture.engine.fate = () => 'take';
    await fixture.clock.advance(20_000);
    await fixture.blocks(2);
    for (const { hash } of [fresh, waiting]) {
      const found = await fixture.detail(hash);
      expect(found).toMatchObject({ status: 'committed', ...members });
      expect(found).not.toHaveProperty('executedAs');
    }
    expect(fixture.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

test('an absent member is absent in every answer', async () => {
  const { txHash } = await fixture.accept({});
  const { reference } = await fixture.accept({ nonce: 1, reference: 'INV-1' });
  expect(reference).toBe('INV-1');
  for (const answer of [
    await fixture.detail(txHash),
    await fixture.gateway.submit(inputOf(signedTransfer({})), ALICE),
  ]) {
    expect(JSON.stringify(answer)).not.toMatch(/reference|validUntil/);
  }
});

test('two orders of one price are one 409, or two payments with nonces of their own', async () => {
  const first = await fixture.accept({ reference: 'order 1' });
  expect(await fixture.refusal({ reference: 'order 2' })).toMatchObject({
    code: 'nonce_conflict',
    txHash: first.txHash,
    extra: { nextNonce: 1 },
  });
  await fixture.accept({ nonce: 1, reference: 'order 2' });
  await fixture.block();
  expect(await fixture.gateway.list({ limit: 10, status: 'committed' })).toMatchObject({
    transactions: [{ reference: 'order 2' }, { reference: 'order 1' }],
  });
});

test('an Idempotency-Key belongs to the payment with its reference', async () => {
  expect(await fixture.gateway.submit(inputOf(signedTransfer({ reference: 'A' })), ALICE, 'key')).toMatchObject({
    ok: true,
  });
  expect(await fixture.gateway.submit(inputOf(signedTransfer({ reference: 'B' })), ALICE, 'key')).toMatchObject({
    ok: false,
    code: 'idempotency_key_reused',
  });
});

test('each transfer of a batch has its own members, and is judged after those before it', async () => {
  const inputs = [
    { reference: 'A' },
    { reference: 'B' },
    { nonce: 1, validUntil: LATER },
    { nonce: 2 },
    { reference: 'A' },
  ].map((options) => inputOf(signedTransfer(options)));
  expect(await fixture.gateway.submitBatch(inputs, ALICE)).toMatchObject([
    { ok: true, replayed: false, transaction: { reference: 'A' } },
    { ok: false, code: 'nonce_conflict' },
    { ok: true, transaction: { validUntil: LATER } },
    { ok: true },
    { ok: true, replayed: true },
  ]);
  await fixture.block();
  expect(fixture.engine.committed.at(-1)?.transactions).toHaveLength(3);
});

test('the same payment with another reference, executed elsewhere, supersedes it: both are kept', async () => {
  fixture.engine.fate = () => 'lose';
  const ours = await fixture.accept({ reference: 'ours' });
  const theirs = signedTransfer({ reference: 'theirs', validUntil: LATER });
  await fixture.block({ outsiders: [theirs.raw] });
  expect(await fixture.detail(ours.txHash)).toMatchObject({
    status: 'failed',
    reference: 'ours',
    reason: { code: 'nonce_superseded', txHash: theirs.hash },
  });
  expect(await fixture.detail(theirs.hash)).toMatchObject({
    status: 'committed',
    reference: 'theirs',
    validUntil: LATER,
    history: [{ event: 'seen_on_chain' }, { event: 'committed' }],
  });
  expect(await fixture.gateway.list({ limit: 10, from: devAddress(0), nonce: 0, reference: 'ours' })).toMatchObject({
    transactions: [{ txHash: ours.txHash }],
  });
});

test('between threads nothing of it is lost, and nothing is added to a payment without members', () => {
  const { from, to } = signedTransfer().tx;
  const base = { from, to, amount: 7n, nonce: 3, signature: 'ab'.repeat(64), txHash: 'CD'.repeat(32), owner: 'alice' };
  const submissions = Object.values(VARIANTS).map((members) => ({ ...base, ...members }));
  expect(unpackSubmissions(packSubmissions(submissions))).toEqual(submissions);
  expect(packSubmissions([base])).toEqual([`${base.txHash}\t${from}\t${to}\t7\t3\t${base.signature}\talice\t\t`]);
});

test('the journal keeps a payment without members in the bytes that it always had, and one with them whole', () => {
  const { from, to } = signedTransfer().tx;
  const known = {
    seq: 5,
    hash: 'CD'.repeat(32),
    from,
    to,
    amount: 7n,
    nonce: 3,
    signature: 'ab'.repeat(64),
    owner: 'alice',
    firstSeenAtMs: 1,
    seenBlockMs: 2,
    seenUptimeMs: 3,
  };
  const entry = (members: object) => ({
    kind: 'accepted' as const,
    transfer: { ...known, ...members },
    tokenId: 't',
    idempotencyKey: undefined,
  });
  expect(encodeEntries([entry({})])).toBe(
    `a\t5\t${known.hash}\t${from}\t${to}\t7\t3\t${known.signature}\talice\t1\t2\t3\tt\t`,
  );
  const entries = Object.values(VARIANTS).map(entry);
  expect(decodeEntries(encodeEntries(entries))).toEqual(entries);
});

test('a member that is not of its form is refused before anything else is judged', async () => {
  const good = inputOf(signedTransfer({ reference: 'INV-1', validUntil: LATER }));
  for (const reference of ['', ' a', 'a ', 'a"b', 'a\\b', 'caf\u00e9', 'a\tb', 'x'.repeat(141)]) {
    expect(await fixture.gateway.submit({ ...good, reference }, ALICE)).toMatchObject({
      ok: false,
      code: 'invalid_request',
      errors: [{ pointer: '/reference' }],
    });
  }
  for (const validUntil of [0, -1, 1.5, 253_402_300_800, Number.NaN]) {
    expect(await fixture.gateway.submit({ ...good, validUntil }, ALICE)).toMatchObject({
      ok: false,
      code: 'invalid_request',
      errors: [{ pointer: '/validUntil' }],
    });
  }
  expect(await fixture.gateway.submit({ ...good, reference: 'INV-2' }, ALICE)).toMatchObject({
    ok: false,
    code: 'invalid_signature',
  });
});
