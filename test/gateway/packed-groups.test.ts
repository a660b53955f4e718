/** What crosses threads as text arrives as it was sent. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayCoreApi, Submission } from '../../server/gateway/index.ts';
import { packingCore, packSubmissions, unpackingCore, unpackSubmissions } from '../../server/gateway/packed-groups.ts';
import { recordOf } from '../../server/gateway/records.ts';
import type { Refusal, Submitted } from '../../server/gateway/types.ts';
import { AMOUNT_MAX, NONCE_MAX } from '../../server/ledger/index.ts';
import { signedTransfer } from '../ledger/support.ts';
import { heapBytes } from '../support/heap-bytes.ts';

const { tx, hash } = signedTransfer({ nonce: 3, amount: 7n });
const BASE: Submission = {
  txHash: hash,
  from: tx.from,
  to: tx.to,
  amount: 7n,
  nonce: 3,
  signature: tx.signature,
  owner: 'alice',
  tokenId: 'token',
};

const visible = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
});
const submission: fc.Arbitrary<Submission> = fc
  .record({
    amount: fc.bigInt({ min: 1n, max: AMOUNT_MAX }),
    nonce: fc.integer({ min: 0, max: NONCE_MAX }),
    owner: fc.option(fc.constantFrom('alice', 'a.b-c_9'), { nil: undefined }),
    tokenId: fc.option(fc.constantFrom('t1', 'x'), { nil: undefined }),
    idempotencyKey: fc.option(visible, { nil: undefined }),
    pendingMax: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
    trace: fc.option(fc.constant(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`), { nil: undefined }),
  })
  .map(({ tokenId, idempotencyKey, pendingMax, trace, ...rest }) => {
    const { tokenId: _, ...base } = BASE;
    return {
      ...base,
      ...rest,
      ...(tokenId !== undefined && { tokenId }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(pendingMax !== undefined && { pendingMax }),
      ...(trace !== undefined && { trace }),
    };
  });

const pending = (reason: 'broadcast' | 'waiting') =>
  recordOf(
    {
      hash,
      from: tx.from,
      to: tx.to,
      amount: 7n,
      nonce: 3,
      status: 'pending',
      firstSeenAtMs: 1_790_000_000_123,
      reason: undefined,
      reasonHash: undefined,
      executedAs: undefined,
      cancelRequestedAtMs: undefined,
      expiryRequestedAtMs: undefined,
      height: undefined,
      blockTimeMs: undefined,
    },
    () => (reason === 'waiting' ? 1 : 4),
  );

const ANSWERS: Record<string, Submitted | Refusal> = {
  accepted: { ok: true, replayed: false, transaction: pending('broadcast') },
  'accepted behind a gap': { ok: true, replayed: false, transaction: pending('waiting') },
  replayed: { ok: true, replayed: true, transaction: pending('broadcast') },
  'replayed and settled under another hash': {
    ok: true,
    replayed: true,
    transaction: {
      ...pending('broadcast'),
      status: 'committed',
      executedAs: 'AB'.repeat(32),
      height: 9,
      blockTimeMs: 5,
    },
  },
  refused: {
    ok: false,
    code: 'nonce_conflict',
    detail: 'Another payment holds\nthe\tnonce.',
    txHash: hash,
    errors: [{ pointer: '/nonce', message: 'It is held.' }],
    extra: { nextNonce: 4 },
    retryAfterS: 5,
  },
};

/** A core on the other side of a text. */
function across(answers: readonly (Submitted | Refusal)[]): { core: GatewayCoreApi; heard: Submission[][] } {
  const heard: Submission[][] = [];
  const real = {
    submitGroup: async (submissions: readonly Submission[]) => {
      heard.push([...submissions]);
      return [...answers];
    },
    token: async (id: string) => ({ id }),
  } as unknown as GatewayCoreApi;
  return { core: unpackingCore(packingCore(real)), heard };
}

describe('a group of submissions', () => {
  test('arrives as it was sent, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(submission, { maxLength: 5 }), (group) =>
        expect(unpackSubmissions(packSubmissions(group))).toEqual(group),
      ),
    );
  });

  test.each(Object.entries(ANSWERS))('that is %s is answered by just that', async (_what, answer) => {
    const { core, heard } = across([answer]);
    expect(await core.submitGroup([BASE])).toEqual([answer]);
    expect(heard).toEqual([[BASE]]);
  });

  test('is answered in its order, and an empty one by nothing', async () => {
    const all = Object.values(ANSWERS);
    expect(await across(all).core.submitGroup(all.map(() => BASE))).toEqual(all);
    expect(await across([]).core.submitGroup([])).toEqual([]);
  });

  test('is not kept in memory by one of them that is', () => {
    const line = packSubmissions([BASE])[0] as string;
    const groupSize = 1000;
    const kept: Submission[] = [];
    const before = heapBytes();
    for (let group = 0; group < 20; group += 1) {
      const received = structuredClone(
        packSubmissions(Array.from({ length: groupSize }, (_, nonce) => ({ ...BASE, nonce }))),
      );
      kept.push(unpackSubmissions(received)[0] as Submission);
    }
    const keptBytes = (heapBytes() - before) / kept.length;
    expect(keptBytes).toBeLessThan((groupSize / 10) * line.length);
  });

  test('changes nothing about the other calls', async () => {
    expect(await across([]).core.token('t1')).toEqual({ id: 't1' });
  });
});
