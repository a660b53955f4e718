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
      pending: true,
      committed: true,
      failed: true,
      cancelled: true,
      expired: true,
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
    expect(transaction).toHaveProperty('executedAs', null);
  });

  test('narrow a transaction by its status to the members it has', () => {
    const transaction: Schemas['Transaction'] = example('FailedTransaction');
    if (transaction.status === 'failed') {
      const code: 'insufficient_funds' | 'nonce_superseded' | 'below_opening_minimum' = transaction.reason.code;
      expect([code, transaction.height]).toEqual(['insufficient_funds', 44]);
    } else if (transaction.status === 'pending') {
      // @ts-expect-error no block has decided
      expect(transaction.height).toBeUndefined();
    } else {
      // @ts-expect-error only failed and pending ones have a reason
      expect(transaction.reason).toBeUndefined();
    }
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
    const notFound: operations['getTransaction']['responses'][404]['content']['application/problem+json'] =
      example('NotFoundProblem');
    expect(notFound.code).toBe('not_found');
    // @ts-expect-error 418 is no status of this operation
    type Teapot = operations['getTransaction']['responses'][418];
    expect<Teapot | undefined>(undefined).toBeUndefined();
  });

  test('tell answers of the RPC as a stock node does: integers as text, null where it answers null', () => {
    type Answer<Id extends keyof operations> = operations[Id] extends {
      responses: { 200: { content: { 'application/json': infer Body } } };
    }
      ? Body
      : never;
    const { result }: Answer<'getRpcBlock'> = example('RpcBlockExample');
    const height: string | undefined = result.block?.header.height;
    // @ts-expect-error a count is text
    const count: number | undefined = result.block?.header.height;
    expect([height, count]).toEqual(['4', '4']);
    const found: Answer<'postRpcBlockByHash'> = example('RpcUnknownBlock');
    // @ts-expect-error no block may have the hash
    expect(() => found.result.block.header).toThrow(TypeError);
    const broadcast: Answer<'getRpcBroadcastTxCommit'> = example('RpcBroadcastTxCommitExample');
    const code: number = broadcast.result.tx_result.code;
    // @ts-expect-error the name of another version of CometBFT
    expect(broadcast.result.deliver_tx).toBeUndefined();
    expect(code).toBe(0);
  });

  test('tell errors of a method of the RPC in its envelope, and the others as problems', () => {
    type Errors = operations['getRpcTx']['responses'];
    const notFound: Errors[404]['content']['application/json'] = example('RpcUnknownTransaction');
    expect(notFound.error.code).toBe(-32603);
    // @ts-expect-error it is no problem
    expect(notFound.retriable).toBeUndefined();
    const denied: Errors[401]['content']['application/problem+json'] = example('UnauthenticatedProblem');
    expect(denied.code).toBe('unauthenticated');
    const other: Errors['default']['content']['application/problem+json'] = example('RateLimitedProblem');
    expect(other.code).toBe('rate_limited');
    // @ts-expect-error a hash by POST is text in an object that has nothing else
    const params: Schemas['RpcTxParams'] = { hash: 'wv21fpWvjO6viuJS1YUaPRw/wO6IRGf6SyqGywxFE2o=', height: '4' };
    expect(params).toHaveProperty('height');
  });
});
