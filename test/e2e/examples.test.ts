/**
 * The named examples of the contract, played against the product: each request is sent word for word (the example transfers
 * carry real signatures), and each answer has the shape of a named example of its operation and status.
 *
 * What it takes is one development chain on which the examples' sender has money. Examples that need a chain or a machine
 * in trouble are listed at the end with the test that makes the trouble; a new example must be met or be listed.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import type { OpenapiDocument } from '../../server/http/contract/bundle.ts';
import { codesByOperation } from '../../server/http/contract/answered.ts';
import { contract, example, operations, resolve, responses } from '../contract/support/contract.ts';
import { signedBody } from './support/chain.ts';
import { chainOf, type Chain } from './support/development.ts';
import { call, freePort, READY_MS_MAX, Server, type Answer } from './support/server.ts';
import { differences } from './support/shape.ts';
import { startPythonSigner } from './support/signer.ts';

/** The example transfers run at nonces 0 and 5 and are of 100 each. */
const FUNDS = '1000000';
/** A nonce may be this far ahead of its account's. */
const NONCES_AHEAD_MAX = 1023;
/** The height that examples of the RPC name. */
const EXAMPLE_HEIGHT = 4;

let server: Server;
let chain: Chain;
let token = '';
let chainId = '';
const met = new Set<string>();

const answerable = codesByOperation(contract as OpenapiDocument);

/** The named examples of an answer. What is left to the default answer has the examples of the codes that the catalogue says of the operation. */
function examplesOf(operationId: string, { status, headers }: Answer): string[] {
  const { operation } = operations.find(({ id }) => id === operationId)!;
  const listed = operation.responses[status];
  if (listed === undefined) {
    const codes = answerable.get(operationId)!;
    return Object.keys(contract.components.examples).filter((name) => codes.has(example(name)?.code));
  }
  const content = resolve(listed).content ?? {};
  return Object.keys(content[headers.get('content-type')?.split(';')[0] ?? '']?.examples ?? {});
}

