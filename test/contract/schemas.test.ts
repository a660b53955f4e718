/** What the schemas refuse. A schema that lets something through makes the server do so. */
import { describe, expect, test } from '@jest/globals';
import { example, violations } from './support/contract.ts';

const transfer = () => example('SimpleTransfer');

describe('TransactionInput', () => {
  test.each<[string, Record<string, unknown>]>([
    ['the smallest amount', { amount: '1' }],
    ['the largest amount, 2^128-1', { amount: String(2n ** 128n - 1n) }],
    ['the largest nonce, 2^53-1', { nonce: Number.MAX_SAFE_INTEGER }],
    ['a hash in lower case', { txHash: 'a'.repeat(64) }],
    ['a hash in upper case', { txHash: 'A'.repeat(64) }],
  ])('takes %s', (_what, change) => {
    expect(violations('TransactionInput', { ...transfer(), ...change })).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['an amount of zero', { amount: '0' }],
    ['an amount with a leading zero', { amount: '01' }],
    ['an amount with a sign', { amount: '-1' }],
    ['an amount with a point', { amount: '1.0' }],
    ['an amount with an exponent', { amount: '1e3' }],
    ['an amount that is a number', { amount: 100 }],
    ['an amount of 2^128', { amount: String(2n ** 128n) }],
    ['an amount followed by a line feed', { amount: '100\n' }],
    ['a nonce below zero', { nonce: -1 }],
    ['a nonce of 2^53', { nonce: 2 ** 53 }],
    ['a nonce with a fraction', { nonce: 1.5 }],
    ['a nonce that is text', { nonce: '0' }],
    ['a signature in upper case', { signature: transfer().signature.toUpperCase() }],
    ['a signature that is one byte short', { signature: transfer().signature.slice(2) }],
    ['an address in upper case', { from: transfer().from.toUpperCase() }],
    ['an address of another chain family', { from: `cosmos1${transfer().from.slice(5)}` }],
    ['an address that is one letter short', { to: transfer().to.slice(0, -1) }],
    ['an address with a letter that bech32 leaves out', { to: `${transfer().to.slice(0, -1)}b` }],
    ['a hash that is one digit short', { txHash: 'A'.repeat(63) }],
    ['an unknown member', { chainId: 'txledger-dev-1' }],
    ['null for a member', { txHash: null }],
  ])('refuses %s', (_what, change) => {
    expect(violations('TransactionInput', { ...transfer(), ...change })).not.toEqual([]);
  });

  test.each(['from', 'to', 'amount', 'nonce', 'signature'])('refuses a transfer without %s', (member) => {
    const { [member]: _left, ...rest } = transfer();
    expect(violations('TransactionInput', rest)).not.toEqual([]);
  });
});

describe('Transaction', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['a pending one with a height', 'PendingTransaction', { height: 42 }],
    ['a pending one with a block time', 'PendingTransaction', { blockTime: '2026-11-21T09:30:01Z' }],
    ['a pending one that failed', 'PendingTransaction', { reason: { code: 'insufficient_funds', detail: 'No.' } }],
    ['a pending one that a block executed', 'PendingTransaction', { executedAs: 'A'.repeat(64) }],
    ['a committed one with a reason', 'CommittedTransaction', { reason: { code: 'broadcast', detail: 'No.' } }],
    [
      'a failed one with the reason of a pending one',
      'FailedTransaction',
      { reason: { code: 'broadcast', detail: 'No.' } },
    ],
    ['a hash in lower case', 'CommittedTransaction', { txHash: 'a'.repeat(64) }],
    ['the nonce', 'CommittedTransaction', { nonce: 0 }],
    ['the signature', 'CommittedTransaction', { signature: transfer().signature }],
    ['an unknown status', 'CommittedTransaction', { status: 'settled' }],
    ['null for a member', 'CommittedTransaction', { executedAs: null }],
    ['a local time', 'CommittedTransaction', { blockTime: '2026-11-21T09:30:01+01:00' }],
  ])('refuses %s', (_what, name, change) => {
    expect(violations('Transaction', example(name))).toEqual([]);
    expect(violations('Transaction', { ...example(name), ...change })).not.toEqual([]);
  });

  test.each([
    ['CommittedTransaction', 'height'],
    ['CancelledTransaction', 'blockTime'],
    ['FailedTransaction', 'reason'],
    ['PendingTransaction', 'firstSeenAt'],
  ])('refuses a %s without %s', (name, member) => {
    const { [member]: _left, ...rest } = example(name);
    expect(violations('Transaction', rest)).not.toEqual([]);
  });

  test('takes a pending one without a reason, before it was first handed to the chain', () => {
    const { reason: _left, ...rest } = example('PendingTransaction');
    expect(violations('Transaction', rest)).toEqual([]);
  });

  test('has no history, which only TransactionDetail has', () => {
    expect(violations('Transaction', example('CommittedTransactionDetail'))).not.toEqual([]);
    expect(violations('TransactionDetail', example('CommittedTransaction'))).not.toEqual([]);
  });
});

describe('Problem', () => {
  test('leaves of it refuse members that their code does not have', () => {
    expect(violations('NonceTooLowProblem', { ...example('NonceTooLowProblem'), signBytes: 'x' })).not.toEqual([]);
  });

  test('leaves of it refuse the code of another', () => {
    expect(violations('NonceTooLowProblem', { ...example('NonceTooLowProblem'), code: 'nonce_conflict' })).not.toEqual(
      [],
    );
  });

  test.each([
    ['NonceConflictProblem', 'txHash'],
    ['InvalidSignatureProblem', 'signBytes'],
    ['TxHashMismatchProblem', 'expectedTxHash'],
    ['TxHashMismatchProblem', 'actualTxHash'],
    ['AlreadySettledProblem', 'transactionStatus'],
    ['InvalidRequestProblem', 'errors'],
  ])('%s refuses to go without %s', (name, member) => {
    const { [member]: _left, ...rest } = example(name);
    expect(violations(name, rest)).not.toEqual([]);
  });

  test.each(['/amount', '', '/transactions/0/to', '#/query/limit', '#/path/address', '#/header/Prefer'])(
    'points with %j',
    (pointer) => {
      expect(violations('FieldError', { pointer, message: 'wrong' })).toEqual([]);
    },
  );
});

describe('Account, Chain and Readiness', () => {
  test('an account holds 0 or more, never a padded number', () => {
    expect(violations('Account', { ...example('FundedAccount'), balance: '0' })).toEqual([]);
    expect(violations('Account', { ...example('FundedAccount'), balance: '00' })).not.toEqual([]);
  });

  test('a chain before its first block has height 0', () => {
    expect(violations('Chain', { ...example('DevelopmentChain'), height: 0 })).toEqual([]);
    expect(violations('Chain', { ...example('DevelopmentChain'), height: -1 })).not.toEqual([]);
  });

  test('readiness lists all four checks', () => {
    const ready = example('Ready');
    expect(violations('Readiness', { ...ready, checks: ready.checks.slice(1) })).not.toEqual([]);
  });
});
