/**
 * The published contract leaves answers open for members of later versions; whatever judges our own answers does not. Each of the
 * judges is shown an answer with a member that the contract does not declare.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { closedContract } from '../../server/http/contract/closed.ts';
import { judgedFetch } from '../client/support/contract.ts';
import { violations } from '../contract/support/contract.ts';
import { contract, contractFaults } from './support/contract-check.ts';
import { TestServer } from './support/server.ts';
import { PENDING, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const schemas = contract.document.components.schemas as Record<string, any>;
const closed = closedContract(contract.document).components.schemas as Record<string, any>;
const example = (name: string): any => structuredClone((contract.document.components.examples as any)[name].value);

describe('an answer with a member that the contract does not declare', () => {
  test('is a defect of a server that validates its answers', async () => {
    server.gateway.onGet = async () => ({
      ...PENDING,
      nonce: 0,
      history: [{ atMs: PENDING.firstSeenAtMs, event: 'accepted', later: 1 } as never],
      ledgerHeight: 42,
    });
    const answer = await server.ask({ path: `/transactions/${TX_HASH}`, unchecked: true });
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    server.gateway.reset();
  });

  test('fails the judge of the tests of HTTP', () => {
    const headers = {
      'content-type': 'application/json',
      'x-request-id': 'a',
      'cache-control': 'no-store',
      'contract-version': contract.document.info.version,
    };
    const faultsOf = (body: object): string[] =>
      contractFaults('GET /chain', 200, headers, Buffer.from(JSON.stringify(body)));
    expect(faultsOf(example('DevelopmentChain'))).toEqual([]);
    expect(faultsOf({ ...example('DevelopmentChain'), later: 1 })).toEqual([
      expect.stringContaining('unevaluated'),
      expect.stringMatching(/rendition for clients.*unevaluated/),
    ]);
  });

  test('fails the judge of the tests of the contract', () => {
    for (const [schema, name] of [
      ['Transaction', 'FailedTransaction'],
      ['TransactionDetail', 'CommittedTransactionDetail'],
      ['NonceConflictProblem', 'NonceConflictProblem'],
      ['RpcBlockAnswer', 'RpcBlockExample'],
    ] as const) {
      expect(violations(schema, example(name))).toEqual([]);
      expect(violations(schema, { ...example(name), later: 1 })).not.toEqual([]);
    }
    const nested = example('CommittedTransactionDetail');
    nested.history[0].later = 1;
    expect(violations('TransactionDetail', nested)).not.toEqual([]);
  });

  test('fails the judge of the tests of the client', async () => {
    const fetched = globalThis.fetch;
    globalThis.fetch = async () =>
      new Response(JSON.stringify({ ...example('DevelopmentChain'), later: 1 }), {
        headers: { 'content-type': 'application/json' },
      });
    try {
      const judged = judgedFetch('http://ledger.test');
      await judged.fetch(new Request('http://ledger.test/chain'));
      expect(judged.faults).toEqual([expect.stringContaining('getChain answer: 200: ')]);
    } finally {
      globalThis.fetch = fetched;
    }
  });
});

describe('the contract, closed in memory', () => {
  test('is not what is published', () => {
    expect(JSON.stringify(contract.document)).not.toBe(JSON.stringify(closedContract(contract.document)));
    expect(schemas.Chain).not.toHaveProperty('unevaluatedProperties');
    expect(closed.Chain).toHaveProperty('unevaluatedProperties', false);
  });

  test('leaves what others extend open, and what others define', () => {
    expect(closed.Problem).not.toHaveProperty('unevaluatedProperties');
    expect(closed.NonceConflictProblem).toHaveProperty('unevaluatedProperties', false);
    expect(closed.OpenapiDocument).not.toHaveProperty('unevaluatedProperties');
  });

  test('has the values of this version in the lists that may grow', () => {
    expect(schemas.HistoryEvent).not.toHaveProperty('enum');
    expect(closed.HistoryEvent.enum).toEqual(schemas.HistoryEvent['x-extensible-enum']);
  });
});