/** Expects the shape of a named example: of this one, or of any that the operation declares for the status. */
function expectShape(operationId: string, answer: Answer, name?: string): void {
  const names = examplesOf(operationId, answer);
  if (name !== undefined) expect(names).toContain(name);
  const found = (name === undefined ? names : [name]).map(
    (one) => [one, differences(answer.body, example(one))] as const,
  );
  const fitting = found.find(([, differing]) => differing.length === 0);
  if (fitting === undefined)
    expect(found).toEqual(
      `the shape of one of them, by ${operationId} ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
  else met.add(fitting[0]);
}

const send = (method: string, target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  call(`${server.baseUrl}${target}`, {
    method,
    token,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

beforeAll(async () => {
  server = new Server({
    dataDir: path.join(await temporaryFolder('examples'), 'data'),
    port: await freePort(),
    variables: { BLOCK_INTERVAL_MS: '100' },
  });
  await server.start();
  const dev = await server.development();
  ({ token, chainId } = dev);
  chain = chainOf(server, dev);
  const python = startPythonSigner();
  try {
    const faucet = chain.account(0);
    for (let nonce = 0; nonce < EXAMPLE_HEIGHT; nonce++) {
      const transfer = {
        chainId: dev.chainId,
        from: faucet.address,
        to: example('SimpleTransfer').from,
        amount: FUNDS,
        nonce,
      };
      const funded = await send('POST', '/transactions', await python.sign(faucet.seed, transfer), {
        prefer: 'wait=10',
      });
      expect(funded.status).toBe(201);
    }
  } finally {
    python.end();
  }
}, READY_MS_MAX);

afterAll(async () => {
  await server.stop('SIGKILL');
  await removeTemporaryFolders();
});

describe('the life of the example transfers', () => {
  const transfer = example('SimpleTransfer');
  const hash = example('PendingTransaction').txHash;
  const ahead = example('TransferWithHash');

  test('SimpleTransfer is taken in and committed under the hash of the examples', async () => {
    const sent = await send('POST', '/transactions', transfer);
    expectShape('submitTransaction', sent, 'PendingTransaction');
    expect(sent.body.txHash).toBe(hash);
    const again = await send('POST', '/transactions', transfer, { prefer: 'wait=10' });
    expectShape('submitTransaction', again, 'CommittedTransaction');
    expect(again.body.txHash).toBe(hash);
    expectShape('getTransaction', await send('GET', `/transactions/${hash}`), 'CommittedTransactionDetail');
    expectShape('cancelTransaction', await send('DELETE', `/transactions/${hash}`), 'AlreadySettledProblem');
  });

  test('TransferWithHash waits for its turn and is cancelled', async () => {
    expectShape('submitTransaction', await send('POST', '/transactions', ahead), 'WaitingTransaction');
    const id = ahead.txHash;
    expectShape(
      'cancelTransaction',
      await send('DELETE', `/transactions/${id}`, undefined, { prefer: 'wait=0' }),
      'CancelRequestedTransaction',
    );
    expectShape('cancelTransaction', await send('DELETE', `/transactions/${id}`), 'CancelledTransaction');
    expectShape('getTransaction', await send('GET', `/transactions/${id}`), 'CancelledTransactionDetail');
  });

  test('BatchOfTwo is half accepted', async () => {
    expectShape(
      'submitTransactionBatch',
      await send('POST', '/transactions/batch', example('BatchOfTwo')),
      'OneAcceptedOneRefused',
    );
  });

  test('lists, accounts and the chain read as in the examples', async () => {
    expectShape('listTransactions', await send('GET', '/transactions?limit=1'), 'FirstPage');
    expectShape(
      'listTransactions',
      await send('GET', `/transactions?from=${transfer.from}&status=committed`),
      'LastPage',
    );
    expectShape('getAccount', await send('GET', `/accounts/${transfer.from}`), 'FundedAccount');
    expectShape('getAccount', await send('GET', `/accounts/${chain.account(9).address}`), 'UnknownAccount');
    await chain.submit(chain.signed(4, 6, 1n, 3));
    expectShape('getAccount', await send('GET', `/accounts/${chain.account(4).address}`), 'WaitingAccount');
    expectShape(
      'listAccounts',
      await send('GET', `/accounts?address=${transfer.from}&address=${chain.account(9).address}`),
      'TwoAccounts',
    );
    for (const [nonce, reference] of [undefined, 'Refund 17', undefined].entries()) {
      const body = signedBody(chain.account(3), {
        chainId,
        to: chain.account(2).address,
        amount: 40n,
        nonce,
        ...(reference && { reference }),
      });
      expect(await chain.submit(body, { prefer: 'wait=10' })).toMatchObject({ status: 201 });
    }
    expectShape(
      'listEntries',
      await send('GET', `/accounts/${chain.account(2).address}/entries?limit=2`),
      'NewestEntries',
    );
    expectShape(
      'listEntries',
      await send('GET', `/accounts/${transfer.from}/entries`, undefined, { accept: 'text/csv' }),
      'StatementInCsv',
    );
    expectShape('getReceipt', await send('GET', `/transactions/${hash}/receipt`), 'PaymentReceipt');
    expectShape(
      'checkTransaction',
      await send('POST', '/transactions/check', { ...chain.signed(8, 9, 1n, 0), signature: null, txHash: null }),
      'WouldBeAccepted',
    );
    expectShape(
      'checkTransaction',
      await send('POST', '/transactions/check', chain.signed(8, 9, 10n ** 30n, 0)),
      'WouldBeRefused',
    );
    expectShape('getChain', await send('GET', '/chain'), 'DevelopmentChain');
    expectShape('getLiveness', await send('GET', '/livez'), 'Alive');
    expectShape('getReadiness', await send('GET', '/readyz'), 'Ready');
    expectShape('getMetrics', await send('GET', '/metrics'), 'PrometheusMetrics');
    expectShape('getApiCatalog', await send('GET', '/.well-known/api-catalog'), 'LinksOfThisApi');
    expectShape('getOpenapiYaml', await send('GET', '/openapi.yaml'), 'OpenapiInYaml');
  });
});

/** Each refusal that needs nothing but a bad request: the operation, and the request that earns the example. */
const transfer = example('SimpleTransfer');
const REFUSALS: Record<string, [operationId: string, ask: () => Promise<Answer>]> = {
  MalformedJsonProblem: ['submitTransaction', () => send('POST', '/transactions', '{"from":')],
  InvalidRequestProblem: ['submitTransaction', () => send('POST', '/transactions', { ...transfer, amount: '0' })],
  UnauthenticatedProblem: ['listTransactions', () => call(`${server.baseUrl}/transactions`)],
  NotFoundProblem: ['getTransaction', () => send('GET', `/transactions/${'0'.repeat(64)}`)],
  BodyTooLargeProblem: [
    'submitTransaction',
    () => send('POST', '/transactions', { ...transfer, memo: ' '.repeat(2 ** 15) }),
  ],
  InvalidAddressProblem: ['getAccount', () => send('GET', `/accounts/${transfer.from.slice(0, -1)}q`)],
  InvalidSignatureProblem: ['submitTransaction', () => send('POST', '/transactions', { ...transfer, amount: '101' })],
  InsufficientFundsProblem: ['submitTransaction', () => chain.submit(chain.signed(5, 6, 10n ** 30n, 0))],
  NonceTooHighProblem: ['submitTransaction', () => chain.submit(chain.signed(5, 6, 1n, NONCES_AHEAD_MAX + 1))],
  ValidityPassedProblem: [
    'submitTransaction',
    () =>
      chain.submit(
        signedBody(chain.account(5), { chainId, to: chain.account(6).address, amount: 1n, nonce: 0, validUntil: 1 }),
      ),
  ],
  IdempotencyKeyReusedProblem: [
    'submitTransaction',
    async () => {
      const keyed = { 'idempotency-key': '"of the first"' };
      await chain.submit(chain.signed(7, 8, 1n, 0), keyed);
      return chain.submit(chain.signed(7, 8, 1n, 1), keyed);
    },
  ],
  NonceConflictProblem: ['submitTransaction', () => chain.submit(chain.signed(0, 6, 1n, 0))],
  NonceCancelledProblem: [
    'submitTransaction',
    async () => {
      const cancelled = chain.signed(6, 7, 1n, 5);
      await chain.submit(cancelled);
      await chain.cancel(cancelled.txHash);
      return chain.submit(chain.signed(6, 7, 2n, 5));
    },
  ],
  TxHashMismatchProblem: [
    'submitTransaction',
    () => send('POST', '/transactions', { ...transfer, txHash: '0'.repeat(64) }),
  ],
};

describe('a refusal', () => {
  test.each(Object.entries(REFUSALS))('reads as in the example: %s', async (name, [operationId, ask]) => {
    const answer = await ask();
    expectShape(operationId, answer, name);
    expect(answer.body).toMatchObject({ code: example(name).code, title: example(name).title });
    // Relative to the URL of the request, so it begins differently below a longer path.
    const typeFrom = (type: string): string =>
      new URL(type, 'http://ledger/a').pathname + new URL(type, 'http://ledger/a').hash;
    expect(typeFrom(answer.body.type)).toBe(typeFrom(example(name).type));
  });
});

describe('a webhook', () => {
  test('is made, listed, rotated, tested, replayed and disabled as in the examples', async () => {
    const input = example('NewWebhook');
    const made = await send('POST', '/webhooks', input);
    expectShape('createWebhook', made, 'WebhookMade');
    const target = `/webhooks/${made.body.id}`;
    expectShape('createWebhook', await send('POST', '/webhooks', input), 'WebhookExistsProblem');
    expectShape('listWebhooks', await send('GET', '/webhooks'), 'WebhooksOfTheOwner');
    expectShape('rotateWebhookSecret', await send('POST', `${target}/rotate-secret`, {}), 'SecretRotated');
    expectShape('replayWebhook', await send('POST', `${target}/replay`, { after: '0', until: '1' }), 'ReplayAsked');
    expectShape('testWebhook', await send('POST', `${target}/test`), 'TestAsked');
    expect((await send('PATCH', target, { status: 'disabled' })).status).toBe(200);
    expectShape('testWebhook', await send('POST', `${target}/test`), 'WebhookDisabledProblem');
    expectShape(
      'createWebhook',
      await send('POST', '/webhooks', { url: 'https://10.0.0.1/hook' }),
      'WebhookUrlRefusedProblem',
    );
    let another = await send('POST', '/webhooks', { url: 'https://shop.example/0' });
    for (let number = 1; another.status === 201; number++)
      another = await send('POST', '/webhooks', { url: `https://shop.example/${number}` });
    expectShape('createWebhook', another, 'TooManyWebhooksProblem');
  });
});

