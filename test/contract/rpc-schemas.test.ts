/**
 * What the schemas of the RPC take and refuse. Their examples are answers recorded from a stock CometBFT v0.38.26 node;
 * its published OpenAPI description tells other types in more than a hundred places, and those must not fit.
 */
import { describe, expect, test } from '@jest/globals';
import { contract, example, operations, violations } from './support/contract.ts';

/** A fresh copy of an example with one change: a value at a path, or without the member if the value is undefined. */
function changed(name: string, path: string, value: unknown): any {
  const copy = example(name);
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce((node, key) => node[key], copy);
  if (value === undefined) {
    delete parent[last];
  } else {
    parent[last] = value;
  }
  return copy;
}

describe('an answer of the RPC', () => {
  test.each<[string, string, unknown]>([
    ['BroadcastTxSync', 'result.code', '0'],
    ['BroadcastTxSync', 'error', ''],
    ['BroadcastTxAsync', 'result.code', '0'],
    ['BroadcastTxCommit', 'result.check_tx.code', '0'],
    ['BroadcastTxCommit', 'result.check_tx.info', undefined],
    ['BroadcastTxCommit', 'result.check_tx.codespace', undefined],
    ['BroadcastTxCommit', 'result.tx_result', undefined],
    ['BroadcastTxCommit', 'result.deliver_tx', {}],
    ['BroadcastTxCommit', 'result.height', 4],
    ['CheckTx', 'result.code', '0'],
    ['CheckTx', 'result.gas_wanted', 1],
    ['Blockchain', 'result.block_metas.0.block_size', 874],
    ['Blockchain', 'result.last_height', 7],
    ['Header', 'result', undefined],
    ['Header', 'result.header.height', 4],
    ['Block', 'result.block.last_commit.height', 3],
    ['Block', 'result.block.last_commit.round', '0'],
    ['Block', 'result.block.last_commit.signatures.0.type', 2],
    ['Block', 'result.block.last_commit.signatures.0.block_id_flag', undefined],
    ['Block', 'result.block.last_commit.signatures.0.block_id_flag', 0],
    ['Block', 'result.block_id.parts.total', '1'],
    ['BlockResults', 'result.app_hash', undefined],
    ['BlockResults', 'result.txs_results.0.code', '0'],
    ['Genesis', 'result.genesis.consensus_params.block.time_iota_ms', '1'],
    ['Genesis', 'result.genesis.consensus_params.evidence.max_age', '1'],
    ['Genesis', 'result.genesis.consensus_params.evidence.max_bytes', undefined],
    ['GenesisChunked', 'result.chunk', 0],
    ['GenesisChunked', 'result.total', 1],
    ['DumpConsensusState', 'result.round_state.valid_round', '-1'],
    ['DumpConsensusState', 'result.round_state.valid_block', undefined],
    ['DumpConsensusState', 'result.round_state.votes.0.round', '0'],
    ['ConsensusParams', 'result.consensus_params.abci', undefined],
    ['ConsensusParams', 'result.consensus_params.version', undefined],
    ['NumUnconfirmedTxs', 'result.txs', undefined],
    ['NumUnconfirmedTxs', 'result.n_txs', 4],
    ['UnconfirmedTxs', 'result.txs', null],
    ['TxSearch', 'result.txs.0.tx_result.tags', []],
    ['TxSearch', 'result.txs.0.tx_result.code', undefined],
    ['TxSearch', 'result.txs.0.proof', { RootHash: '', Data: '', Proof: {} }],
    ['TxSearch', 'result.total_count', 6],
    ['BlockSearch', 'result.total_count', 6],
    ['Tx', 'result.index', '0'],
    ['Tx', 'result.hash', 'c2fdb57e95af8ceeaf8ae252d5851a3d1c3fc0ee884467fa4b2a86cb0c45136a'],
    ['Tx', 'result.proof.proof.total', 1],
    ['AbciQuery', 'result.response.code', '0'],
    ['AbciQuery', 'result.response.proofOps', undefined],
    ['AbciQuery', 'result.response.proof', null],
    ['Status', 'result.sync_info.latest_block_height', 7],
    ['Validators', 'result.count', 1],
    ['Health', 'id', 1],
    ['Health', 'id', '-1'],
    ['Health', 'jsonrpc', '1.0'],
    ['Health', 'result.status', 'ok'],
  ])('of %s is refused with %s as %j', (method, path, value) => {
    expect(violations(answerOf(method), example(`Rpc${method}Example`))).toEqual([]);
    expect(violations(answerOf(method), changed(`Rpc${method}Example`, path, value))).not.toEqual([]);
  });

  test.each<[string, string, unknown]>([
    ['Block', 'result.block', null],
    ['BlockByHash', 'result.block', null],
    ['Commit', 'result', null],
    ['Header', 'result.header', null],
    ['HeaderByHash', 'result.header', null],
    ['BlockResults', 'result.txs_results', null],
    ['BlockResults', 'result.finalize_block_events', []],
    [
      'BlockResults',
      'result.validator_updates',
      [{ pub_key: { Sum: { type: 'tendermint.crypto.PublicKey_Ed25519', value: { ed25519: 'dw7k' } } } }],
    ],
    ['CheckTx', 'result.data', 'eyJ9'],
    ['Tx', 'result.proof', undefined],
    ['Tx', 'result.proof.proof.aunts', ['fSz5b8lr/BTdWqRc6KI+QA8pYZ9O9uMmpO3sOKbrjjU=']],
    ['TxSearch', 'result.txs', []],
    ['AbciInfo', 'result.response.last_block_height', undefined],
    ['AbciQuery', 'result.response.proofOps', { ops: [{ type: 'simple:v', key: 'dHg=', data: 'dHg=' }] }],
    [
      'Block',
      'result.block.last_commit.signatures.0',
      { block_id_flag: 1, validator_address: '', timestamp: '0001-01-01T00:00:00Z', signature: null },
    ],
    ['Block', 'result.block.header.last_block_id', { hash: '', parts: { total: 0, hash: '' } }],
    ['DumpConsensusState', 'result.round_state.proposal', { Type: 32, height: '8' }],
    ['DumpConsensusState', 'result.round_state.last_commit', null],
    ['DumpConsensusState', 'result.round_state.last_validators', { validators: [], proposer: null }],
  ])('of %s is taken with %s as %j', (method, path, value) => {
    expect(violations(answerOf(method), changed(`Rpc${method}Example`, path, value))).toEqual([]);
  });

  test('that fails has code and message, and no result', () => {
    expect(violations('RpcFailure', changed('RpcUnknownHeight', 'result', {}))).not.toEqual([]);
    expect(violations('RpcFailure', changed('RpcUnknownHeight', 'error.code', undefined))).not.toEqual([]);
    expect(violations('RpcFailure', changed('RpcUnknownHeight', 'error.data', undefined))).toEqual([]);
    expect(
      violations('RpcHealthAnswer', changed('RpcHealthExample', 'error', { code: -32603, message: 'Internal error' })),
    ).not.toEqual([]);
  });
});

