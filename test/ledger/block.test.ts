import { describe, expect, test } from '@jest/globals';
import {
  type BlockLimits,
  bytesInBlock,
  encodeTransaction,
  finalizeBlock,
  GOVERNANCE_PER_BLOCK_MAX,
  isExecuted,
  LedgerState,
  CODES,
  prepareAndFinalize,
  prepareBlock,
  processBlock,
  type VerifiedTransaction,
} from '../../server/ledger/index.ts';
import {
  BLOCK,
  DEV_BALANCE,
  devAddress,
  devSeed,
  operatorAddress,
  operatorSeed,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
  validatorKey,
} from './support.ts';

const genesis = LedgerState.fromGenesis(testGenesis());
const LIMITS: BlockLimits = { bytesMax: 1024 * 1024, transactionsMax: 1000, allowValidatorChanges: true };
const raws = (block: readonly VerifiedTransaction[]) => block.map(({ raw }) => raw);
const prepare = (candidates: readonly VerifiedTransaction[], limits: Partial<BlockLimits> = {}) =>
  prepareBlock(genesis, candidates, BLOCK, { ...LIMITS, ...limits });
const process = (block: readonly VerifiedTransaction[], limits: Partial<BlockLimits> = {}) =>
  processBlock(genesis, raws(block), BLOCK, { ...LIMITS, ...limits });
const faultOf = (block: readonly VerifiedTransaction[], limits: Partial<BlockLimits> = {}) => {
  const result = process(block, limits);
  return result.ok ? 'ok' : `${result.refusal.name} at ${result.index}`;
};
const codes = (block: readonly VerifiedTransaction[]) =>
  finalizeBlock(genesis, raws(block), BLOCK).results.map(({ code }) => code);