const rpcRequests = operations
  .filter(({ path: target, method }) => target.startsWith('/rpc') && method === 'post')
  .flatMap(({ id, path: target, operation }) =>
    Object.keys(resolve(operation.requestBody).content['application/json'].examples).map((name) => ({
      id,
      target,
      name,
    })),
  );

describe('a request of the RPC', () => {
  test.each(rpcRequests)('is answered as in an example: $id $name', async ({ id, target, name }) => {
    expectShape(id, await send('POST', target, example(name)));
  });
});

const inBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const blockHash = async (): Promise<string> =>
  inBase64((await send('POST', '/rpc/block', { height: String(EXAMPLE_HEIGHT) })).body.result.block_id.hash);
const payment = (): Promise<Answer> => send('GET', `/transactions/${example('PendingTransaction').txHash}`);

/** Answers of the RPC that other requests than the examples earn. */
const RPC_ANSWERS: Record<string, [operationId: string, target: string, body: () => unknown, token?: 'none']> = {
  RpcTxExample: ['postRpcTx', '/rpc/tx', () => ({ hash: inBase64(example('PendingTransaction').txHash), prove: true })],
  RpcUnknownTransaction: ['postRpcTx', '/rpc/tx', () => ({ hash: inBase64('0'.repeat(64)) })],
  RpcNothingFound: ['postRpcTxSearch', '/rpc/tx_search', () => ({ query: 'tx.height=999999999' })],
  RpcInvalidSearch: ['postRpcTxSearch', '/rpc/tx_search', () => ({ query: 'no search' })],
  RpcUnknownQueryPath: ['postRpcAbciQuery', '/rpc/abci_query', () => ({ path: '/nowhere', data: '' })],
  RpcBlockByHashExample: ['postRpcBlockByHash', '/rpc/block_by_hash', async () => ({ hash: await blockHash() })],
  RpcHeaderByHashExample: [
    'postRpcHeaderByHash',
    '/rpc/header_by_hash',
    async () => ({
      hash: Buffer.from(await blockHash(), 'base64')
        .toString('hex')
        .toUpperCase(),
    }),
  ],
  RpcBlockResultsExample: [
    'postRpcBlockResults',
    '/rpc/block_results',
    async () => ({ height: String((await payment()).body.height) }),
  ],
  // The first block is made before anybody can have sent anything.
  RpcEmptyBlockResults: ['postRpcBlockResults', '/rpc/block_results', () => ({ height: '1' })],
  RpcRefusedArgument: ['postRpcBlock', '/rpc/block', () => ({ height: '-4' })],
  RpcRefusedBroadcast: ['postRpcBroadcastTxSync', '/rpc/broadcast_tx_sync', () => ({ tx: 'bm90aGluZw==' })],
  RpcRefusedBroadcastCommit: ['postRpcBroadcastTxCommit', '/rpc/broadcast_tx_commit', () => ({ tx: 'bm90aGluZw==' })],
  RpcRefusedCheck: ['postRpcCheckTx', '/rpc/check_tx', () => ({ tx: 'bm90aGluZw==' })],
  RpcMalformedCall: ['callRpc', '/rpc', () => '{'],
  RpcCallFailed: ['callRpc', '/rpc', () => ({ jsonrpc: '2.0', id: 1, method: 'block', params: { height: '999999' } })],
  RpcTooManyCalls: [
    'callRpc',
    '/rpc',
    () => Array.from({ length: 200 }, (_, id) => ({ jsonrpc: '2.0', id: id + 1, method: 'health' })),
  ],
  RpcNothing: ['callRpc', '/rpc', () => ({ jsonrpc: '2.0', method: 'health' })],
  RpcBroadcastRefused: [
    'callRpc',
    '/rpc',
    () => ({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'bm90aGluZw==' } }),
    'none',
  ],
};

