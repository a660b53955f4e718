/**
 * Methods that a stock node passes to its application: here the ledger answers itself.
 *
 * Paths of abci_query: `/store/accounts/key` and `/store/governance/key` take a key and answer its value with, if asked, a proof that a light
 * client verifies against the header after the answer's height; so without a height they answer for the last height that has one.
 * `/account` takes an address, as `data` or behind the path, and `/governance` nothing: for people, at the latest height, without proof.
 */
import { APP_PROTOCOL_VERSION } from '../../encoding/index.ts';
import {
  accountValue,
  EMPTY_ACCOUNT,
  governanceEntries,
  parseAddress,
  type ProofOp,
  type StateVersion,
  type StoreName,
} from '../../../ledger/index.ts';
import type { RpcMethod } from '../../port.ts';
import type { Arguments } from './arguments.ts';
import type { RpcContext, RpcHandler } from './context.ts';
import { badRequest } from './failure.ts';
import { base64, bytesJson } from './go-json.ts';

/** What the application calls itself. */
export const APPLICATION_NAME = 'txledger';
export const APPLICATION_VERSION = '0.1.0';

/** Longest `data` of a query, in bytes; the longest key is an address. */
const QUERY_DATA_BYTES_MAX = 256;

const QUERY_CODESPACE = 'txledger-query';
/** Codes of queries, apart from those of transactions. */
export const QUERY_CODES = { unknown_path: 1, height_not_available: 2, invalid_address: 3 } as const;

interface QueryAnswer {
  code?: number;
  log?: string;
  key?: Uint8Array;
  value?: Uint8Array;
  ops?: readonly ProofOp[];
}

function answerJson(height: number, { code = 0, log = '', key = NO_BYTES, value = NO_BYTES, ops }: QueryAnswer) {
  return {
    response: {
      code,
      log,
      info: '',
      index: '0',
      key: bytesJson(key),
      value: bytesJson(value),
      proofOps: ops ? { ops: ops.map((op) => ({ type: op.type, key: base64(op.key), data: base64(op.data) })) } : null,
      height: String(height),
      codespace: code === 0 ? '' : QUERY_CODESPACE,
    },
  };
}

const NO_BYTES = new Uint8Array(0);
const STORE_PATH = /^\/store\/(accounts|governance)\/key$/;
const ACCOUNT_PATH = /^\/account(?:\/([a-z0-9]+))?$/;

function refuse(code: keyof typeof QUERY_CODES, log: string): QueryAnswer {
  return { code: QUERY_CODES[code], log };
}

function queryStore(state: StateVersion, store: StoreName, key: Uint8Array, prove: boolean): QueryAnswer {
  const found = state.prove(store, key);
  if (!found) return { key, log: 'there is no such key' };
  return { key, value: found.value, ...(prove ? { ops: found.ops } : {}) };
}

function queryAccount({ genesis }: RpcContext, state: StateVersion, address: string): QueryAnswer {
  const parsed = parseAddress(address, genesis.addressPrefix);
  if (!parsed.ok) return refuse('invalid_address', parsed.message);
  // Who never received anything has an empty account.
  return { key: Buffer.from(address), value: Buffer.from(accountValue(state.account(address) ?? EMPTY_ACCOUNT)) };
}

function queryGovernance(state: StateVersion): QueryAnswer {
  const entries = governanceEntries(state.governance()).map(([key, value]) => `"${key}":${value}`);
  return { value: Buffer.from(`{${entries.join(',')}}`) };
}

function abciQuery(context: RpcContext, args: Arguments) {
  const { state } = context.chain;
  const [path, data] = [args.text('path'), args.bytes('data')];
  if (data.length > QUERY_DATA_BYTES_MAX) throw badRequest(`data has ${data.length} bytes, at most ${QUERY_DATA_BYTES_MAX} are read`);
  const store = STORE_PATH.exec(path)?.[1] as StoreName | undefined;
  const account = ACCOUNT_PATH.exec(path);
  if (!store && !account && path !== '/governance') return answerJson(state.height, refuse('unknown_path', `unknown path ${path}`));

  const asked = args.integer('height');
  const provable = Math.max(state.height - 1, state.oldestHeight);
  const height = asked === 0n ? (store ? provable : state.height) : Number(asked);
  const version = state.at(height);
  if (!version) {
    const log = `height ${asked} is not available, this node answers for ${state.oldestHeight} to ${state.height}`;
    return answerJson(state.height, refuse('height_not_available', log));
  }
  if (store) return answerJson(height, queryStore(version, store, data, args.boolean('prove')));
  if (!account) return answerJson(height, queryGovernance(version));
  return answerJson(height, queryAccount(context, version, account[1] ?? Buffer.from(data).toString('latin1')));
}

function abciInfo({ chain }: RpcContext) {
  const { height, appHash } = chain.tip;
  return {
    response: {
      data: APPLICATION_NAME,
      version: APPLICATION_VERSION,
      app_version: String(APP_PROTOCOL_VERSION),
      ...(height === 0 ? {} : { last_block_height: String(height), last_block_app_hash: base64(appHash) }),
    },
  };
}

export const ABCI_METHODS = { abci_info: abciInfo, abci_query: abciQuery } satisfies Partial<Record<RpcMethod, RpcHandler>>;