describe('making a block', () => {
  test('puts a cancel before the transfer that it cancels, and leaves that transfer out', () => {
    const [transfer, cancel] = [signedTransfer({ nonce: 0 }), signedCancel({ nonce: 0 })];
    expect(prepare([transfer, cancel])).toEqual([cancel]);
  });

  test('orders an account by nonce, whatever the order of arrival', () => {
    const [a, b, c] = [0, 1, 2].map((nonce) => signedTransfer({ nonce })) as [
      VerifiedTransaction,
      VerifiedTransaction,
      VerifiedTransaction,
    ];
    expect(prepare([c, a, b])).toEqual([a, b, c]);
  });

  test('goes on past what a cancel in the same block voids', () => {
    const cancel = signedCancel({ nonce: 1 });
    const [a, b, c] = [0, 1, 2].map((nonce) => signedTransfer({ nonce })) as [
      VerifiedTransaction,
      VerifiedTransaction,
      VerifiedTransaction,
    ];
    expect(prepare([a, b, c, cancel])).toEqual([cancel, a, c]);
  });

  test('leaves a gap and what is behind it for later', () => {
    const [a, c] = [signedTransfer({ nonce: 0 }), signedTransfer({ nonce: 2 })];
    expect(prepare([c, a])).toEqual([a]);
  });

  test('gives a contested nonce to the first that arrived', () => {
    const [first, second] = [signedTransfer({ nonce: 0, to: 3 }), signedTransfer({ nonce: 0, to: 4 })];
    expect(prepare([first, second])).toEqual([first]);
    expect(prepare([second, first])).toEqual([second]);
  });

  test('lets accounts take turns in the order of arrival', () => {
    const [a0, b0, a1] = [
      signedTransfer({ from: 0, nonce: 0 }),
      signedTransfer({ from: 1, nonce: 0 }),
      signedTransfer({ from: 0, nonce: 1 }),
    ];
    expect(prepare([a0, b0, a1])).toEqual([a0, b0, a1]);
    expect(prepare([a1, b0, a0])).toEqual([a0, b0, a1]);
    expect(prepare([a0, b0, a1], { transactionsMax: 2 })).toEqual([a0, b0]);
  });

  test('money that arrived first can be spent by what arrived after it', () => {
    const all = signedTransfer({ from: 0, nonce: 0, to: 2, amount: DEV_BALANCE });
    const refill = signedTransfer({ from: 1, nonce: 0, to: 0, amount: 10n });
    const spend = signedTransfer({ from: 0, nonce: 1, to: 2, amount: 10n });
    expect(prepare([all, refill, spend])).toEqual([all, refill, spend]);
    expect(codes([all, refill, spend])).toEqual([0, 0, 0]);
  });

  test('puts what lacks funds behind all others, and leaves it out of a block that is full: a credit may wait for the next', () => {
    const all = signedTransfer({ from: 0, nonce: 0, to: 2, amount: DEV_BALANCE });
    const spend = signedTransfer({ from: 0, nonce: 1, to: 2, amount: 10n });
    const refill = signedTransfer({ from: 1, nonce: 0, to: 0, amount: 10n });
    const other = signedTransfer({ from: 1, nonce: 1 });
    expect(prepare([all, spend, refill, other])).toEqual([all, refill, other, spend]);
    expect(prepare([all, spend, refill, other], { transactionsMax: 3 })).toEqual([all, refill, other]);
    expect(prepare([all, spend, other])).toEqual([all, spend]);
  });

  test('never refuses for lack of funds: that is in the block and fails', () => {
    const poor = signedTransfer({ amount: DEV_BALANCE + 1n });
    expect(prepare([poor])).toEqual([poor]);
    expect(codes([poor])).toEqual([1]);
    expect(process([poor])).toMatchObject({ ok: true });
  });

  test('keeps to its bytes, counted with the protobuf overhead of each transaction', () => {
    const transfers = [0, 1, 2].map((nonce) => signedTransfer({ nonce }));
    const two = bytesInBlock(transfers[0]!.raw) + bytesInBlock(transfers[1]!.raw);
    expect(bytesInBlock(new Uint8Array(127))).toBe(129);
    expect(bytesInBlock(new Uint8Array(128))).toBe(131);
    expect(prepare(transfers, { bytesMax: two })).toHaveLength(2);
    expect(prepare(transfers, { bytesMax: two - 1 })).toHaveLength(1);
  });

  test('gives cancels at most a quarter of its bytes', () => {
    const cancels = Array.from({ length: 20 }, (_, nonce) => signedCancel({ nonce }));
    const transfers = Array.from({ length: 20 }, (_, nonce) => signedTransfer({ from: 1, nonce }));
    const bytesMax = 20 * bytesInBlock(cancels[0]!.raw);
    const block = prepare([...cancels, ...transfers], { bytesMax });
    expect(block.filter(({ tx }) => tx.kind === 'cancel')).toHaveLength(5);
    expect(block.filter(({ tx }) => tx.kind === 'transfer').length).toBeGreaterThan(10);
    expect(process(block, { bytesMax })).toMatchObject({ ok: true });
    expect(faultOf(cancels.slice(0, 6), { bytesMax })).toBe('block_limit at 5');
  });

  test('orders governance by sequence between cancels and transfers, a few at a time', () => {
    const governance = Array.from({ length: GOVERNANCE_PER_BLOCK_MAX + 2 }, (_, i) =>
      signedGovernance({ subject: operatorAddress(i + 1), sequence: i }),
    );
    const [cancel, transfer] = [signedCancel(), signedTransfer({ from: 1 })];
    const block = prepare([transfer, ...governance.toReversed(), cancel]);
    expect(block).toEqual([cancel, ...governance.slice(0, GOVERNANCE_PER_BLOCK_MAX), transfer]);
    expect(faultOf(governance)).toBe(`block_limit at ${GOVERNANCE_PER_BLOCK_MAX}`);
  });

  test('leaves voting power alone where one key signs for the chain', () => {
    const power = signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 1 });
    expect(prepare([power])).toEqual([power]);
    expect(prepare([power], { allowValidatorChanges: false })).toEqual([]);
    expect(faultOf([power], { allowValidatorChanges: false })).toBe('governance_not_available at 0');
  });

  test('leaves out what has no account, and never throws', () => {
    expect(prepare([signedTransfer({ from: operatorSeed(7) }), signedCancel({ from: operatorAddress(7) })])).toEqual(
      [],
    );
    expect(prepare([], { bytesMax: 0, transactionsMax: 0 })).toEqual([]);
    expect(prepare([signedTransfer()], { bytesMax: -1 })).toEqual([]);
  });
});

