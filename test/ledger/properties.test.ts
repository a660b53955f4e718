import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type BlockLimits,
  encodeTransaction,
  finalizeBlock,
  isExecuted,
  LedgerState,
  type Misbehavior,
  NONCE_WINDOW,
  prepareAndFinalize,
  prepareBlock,
  processBlock,
  RULES_NOTICE_BLOCKS,
  type Transaction,
  txHash,
  validatorAddress,
  type VerifiedTransaction,
  withSignatures,
} from '../../server/ledger/index.ts';
import {
  BLOCK,
  devAddress,
  governorAddress,
  operatorAddress,
  TEST_CHAIN_ID,
  testGenesis,
  validatorKey,
} from './support.ts';

/*
 * Small balances, few accounts and low nonces, so that random transactions collide: run out of money, contest nonces, cancel what waits.
 * Signatures are noise and declared verified: these properties are about state.
 */
const ACCOUNTS = 4;
const STRANGERS = 2;
const BALANCE = 20n;
const GENESIS = testGenesis({
  accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: BALANCE })),
  cancellers: [operatorAddress(0), operatorAddress(1)],
  governors: [governorAddress(0), governorAddress(1)],
  validators: [7, 3, 2].map((power, i) => ({ publicKey: validatorKey(i), power, name: '' })),
  openingMinimum: 3n,
});
const SUPPLY = BigInt(ACCOUNTS) * BALANCE;
const VERIFIED = { signatureVerified: () => true };
const signature = '0'.repeat(128);

const sender = fc.nat({ max: ACCOUNTS + STRANGERS - 1 }).map((i) => devAddress(i));
const nonce = fc.oneof(
  { weight: 12, arbitrary: fc.nat({ max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: NONCE_WINDOW - 2, max: NONCE_WINDOW + 9 }) },
);
const ACTIONS = [
  'canceller_add',
  'canceller_remove',
  'governor_add',
  'governor_remove',
  'threshold',
  'validator_power',
  'rules_version',
] as const;
const who = fc.nat({ max: 3 });
const governance: fc.Arbitrary<Transaction> = fc
  .record({
    action: fc.constantFrom(...ACTIONS),
    who,
    value: fc.nat({ max: 4 }),
    sequence: fc.nat({ max: 4 }),
    signers: fc.uniqueArray(who, { minLength: 1, maxLength: 3 }),
  })
  .map(({ action, who, value, sequence, signers }): Transaction => {
    const isRole = action.startsWith('canceller') || action.startsWith('governor');
    const role = action.startsWith('canceller') ? operatorAddress(who) : governorAddress(who);
    const subject = isRole
      ? role
      : { threshold: '', validator_power: validatorKey(who), rules_version: String(value + 1) }[action as 'threshold'];
    const power = isRole
      ? 0
      : { threshold: Math.max(1, value), validator_power: value, rules_version: RULES_NOTICE_BLOCKS + who }[
          action as 'threshold'
        ];
    return withSignatures(
      { kind: 'governance', chainId: TEST_CHAIN_ID, action, power, sequence, subject },
      signers.map((i) => ({ signature, signer: governorAddress(i) })),
    );
  });
const misbehavior: fc.Arbitrary<readonly Misbehavior[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('duplicate_vote' as const, 'light_client_attack' as const),
    validatorAddress: who.map((i) => validatorAddress(Buffer.from(validatorKey(i), 'hex'))),
    height: fc.constant(1),
  }),
  { maxLength: 3 },
);
const transaction: fc.Arbitrary<Transaction> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      chainId: fc.constant(TEST_CHAIN_ID),
      from: sender,
      to: sender,
      amount: fc.bigInt({ min: 1n, max: 25n }),
      nonce,
      signature: fc.constant(signature),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ from: sender, nonce, by: fc.constantFrom('sender', 'operator', 'stranger') })
      .map(({ from, nonce, by }): Transaction => ({
        kind: 'cancel',
        chainId: TEST_CHAIN_ID,
        from,
        nonce,
        signer: by === 'sender' ? from : operatorAddress(by === 'operator' ? 0 : 5),
        txHash: 'A'.repeat(64),
        signature,
      })),
  },
  { weight: 2, arbitrary: governance },
);
const history = fc.array(fc.array(transaction, { maxLength: 25 }), { minLength: 1, maxLength: 6 });
const limits: fc.Arbitrary<BlockLimits> = fc.record({
  bytesMax: fc.constantFrom(0, 500, 2000, 5000, 1_000_000),
  transactionsMax: fc.constantFrom(0, 1, 5, 1000),
  allowValidatorChanges: fc.boolean(),
});