describe('an answer of the RPC', () => {
  test.each(Object.entries(RPC_ANSWERS))(
    'reads as in the example: %s',
    async (name, [operationId, target, body, access]) => {
      expectShape(
        operationId,
        await send('POST', target, await body(), access === 'none' ? { authorization: '' } : {}),
        name,
      );
    },
  );
});

/**
 * Answers that take a chain, a machine, a token or a request in another state than here, by the tests that bring it about;
 * that these examples fit their schemas is shown by test/contract/examples.test.ts.
 */
const ELSEWHERE: Record<string, readonly string[]> = {
  'test/gateway/opening-minimum.test.ts': ['BelowOpeningMinimumProblem'],
  'test/gateway/receipt.test.ts': ['ReceiptNotReadyProblem'],
  'test/gateway/validity.test.ts': ['ExpiredTransactionDetail'],
  'test/http/answers.test.ts': [
    'EngineUnavailableProblem',
    'InternalProblem',
    'NonceTooLowProblem',
    'NotSubmitterProblem',
    'PoolFullProblem',
    'ShuttingDownProblem',
    'StoreUnavailableProblem',
    'TooManyPendingProblem',
  ],
  'test/e2e/access.test.ts': [
    'AddressOfAnOwner',
    'AddressesOfAnOwner',
    'TokenAsItIs',
    'TokenMade',
    'TokenReplaced',
    'TokensOfAnOwner',
  ],
  'test/http/access.test.ts': ['InsufficientScopeProblem', 'RateLimitedProblem'],
  'test/http/connections.test.ts': ['ServerBusyProblem'],
  'test/http/webhooks.test.ts': ['DisabledWebhook', 'LastAttempts', 'WebhookAsItIs', 'WebhookBusyProblem'],
  'test/http/event-streams.test.ts': ['EventsAsStream'],
  'test/http/events.test.ts': ['NewestEvents', 'PlaceAheadProblem'],
  'test/http/rpc.test.ts': ['RpcCallUnavailable', 'RpcEngineUnavailable'],
  // The evidence answer is that of a chain with several validators: one that signs alone refuses all evidence.
  'test/engine/rpc.test.ts': ['RpcBroadcastEvidenceExample', 'RpcCommitTimeout'],
  'test/gateway/follow.test.ts': ['ExecutedUnderAnotherSignature', 'FailedTransaction', 'SupersededTransaction'],
  // The example of the document is a stump of it.
  'test/http/operations.test.ts': ['NotReady', 'OpenMetrics', 'OpenapiInJson'],
};

describe('an example of an answer', () => {
  test('is met here, or is listed with the test that meets it', () => {
    const answers = new Set<string>(
      responses.flatMap(({ response }) =>
        Object.values<any>(response.content ?? {}).flatMap(({ examples }) => Object.keys(examples)),
      ),
    );
    expect([...answers].filter((name) => !met.has(name)).sort()).toEqual(Object.values(ELSEWHERE).flat().sort());
  });
});