describe('judging a block', () => {
  const [transfer, cancel, governance] = [signedTransfer({ nonce: 0 }), signedCancel({ from: 1 }), signedGovernance()];

  test('accepts cancels, governance, transfers in this order', () => {
    expect(faultOf([cancel, governance, transfer])).toBe('ok');
    expect(faultOf([])).toBe('ok');
  });

  test('refuses a cancel behind another kind, and governance behind a transfer', () => {
    expect(faultOf([transfer, cancel])).toBe('block_order at 1');
    expect(faultOf([governance, cancel])).toBe('block_order at 1');
    expect(faultOf([transfer, governance])).toBe('block_order at 1');
  });

  test('refuses what step refuses: a gap, a repetition, a voided nonce', () => {
    expect(faultOf([signedTransfer({ nonce: 1 }), transfer])).toBe('nonce_gap at 0');
    expect(faultOf([transfer, transfer])).toBe('nonce_too_low at 1');
    expect(faultOf([signedCancel({ nonce: 0 }), transfer])).toBe('nonce_too_low at 1');
    expect(faultOf([signedCancel({ nonce: 3 }), signedCancel({ nonce: 3, signer: devSeed(0) })])).toBe(
      'cancel_without_effect at 1',
    );
  });

  test('verifies every signature, unless this process did before', () => {
    const tampered = encodeTransaction({ ...transfer.tx, amount: 2n });
    expect(processBlock(genesis, [tampered], BLOCK, LIMITS)).toMatchObject({
      ok: false,
      index: 0,
      refusal: { name: 'invalid_signature' },
    });
    expect(
      processBlock(genesis, [tampered], BLOCK, { ...LIMITS, signatureVerified: (raw) => raw === tampered }),
    ).toMatchObject({ ok: true });
  });

  test('refuses garbage without throwing', () => {
    expect(processBlock(genesis, [new Uint8Array(0)], BLOCK, LIMITS)).toMatchObject({
      ok: false,
      refusal: { name: 'malformed' },
    });
    expect(processBlock(genesis, [transfer.raw, new Uint8Array(5000).fill(0x7b)], BLOCK, LIMITS)).toMatchObject({
      ok: false,
      index: 1,
    });
  });

  test('refuses more transactions or bytes than allowed', () => {
    const two = [transfer, signedTransfer({ nonce: 1 })];
    expect(faultOf(two, { transactionsMax: 1 })).toBe('block_limit at 1');
    expect(faultOf(two, { bytesMax: bytesInBlock(transfer.raw) })).toBe('block_limit at 1');
  });
});

describe('a transfer with a validUntil', () => {
  const validUntil = 1_800_000_000;
  const transfer = signedTransfer({ validUntil, amount: 3n });
  const next = signedTransfer({ nonce: 1 });
  const last = { height: 1, timeNs: BigInt(validUntil) * 1_000_000_000n };
  const late = { height: 1, timeNs: last.timeNs + 1n };
  const judged = (context: typeof last) => processBlock(genesis, raws([transfer]), context, LIMITS);

  test('is chosen, voted for and executed in a block of that second, and in no later one', () => {
    expect(prepareBlock(genesis, [transfer, next], last, LIMITS)).toEqual([transfer, next]);
    expect(judged(last)).toMatchObject({ ok: true });
    expect(finalizeBlock(genesis, raws([transfer]), last).results).toMatchObject([{ code: 0 }]);
    // What waits behind it waits for the void of its nonce.
    expect(prepareBlock(genesis, [transfer, next], late, LIMITS)).toEqual([]);
    expect(judged(late)).toMatchObject({ ok: false, index: 0, refusal: { name: 'validity_passed' } });
  });

  test('has a code and no effect where a block was decided that holds it too late', () => {
    const done = finalizeBlock(genesis, raws([transfer]), late);
    expect(done.results).toMatchObject([{ code: CODES.validity_passed, codespace: 'txledger', events: [] }]);
    expect(done.accounts.size).toBe(0);
  });
});