const rawsOf = (block: readonly Transaction[]) => block.map(encodeTransaction);
const verified = (tx: Transaction): VerifiedTransaction => {
  const raw = encodeTransaction(tx);
  return { tx, raw, hash: txHash(raw) };
};

describe('over any history of blocks, however badly made', () => {
  test('money is conserved and no balance is negative', () => {
    fc.assert(
      fc.property(history, (blocks) => {
        const state = LedgerState.fromGenesis(GENESIS);
        for (const block of blocks) {
          state.commit(finalizeBlock(state, rawsOf(block), BLOCK, VERIFIED));
          expect(state.supply()).toBe(SUPPLY);
          for (const { account } of state.leaves()) expect(account.balance).toBeGreaterThanOrEqual(0n);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a nonce is used exactly once: executed, failed or void; and the account says which are used', () => {
    fc.assert(
      fc.property(history, (blocks) => {
        const state = LedgerState.fromGenesis(GENESIS);
        const used = new Map<string, Set<number>>();
        for (const block of blocks) {
          const done = finalizeBlock(state, rawsOf(block), BLOCK, VERIFIED);
          done.results.forEach(({ code }, i) => {
            const tx = block[i]!;
            if (!isExecuted(code) || tx.kind === 'governance') return;
            const nonces = used.get(tx.from) ?? new Set();
            used.set(tx.from, nonces);
            expect(nonces.has(tx.nonce)).toBe(false);
            nonces.add(tx.nonce);
          });
          state.commit(done);
          for (const { address, account } of state.leaves()) {
            const nonces = used.get(address) ?? new Set();
            // The account's nonce is the lowest that is not used, and its bits are the used ones ahead.
            let lowest = 0;
            while (nonces.has(lowest)) lowest += 1;
            const ahead = [...nonces].filter((n) => n > lowest);
            expect(account.nonce).toBe(lowest);
            expect(account.voids).toBe(ahead.reduce((bits, n) => bits | (1n << BigInt(n - lowest)), 0n));
            expect(account.voids < 1n << BigInt(NONCE_WINDOW)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('after a cancel no transfer executes at its nonce, whatever is tried', () => {
    fc.assert(
      fc.property(history, history, nonce, (before, after, cancelled) => {
        const state = LedgerState.fromGenesis(GENESIS);
        for (const block of before) state.commit(finalizeBlock(state, rawsOf(block), BLOCK, VERIFIED));
        const from = devAddress(0);
        const cancel: Transaction = {
          kind: 'cancel',
          chainId: TEST_CHAIN_ID,
          from,
          nonce: cancelled,
          signer: from,
          txHash: 'B'.repeat(64),
          signature,
        };
        const done = finalizeBlock(state, rawsOf([cancel]), BLOCK, VERIFIED);
        state.commit(done);
        fc.pre(done.results[0]!.code === 0);
        for (const block of after) {
          const attempts = [
            ...block,
            ...block.map((tx) => (tx.kind === 'transfer' ? { ...tx, from, nonce: cancelled } : tx)),
          ];
          const results = finalizeBlock(state, rawsOf(attempts), BLOCK, VERIFIED);
          results.results.forEach(({ code }, i) => {
            const tx = attempts[i]!;
            if (tx.kind === 'transfer' && tx.from === from && tx.nonce === cancelled)
              expect(isExecuted(code)).toBe(false);
          });
          state.commit(results);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the same blocks give the same app hash, also through a restart from rows at any height', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: 6 }), (blocks, restart) => {
        const straight = LedgerState.fromGenesis(GENESIS);
        let restarted = LedgerState.fromGenesis(GENESIS);
        const rows = new Map([...restarted.leaves()].map((row) => [row.address, row]));
        let governance = restarted.governance();
        blocks.forEach((block, height) => {
          if (height === restart) {
            // Only what commit() handed out and a store would hold, in an order that the store chose.
            const accounts = [...rows.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
            restarted = LedgerState.restore(restarted.chain, { accounts, governance, height });
          }
          straight.commit(finalizeBlock(straight, rawsOf(block), BLOCK, VERIFIED));
          const committed = restarted.commit(finalizeBlock(restarted, rawsOf(block), BLOCK, VERIFIED));
          for (const row of committed.accounts) rows.set(row.address, row);
          governance = committed.governance ?? governance;
          expect(Buffer.from(restarted.appHash).equals(straight.appHash)).toBe(true);
          expect(restarted.height).toBe(straight.height);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('there is always a validator, a canceller and enough governors, whatever evidence says; and no block moves a third of the power but by evidence', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.array(governance, { maxLength: 12 }),
            fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: misbehavior }),
          ),
          { maxLength: 8 },
        ),
        (blocks) => {
          const state = LedgerState.fromGenesis(GENESIS);
          const known = new Map(state.governance().validators.map(({ publicKey, power }) => [publicKey, power]));
          for (const [block, misbehavior] of blocks) {
            const before = state.governance();
            const done = finalizeBlock(state, rawsOf(block), { ...BLOCK, misbehavior }, VERIFIED);
            state.commit(done);
            // What CometBFT keeps from the updates it was told equals what the state says.
            for (const { publicKey, power } of done.validatorUpdates) {
              if (power > 0) known.set(publicKey, power);
              else expect(known.delete(publicKey)).toBe(true);
            }
            const { cancellers, governors, threshold, validators } = state.governance();
            expect(cancellers.length).toBeGreaterThan(0);
            expect(threshold).toBeGreaterThan(0);
            expect(governors.length).toBeGreaterThanOrEqual(threshold);
            expect([...known].sort()).toEqual(validators.map(({ publicKey, power }) => [publicKey, power]));
            expect(known.size).toBeGreaterThan(0);
            if (misbehavior.length > 0) continue;
            const powerOf = (set: typeof validators, key: string) =>
              set.find(({ publicKey }) => publicKey === key)?.power ?? 0;
            const keys = new Set([...before.validators, ...validators].map(({ publicKey }) => publicKey));
            const moved = [...keys].reduce(
              (sum, key) => sum + Math.abs(powerOf(validators, key) - powerOf(before.validators, key)),
              0,
            );
            const total = before.validators.reduce((sum, { power }) => sum + power, 0);
            expect(3 * moved).toBeLessThan(total);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a block made by prepareBlock', () => {
  test('passes processBlock, executes whole and keeps every transaction at most once', () => {
    fc.assert(
      fc.property(history, limits, misbehavior, (pools, limits, misbehavior) => {
        const state = LedgerState.fromGenesis(GENESIS);
        for (const [height, pool] of pools.entries()) {
          const context = { ...BLOCK, height: height + 1, misbehavior };
          const { transactions: block, finalized } = prepareAndFinalize(state, pool.map(verified), context, limits);
          const raws = block.map(({ raw }) => raw);
          const done = finalizeBlock(state, raws, context, VERIFIED);
          expect(processBlock(state, raws, context, { ...limits, ...VERIFIED })).toEqual({ ok: true, finalized: done });
          expect(finalized).toEqual(done);
          for (const { code } of done.results) expect(isExecuted(code)).toBe(true);
          expect(new Set(block.map(({ hash }) => hash)).size).toBe(block.length);
          state.commit(done);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('leaves nothing executable behind when there is room', () => {
    fc.assert(
      fc.property(fc.array(transaction, { maxLength: 30 }), (pool) => {
        const state = LedgerState.fromGenesis(GENESIS);
        const room = { bytesMax: 1_000_000, transactionsMax: 1000, allowValidatorChanges: true };
        const block = prepareBlock(state, pool.map(verified), BLOCK, room);
        state.commit(
          finalizeBlock(
            state,
            block.map(({ raw }) => raw),
            BLOCK,
            VERIFIED,
          ),
        );
        const rest = pool.map(verified).filter(({ hash }) => !block.some((taken) => taken.hash === hash));
        const second = prepareBlock(
          state,
          rest.filter(({ tx }) => tx.kind === 'transfer'),
          BLOCK,
          room,
        );
        // Only money or an account that came later in the first block can make a left-over transfer executable.
        for (const { tx } of second) {
          const made = tx.kind === 'transfer' && !GENESIS.accounts.some(({ address }) => address === tx.from);
          expect(made).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
