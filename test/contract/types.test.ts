/**
 * What the generated types let a program say. The assertions are made by the compiler (`npm run typecheck`): a
 * line marked `@ts-expect-error` that compiles fails it. The tests keep the values alive.
 */
import { describe, expect, test } from '@jest/globals';
import type { components, operations, paths } from '../../generated/openapi.ts';
import { example } from './support/contract.ts';

type Schemas = components['schemas'];
type Refused = operations['submitTransaction']['responses'][422]['content']['application/problem+json'];

describe('the generated types', () => {
  test('give every operation under its operationId and under its path', () => {
    const submit: paths['/transactions']['post'] extends operations['submitTransaction'] ? true : false = true;
    expect(submit).toBe(true);
  });

  test('narrow an error by its code to the members it has', () => {
    const problem: Refused = example('InvalidSignatureProblem');
    if (problem.code === 'invalid_signature') {
      const signBytes: string = problem.signBytes;
      expect(signBytes).toContain('txledger-transfer-v1\n');
      // @ts-expect-error only tx_hash_mismatch has it
      expect(problem.expectedTxHash).toBeUndefined();
    }
    // @ts-expect-error a conflict is 409, not 422
    expect(problem.code === 'nonce_conflict').toBe(false);
  });

  test('know every status, and the reasons apart', () => {
    const statuses: Record<Schemas['TransactionStatus'], true> = {
      pending: true, committed: true, failed: true, cancelled: true, expired: true,
    };
    expect(Object.keys(statuses)).toHaveLength(5);
    // @ts-expect-error not a status
    const wrong: Schemas['TransactionStatus'] = 'settled';
    expect(wrong).toBe('settled');
  });

  test('have no null: what does not apply is absent', () => {
    const committed: Schemas['Transaction'] = example('CommittedTransaction');
    // @ts-expect-error null is no hash
    const transaction: Schemas['Transaction'] = { ...committed, executedAs: null };
    expect(transaction.executedAs).toBeNull();
  });

  test('ask a transfer for all it needs, with money as text', () => {
    const { from, to, nonce, signature }: Schemas['TransactionInput'] = example('SimpleTransfer');
    // @ts-expect-error an amount is a decimal string
    const numeric: Schemas['TransactionInput'] = { from, to, nonce, signature, amount: 100 };
    // @ts-expect-error an amount is needed
    const without: Schemas['TransactionInput'] = { from, to, nonce, signature };
    expect([numeric, without]).toHaveLength(2);
  });

  test('type the body of every error, never as never', () => {
    const notFound: operations['getTransaction']['responses'][404]['content']['application/problem+json'] = example('NotFoundProblem');
    expect(notFound.code).toBe('not_found');
    // @ts-expect-error 418 is no status of this operation
    type Teapot = operations['getTransaction']['responses'][418];
    expect<Teapot | undefined>(undefined).toBeUndefined();
  });
});