describe('executing a block', () => {
  test('is total: what is refused has its own code and no effect, the rest goes on', () => {
    const block = [
      signedTransfer({ nonce: 1 }).raw,
      Buffer.from('garbage'),
      signedTransfer({ nonce: 0, amount: 5n }).raw,
      encodeTransaction({ ...signedTransfer({ from: 1 }).tx, amount: 9n }),
      signedCancel({ nonce: 0 }).raw,
      signedTransfer({ from: 2, amount: DEV_BALANCE * 2n }).raw,
    ];
    const done = finalizeBlock(genesis, block, BLOCK);
    expect(done.results.map(({ code }) => code)).toEqual([16, 10, 0, 13, 18, 1]);
    expect(done.results.map(({ code }) => isExecuted(code))).toEqual([false, false, true, false, false, true]);
    expect([...done.accounts.keys()]).toEqual([devAddress(0), devAddress(1), devAddress(2)]);
    expect(done.accounts.get(devAddress(2))).toEqual({ balance: DEV_BALANCE, nonce: 1, voids: 0n });
  });

  test('runs in the order given, even where a proposal would be refused for it', () => {
    expect(codes([signedTransfer({ nonce: 0 }), signedCancel({ nonce: 0 })])).toEqual([0, 18]);
    expect(codes([signedCancel({ nonce: 0 }), signedTransfer({ nonce: 0 })])).toEqual([0, 15]);
  });

  test('results carry what ABCI wants: codespace with a code, no data, no gas, events when executed', () => {
    const [ok, refused] = finalizeBlock(
      genesis,
      [signedTransfer({ amount: 5n }).raw, signedTransfer({ nonce: 9 }).raw],
      BLOCK,
    ).results;
    expect(ok).toMatchObject({ code: 0, codespace: '', log: '', gasWanted: 0n, gasUsed: 0n });
    expect(ok!.data).toHaveLength(0);
    expect(ok!.events).toEqual([
      {
        type: 'transfer',
        attributes: [
          { key: 'from', value: devAddress(0), index: true },
          { key: 'to', value: devAddress(1), index: true },
          { key: 'amount', value: '5', index: true },
          { key: 'nonce', value: '0', index: true },
        ],
      },
    ]);
    expect(refused).toMatchObject({ code: 16, codespace: 'txledger', events: [] });
    expect(refused!.log).toContain('ahead');
  });

  test('events name cancels, governance and failed transfers', () => {
    const block = [signedCancel(), signedGovernance(), signedTransfer({ from: 1, amount: DEV_BALANCE + 1n })];
    expect(
      finalizeBlock(genesis, raws(block), BLOCK).results.map(({ events }) => events.map(({ type }) => type)),
    ).toEqual([['cancel'], ['governance'], ['transfer_failed']]);
  });

  test('is executed by choosing it: the outcome is that of finalizeBlock on its bytes', () => {
    const power = signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 3 });
    const block = [
      signedCancel({ nonce: 1 }),
      power,
      signedTransfer({ nonce: 9 }),
      signedTransfer({ nonce: 0 }),
      signedTransfer({ nonce: 2, to: operatorAddress(3) }),
      signedTransfer({ from: 2, amount: DEV_BALANCE * 2n }),
      power,
    ];
    const fromBytes = finalizeBlock(genesis, raws(block), BLOCK);
    expect(fromBytes.results.map(({ code }) => code)).toEqual([0, 0, 16, 0, 0, 1, 21]);
    const limits = { bytesMax: 1024 * 1024, transactionsMax: 1000, allowValidatorChanges: true };
    const prepared = prepareAndFinalize(genesis, block, BLOCK, limits);
    expect(prepared.transactions).toEqual(prepareBlock(genesis, block, BLOCK, limits));
    expect(prepared.finalized).toEqual(finalizeBlock(genesis, raws(prepared.transactions), BLOCK));
    expect(prepared.finalized.results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1]);
  });

  test('tells CometBFT the net change of voting power, each validator once', () => {
    const power = (subject: number, value: number, sequence: number) =>
      signedGovernance({ action: 'validator_power', subject: validatorKey(subject), power: value, sequence });
    const validators = [40, 40, 6].map((each, i) => ({ publicKey: validatorKey(i), power: each, name: '' }));
    const several = LedgerState.fromGenesis(testGenesis({ validators }));
    const updates = (...block: VerifiedTransaction[]) => finalizeBlock(several, raws(block), BLOCK).validatorUpdates;
    expect(updates(power(3, 5, 0), power(3, 6, 1))).toEqual([{ publicKey: validatorKey(3), power: 6 }]);
    expect(updates(power(3, 5, 0), power(3, 0, 1))).toEqual([]);
    expect(updates(power(0, 35, 0), power(0, 40, 1))).toEqual([]);
    expect(updates(power(3, 5, 0), power(2, 0, 1))).toEqual(
      [
        { publicKey: validatorKey(2), power: 0 },
        { publicKey: validatorKey(3), power: 5 },
      ].sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1)),
    );
    expect(updates(signedGovernance())).toEqual([]);
  });

  test('below the opening minimum: in the block, failed, nonce used; behind others, because one of them may open the account', () => {
    const state = LedgerState.fromGenesis(testGenesis({ openingMinimum: 100n }));
    const [fresh, dust, opening] = [
      operatorAddress(7),
      signedTransfer({ to: operatorAddress(7), amount: 99n }),
      signedTransfer({ from: 1, to: operatorAddress(7), amount: 100n }),
    ];
    const alone = finalizeBlock(state, [dust.raw], BLOCK);
    expect(alone.results.map(({ code, events }) => [code, events.map(({ type }) => type)])).toEqual([
      [2, ['transfer_failed']],
    ]);
    expect(alone.accounts.get(devAddress(0))).toEqual({ balance: DEV_BALANCE, nonce: 1, voids: 0n });
    expect(alone.accounts.has(fresh)).toBe(false);
    const room = { bytesMax: 100_000, transactionsMax: 10, allowValidatorChanges: true };
    expect(prepareBlock(state, [dust, opening], BLOCK, room)).toEqual([opening, dust]);
    expect(finalizeBlock(state, raws([opening, dust]), BLOCK).results.map(({ code }) => code)).toEqual([0, 0]);
    expect(processBlock(state, raws([dust]), BLOCK, room)).toMatchObject({ ok: true });
  });

  test('an unchanged governance record is not reported as changed', () => {
    expect(finalizeBlock(genesis, [signedTransfer().raw], BLOCK).governance).toBeUndefined();
    expect(finalizeBlock(genesis, [signedGovernance().raw], BLOCK).governance?.sequence).toBe(1);
  });
});
