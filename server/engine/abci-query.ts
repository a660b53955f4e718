/**
 * ABCI Info and Query for both engines: the application's description of itself, and reads of its state.
 *
 * Paths: `/store/accounts/key` and `/store/governance/key` take a key and answer its value with, if requested, a proof that a light client
 * verifies against the header after the answer's height; so without a height they answer for the last height that has one.
 * `/account` takes an address, as `data` or after the path, and `/governance` nothing: for people, at the latest height, without proof.
 * `/check_tx` takes a transaction and answers `{"code","log"}` as CheckTx would, and keeps nothing: CometBFT's own check_tx method runs the
 * real CheckTx, so that anyone with read access could fill a mempool's nonces with it.
 * Behind a node `/results/codes` gives gateways the results of a block (cometbft/block-codes.ts); the embedded engine, which no gateway
 * follows, does not have it.
 */
import {
  accountValue,
  EMPTY_ACCOUNT,
  governanceEntries,
  type LedgerState,
  parseAddress,
  type ProofOp,
  type StateVersion,
  type StoreName,
} from '../ledger/index.ts';

/** Name of the application in its answer to Info. */
export const APPLICATION_NAME = 'txledger';
export const APPLICATION_VERSION = '0.1.0';

/** Longest `data` of a query, in bytes; the longest key is an address. */
export const QUERY_DATA_BYTES_MAX = 256;

const QUERY_CODESPACE = 'txledger-query';
/** Codes of queries, apart from those of transactions. */
export const QUERY_CODES = { unknown_path: 1, height_not_available: 2, invalid_address: 3, data_too_long: 4 } as const;
export type QueryCodeName = keyof typeof QUERY_CODES;

export interface AbciQuery {
  readonly path: string;
  readonly data: Uint8Array;
  /** 0 means the newest height that can be answered. */
  readonly height: bigint;
  readonly prove: boolean;
}

export interface AbciQueryAnswer {
  /** 0, or one of QUERY_CODES. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly ops: readonly ProofOp[] | undefined;
  readonly height: number;
}

/** Returns CheckTx's answer to these bytes now, without keeping them. */
export type JudgeTransaction = (raw: Uint8Array) => { readonly code: number; readonly log: string };

type Found = Partial<Pick<AbciQueryAnswer, 'log' | 'key' | 'value' | 'ops'>>;
type Refused = { readonly refused: QueryCodeName; readonly log: string };

const NO_BYTES = new Uint8Array(0);
const STORE_PATH = /^\/store\/(accounts|governance)\/key$/;
const ACCOUNT_PATH = /^\/account(?:\/([a-z0-9]+))?$/;

export const CHECK_TX_PATH = '/check_tx';

/**
 * The reason why `data` is not read; undefined when it is. A transport that can refuse a request does so with this text. A transaction has
 * a limit of its own.
 */
export function queryDataFault({ path, data }: Pick<AbciQuery, 'path' | 'data'>): string | undefined {
  return path !== CHECK_TX_PATH && data.length > QUERY_DATA_BYTES_MAX
    ? `data has ${data.length} bytes, at most ${QUERY_DATA_BYTES_MAX} are read`
    : undefined;
}

export function refuseQuery(height: number, name: QueryCodeName, log: string): AbciQueryAnswer {
  return {
    code: QUERY_CODES[name],
    codespace: QUERY_CODESPACE,
    log,
    key: NO_BYTES,
    value: NO_BYTES,
    ops: undefined,
    height,
  };
}

function queryStore(state: StateVersion, store: StoreName, key: Uint8Array, prove: boolean): Found {
  const found = state.prove(store, key);
  if (!found) return { key, log: 'there is no such key' };
  return { key, value: found.value, ...(prove ? { ops: found.ops } : {}) };
}

function queryAccount({ chain }: LedgerState, state: StateVersion, address: string): Found | Refused {
  const parsed = parseAddress(address, chain.addressPrefix);
  if (!parsed.ok) return { refused: 'invalid_address', log: parsed.message };
  // An address that never received anything has an empty account.
  return { key: Buffer.from(address), value: Buffer.from(accountValue(state.account(address) ?? EMPTY_ACCOUNT)) };
}

function queryGovernance(state: StateVersion): Found {
  const entries = governanceEntries(state.governance()).map(([key, value]) => `"${key}":${value}`);
  return { value: Buffer.from(`{${entries.join(',')}}`) };
}

/**
 * Answers from a state whose newest height is `latest`: lower than the state's own while a block is executed that is not committed yet. An
 * answer never throws.
 */
export function answerAbciQuery(
  state: LedgerState,
  latest: number,
  query: AbciQuery,
  judge: JudgeTransaction,
): AbciQueryAnswer {
  const { path, data, height: asked, prove } = query;
  const fault = queryDataFault(query);
  if (fault !== undefined) return refuseQuery(latest, 'data_too_long', fault);
  if (path === CHECK_TX_PATH) {
    const { code, log } = judge(data);
    return {
      code: 0,
      codespace: '',
      log: '',
      key: NO_BYTES,
      value: Buffer.from(JSON.stringify({ code, log })),
      ops: undefined,
      height: latest,
    };
  }
  const store = STORE_PATH.exec(path)?.[1] as StoreName | undefined;
  const account = ACCOUNT_PATH.exec(path);
  if (!store && !account && path !== '/governance') return refuseQuery(latest, 'unknown_path', `unknown path ${path}`);

  const provable = Math.max(latest - 1, state.oldestHeight);
  const height = asked === 0n ? (store ? provable : latest) : Number(asked);
  const version = height <= latest ? state.at(height) : undefined;
  if (!version) {
    const log = `height ${asked} is not available, this node answers for ${state.oldestHeight} to ${latest}`;
    return refuseQuery(latest, 'height_not_available', log);
  }
  let found: Found | Refused;
  if (store) found = queryStore(version, store, data, prove);
  else if (account) found = queryAccount(state, version, account[1] ?? Buffer.from(data).toString('latin1'));
  else found = queryGovernance(version);
  if ('refused' in found) return refuseQuery(height, found.refused, found.log);
  return { code: 0, codespace: '', log: '', key: NO_BYTES, value: NO_BYTES, ops: undefined, ...found, height };
}