/** Members that a stock node or a genesis file leaves out, and objects whose members are its debug output and nobody's promise. */
const OPTIONAL = /\.(proof|last_block_height|last_block_app_hash|app_state|openingMinimum|rules)$/;
const OPEN = /\.peer_maj_23s$/;

const methods = operations
  .filter(({ path, method }) => method === 'get' && path.startsWith('/rpc/'))
  .map(({ id }) => id.replace('getRpc', ''));

/** The path of every member in a value, through the first item of each array. */
function members(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : members(value[0], `${path}.0`);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, member]) => [`${path}.${name}`, ...members(member, `${path}.${name}`)]);
}

describe('every member of an answer of the RPC', () => {
  test.each(methods)('of %s is needed, has one type, and has no neighbours that are not in the contract', (method) => {
    const name = `Rpc${method}Example`;
    const fits = (path: string, value: unknown) =>
      violations(answerOf(method), changed(name, path.slice(1), value)).length === 0;
    const all = members(example(name));
    expect(all.length).toBeGreaterThan(2);
    expect(all.filter((path) => !OPTIONAL.test(path) && fits(path, undefined))).toEqual([]);
    // No member of any answer is a truth value and a text at once, nor ever a number with a fraction.
    expect(all.filter((path) => fits(path, 0.5))).toEqual([]);
    expect(all.filter((path) => fits(path, 'no such value') && fits(path, true))).toEqual([]);
    const objects = all.filter((path) => isObject(valueAt(example(name), path)));
    expect(objects.filter((path) => !OPEN.test(path) && fits(`${path}.surplus`, 'x'))).toEqual([]);
  });
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: any, path: string): unknown {
  return path
    .slice(1)
    .split('.')
    .reduce((node, key) => node[key], value);
}

/** broadcast_tx_async and broadcast_tx_sync share their answer. */
function answerOf(method: string): string {
  return /^BroadcastTx(Async|Sync)$/.test(method) ? 'RpcBroadcastAnswer' : `Rpc${method}Answer`;
}

describe('a parameter in a query string', () => {
  test.each<[string, string[], string[]]>([
    [
      'RpcHeightText',
      ['4', '"4"', '9223372036854775807'],
      ['', '0', '-1', '+4', '04', '4.0', '1e3', '0x4', '"4', "'4'", 'abc', '4\n', ' 4'],
    ],
    ['RpcCountText', ['0', '"0"', '4', '"30"'], ['', '-1', '00', 'true', '"']],
    [
      'RpcHashText',
      [`0x${'aB'.repeat(32)}`, `0X${'00'.repeat(32)}`],
      ['zz', 'AB'.repeat(32), `0x${'AB'.repeat(31)}`, `"${'a'.repeat(32)}"`],
    ],
    [
      'RpcBytesText',
      ['0x', '0xAbcd', '""', '"text"', '"{\\"amount\\":\\"1\\"}"'],
      ['', 'abcd', '0xabc', '0xzz', '"', '"a"b"', '"a\\"'],
    ],
    ['RpcPathText', ['"/account"', '"/store/accounts/key"'], ['/account', "'/account'", '"/account']],
    [
      'RpcQueryText',
      ['"tx.height=4"', `"tx.hash='${'A'.repeat(64)}'"`, `"${'a'.repeat(512)}"`],
      ['tx.height=4', `"${'a'.repeat(513)}"`],
    ],
    ['RpcOrderText', ['"asc"', '"desc"'], ['asc', '"ASC"', '""']],
  ])('%s takes what CometBFT documents and nothing else', (schema, taken, refused) => {
    for (const text of taken) {
      expect({ text, violations: violations(schema, text) }).toEqual({ text, violations: [] });
    }
    for (const text of refused) {
      expect({ text, isRefused: violations(schema, text).length > 0 }).toEqual({ text, isRefused: true });
    }
  });
});

describe('a parameter that is a JSON string in a query string', () => {
  test('may carry slashes, equals signs and quotes unescaped, as the examples of CometBFT do', () => {
    const parameters = Object.values<any>(contract.components.parameters);
    const quoted = parameters.filter(
      ({ in: place, example: text }) => place === 'query' && /^["{].*[=/,']/.test(String(text)),
    );
    expect(quoted.map(({ name }) => name).sort()).toEqual(['evidence', 'path', 'query', 'tx']);
    expect(quoted.filter(({ allowReserved }) => allowReserved !== true)).toEqual([]);
  });
});

describe('parameters in a JSON object', () => {
  const BASE64_HASH = 'wv21fpWvjO6viuJS1YUaPRw/wO6IRGf6SyqGywxFE2o=';

  test.each<[string, unknown]>([
    ['RpcNoParams', {}],
    ['RpcHeightParams', {}],
    ['RpcHeightParams', { height: '4' }],
    ['RpcTxParams', { hash: BASE64_HASH }],
    ['RpcHeaderByHashParams', { hash: 'ab'.repeat(32) }],
    ['RpcAbciQueryParams', { path: '/account', data: '', height: '0', prove: false }],
    ['RpcTxSearchParams', { query: 'tx.height=4', prove: true, page: '1', per_page: '100', order_by: 'asc' }],
  ])('%s takes %j', (schema, value) => {
    expect(violations(schema, value)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['RpcNoParams', { height: '4' }],
    ['RpcHeightParams', { height: 4 }],
    ['RpcHeightParams', { height: '0' }],
    ['RpcHeightParams', { height: '-1' }],
    ['RpcHeightParams', { height: null }],
    ['RpcHeightParams', { hight: '4' }],
    ['RpcHeightParams', ['4']],
    ['RpcTxParams', {}],
    ['RpcTxParams', { hash: 'ab'.repeat(32) }],
    ['RpcTxParams', { hash: BASE64_HASH, prove: 'true' }],
    ['RpcBlockByHashParams', { hash: 'ab'.repeat(32) }],
    ['RpcHeaderByHashParams', { hash: BASE64_HASH }],
    ['RpcTransactionParams', { tx: '!!notbase64' }],
    ['RpcTransactionParams', {}],
    ['RpcAbciQueryParams', { path: '/account', data: 'zz' }],
    ['RpcTxSearchParams', { query: 'tx.height>0', order_by: 'x' }],
    ['RpcTxSearchParams', { query: 'a'.repeat(513) }],
    ['RpcBroadcastEvidenceParams', { evidence: null }],
  ])('%s refuses %j', (schema, value) => {
    expect(violations(schema, value)).not.toEqual([]);
  });
});

describe('JSON-RPC', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'health' };

  test.each<[string, unknown]>([
    ['without a version', { id: 1, method: 'health' }],
    ['of another version', { ...call, jsonrpc: '1.0' }],
    ['with text as its id', { ...call, id: 'abc' }],
    ['with a fraction as its id', { ...call, id: 1.5 }],
    ['without an id, a notification', { jsonrpc: '2.0', method: 'health' }],
    ['of a method that does not exist', { ...call, method: 'nope', params: {} }],
    ['with parameters in order', { ...call, method: 'block', params: ['4'] }],
    ['with parameters that are neither object nor array', { ...call, method: 'block', params: 'x' }],
    ['with members that nobody knows', { ...call, extra: true }],
  ])('takes a request %s, as a stock node does', (_what, value) => {
    expect(violations('RpcCall', value)).toEqual([]);
    expect(violations('RpcCallBatch', [value, value])).toEqual([]);
  });

  test('takes an empty batch and one that is too long, which are answered in its own way', () => {
    expect(violations('RpcCallBatch', [])).toEqual([]);
    expect(
      violations(
        'RpcCallBatch',
        Array.from({ length: 11 }, () => call),
      ),
    ).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['text', 'x'],
    ['an id that is an object', { ...call, id: {} }],
    ['a method that is a number', { ...call, method: 1 }],
  ])('refuses %s', (_what, value) => {
    expect(violations('RpcCall', value)).not.toEqual([]);
  });

  test('answers a result or an error, under an id that is text or an integer', () => {
    const reply = { jsonrpc: '2.0', id: 'abc', result: {} };
    const error = { code: -32601, message: 'Method not found' };
    expect(violations('RpcReply', reply)).toEqual([]);
    expect(violations('RpcReply', { ...reply, error })).not.toEqual([]);
    expect(violations('RpcReply', { ...reply, id: 1.5 })).not.toEqual([]);
    expect(violations('RpcErrorReply', { jsonrpc: '2.0', error })).toEqual([]);
    expect(violations('RpcErrorReply', { ...reply, error })).not.toEqual([]);
  });

  test('answers at most ten entries, and one alone as an object', () => {
    const reply = { jsonrpc: '2.0', id: 1, result: {} };
    expect(
      violations(
        'RpcReplyBatch',
        Array.from({ length: 10 }, () => reply),
      ),
    ).toEqual([]);
    expect(
      violations(
        'RpcReplyBatch',
        Array.from({ length: 11 }, () => reply),
      ),
    ).not.toEqual([]);
    expect(violations('RpcReplyBatch', [reply])).not.toEqual([]);
    expect(
      violations('RpcReplyBatch', [reply, { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } }]),
    ).toEqual([]);
    expect(violations('RpcReplyBatch', [reply, { ...reply, extra: 1 }])).not.toEqual([]);
  });
});
