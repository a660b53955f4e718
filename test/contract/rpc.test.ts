/**
 * The RPC of the chain in the contract: every method of a stock CometBFT v0.38 node that is safe to offer, by GET and
 * by POST, with its parameters in CometBFT's order, and the one exemption from problem details.
 */
import { describe, expect, test } from '@jest/globals';
import { codesOf, contract, isEnvelope, operations as all, resolve } from './support/contract.ts';

/** CometBFT v0.38 rpc/core/routes.go; `!` stands behind what a caller must give, `*` before a method that can answer 404. */
const METHODS: Record<string, Record<string, string>> = {
  'RPC ABCI': { abci_info: '', abci_query: 'path! data height prove' },
  'RPC Blocks': {
    '*block': 'height',
    block_by_hash: 'hash!',
    '*block_results': 'height',
    block_search: 'query! page per_page order_by',
    blockchain: 'minHeight maxHeight',
    '*commit': 'height',
    '*header': 'height',
    header_by_hash: 'hash!',
  },
  'RPC Consensus': {
    '*consensus_params': 'height',
    consensus_state: '',
    dump_consensus_state: '',
    genesis: '',
    '*genesis_chunked': 'chunk',
  },
  'RPC Transactions': {
    '*tx': 'hash! prove',
    tx_search: 'query! prove page per_page order_by',
    check_tx: 'tx!',
    broadcast_tx_async: 'tx!',
    broadcast_tx_sync: 'tx!',
    broadcast_tx_commit: 'tx!',
    broadcast_evidence: 'evidence!',
  },
  'RPC Network': {
    health: '',
    net_info: '',
    num_unconfirmed_txs: '',
    status: '',
    unconfirmed_txs: 'limit',
    '*validators': 'height page per_page',
  },
};

const methods = Object.entries(METHODS).flatMap(([tag, group]) =>
  Object.entries(group).map(([marked, parameters]) => ({
    method: marked.replace('*', ''),
    tag,
    parameters,
    has404: marked.startsWith('*'),
    isBroadcast: marked.startsWith('broadcast_'),
  })),
);

const operations = all.filter(({ path }) => /^\/rpc(\/|$)/.test(path));
const operationAt = (verb: string, path: string) =>
  operations.find((found) => found.method === verb && found.path === path)!.operation;
const pascalCase = (method: string) =>
  method.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
const PUBLIC = [{}, { bearerAuth: [] }, { basicAuth: [] }];
const BROADCASTING = [{ bearerAuth: [] }, { basicAuth: [] }];
const STATUSES = [200, 400, 401, 503];
/** A broadcast may be refused for its owner, and there may be too many pending. */
const BROADCAST_STATUSES = [403, 429];

describe('the RPC', () => {
  test('has GET and POST for each of the 28 methods, JSON-RPC, and nothing else', () => {
    const expected = methods.flatMap(({ method }) => [`get /rpc/${method}`, `post /rpc/${method}`]);
    expect(methods).toHaveLength(28);
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...expected, 'post /rpc'].sort());
  });

  test.each(methods)('$method takes the parameters of CometBFT by GET and by POST', ({ method, parameters }) => {
    const mark = (name: string, isRequired: boolean) => `${name}${isRequired ? '!' : ''}`;
    const query = operationAt('get', `/rpc/${method}`)
      .parameters.map(resolve)
      .filter((parameter: any) => parameter.in === 'query');
    expect(query.map((parameter: any) => mark(parameter.name, parameter.required)).join(' ')).toBe(parameters);
    const { properties = {}, required = [] } = resolve(
      resolve(operationAt('post', `/rpc/${method}`).requestBody).content['application/json'].schema,
    );
    expect(
      Object.keys(properties)
        .map((name) => mark(name, required.includes(name)))
        .join(' '),
    ).toBe(parameters);
  });

  test.each(methods)('$method has its names, tag, access and statuses', ({ method, tag, has404, isBroadcast }) => {
    for (const verb of ['get', 'post']) {
      const operation = operationAt(verb, `/rpc/${method}`);
      expect(operation).toMatchObject({
        operationId: `${verb}Rpc${pascalCase(method)}`,
        'x-rpc-method': method,
        tags: [tag],
      });
      expect(operation.security).toEqual(isBroadcast ? BROADCASTING : PUBLIC);
      expect(operation['x-scopes']).toEqual(isBroadcast ? ['rpc:broadcast'] : undefined);
      const statuses = [...STATUSES, ...(has404 ? [404] : []), ...(isBroadcast ? BROADCAST_STATUSES : [])];
      expect(Object.keys(operation.responses)).toEqual([...statuses.toSorted((a, b) => a - b).map(String), 'default']);
    }
  });

  test.each(methods)('$method answers the same by GET and by POST', ({ method }) => {
    const [get, post] = ['get', 'post'].map((verb) => operationAt(verb, `/rpc/${method}`).responses);
    expect(get).toEqual(post);
  });

  test('takes JSON-RPC from everybody, and leaves it to the request whether a token is needed', () => {
    const operation = operationAt('post', '/rpc');
    expect(operation).toMatchObject({ operationId: 'callRpc', tags: ['RPC'], security: PUBLIC });
    expect(Object.keys(operation.responses)).toEqual([...STATUSES.map(String), 'default']);
  });

  test.each(operations)(
    '$id tells 400, 404 and 503 in the envelope and every other error as a problem',
    ({ operation }) => {
      for (const [status, reference] of Object.entries(operation.responses).filter(
        ([status]) => Number(status) >= 400,
      )) {
        const response = resolve(reference);
        const isMethods = ['400', '404', '503'].includes(status);
        expect({ status, isEnvelope: isEnvelope(response), hasCodes: codesOf(response).length > 0 }).toEqual({
          status,
          isEnvelope: isMethods,
          // A connection too many is refused before its request is read: a problem under every path.
          hasCodes: !isMethods || status === '503',
        });
        if (status === '503') expect(codesOf(response)).toEqual(['server_busy']);
      }
    },
  );

  test('keeps its form to itself: nothing outside it uses its components', () => {
    const outside = all.filter(({ path }) => !/^\/rpc(\/|$)/.test(path));
    const reached = outside.flatMap(({ operation }) => [...componentsOf(operation)]);
    expect(reached).toContain('#/components/schemas/Problem');
    expect(reached.filter((name) => /\/Rpc[A-Z]/.test(name))).toEqual([]);
  });

  test('offers no method that a stock node calls unsafe, and none that needs a websocket', () => {
    const offered = methods.map(({ method }) => method).join();
    expect(offered).not.toMatch(/unsafe|dial_|subscribe/);
  });

  test('says where the websocket is and what it takes', () => {
    const { description } = contract.tags.find(({ name }: any) => name === 'RPC');
    for (const word of [
      '/rpc/websocket',
      'subscribe',
      'unsubscribe',
      'unsubscribe_all',
      'NewBlock',
      'NewBlockHeader',
      'Tx',
      'ValidatorSetUpdates',
    ]) {
      expect(description).toContain(`\`${word}\``);
    }
  });
});

/** Every component that a part of the contract refers to, directly or through others. */
function componentsOf(part: any, found = new Set<string>()): Set<string> {
  for (const [, reference] of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (reference !== undefined && !found.has(reference)) {
      found.add(reference);
      componentsOf(resolve({ $ref: reference }), found);
    }
  }
  return found;
}
