/**
 * The chain's RPC as a port: CometBFT v0.38's methods, their parameters, and the form of an answer.
 *
 * Reading parameters (text of a query string, JSON of a body) and wrapping answers (envelope, HTTP status) belong to the transports; the
 * engine takes decoded arguments and returns the text of "result", so that an answer is made once and copied. Names, order and types of the
 * parameters are those of CometBFT v0.38 rpc/core/routes.go.
 */

export type RpcMethod =
  | 'abci_info'
  | 'abci_query'
  | 'block'
  | 'block_by_hash'
  | 'block_results'
  | 'block_search'
  | 'blockchain'
  | 'broadcast_evidence'
  | 'broadcast_tx_async'
  | 'broadcast_tx_commit'
  | 'broadcast_tx_sync'
  | 'check_tx'
  | 'commit'
  | 'consensus_params'
  | 'consensus_state'
  | 'dump_consensus_state'
  | 'genesis'
  | 'genesis_chunked'
  | 'header'
  | 'header_by_hash'
  | 'health'
  | 'net_info'
  | 'num_unconfirmed_txs'
  | 'status'
  | 'tx'
  | 'tx_search'
  | 'unconfirmed_txs'
  | 'validators';

/**
 * Type of a parameter, as Go declares it: `int64`, `int` and `uint` are integers (strings in JSON); `string` text; `bool` a boolean;
 * `hexbytes` bytes that JSON writes in hex (HexBytes); `bytes` bytes that JSON writes in base64 ([]byte); `tx` the same for a transaction
 * (types.Tx); `evidence` an object in CometBFT's tagged JSON.
 */
export type RpcParamType = 'int64' | 'int' | 'uint' | 'bool' | 'string' | 'hexbytes' | 'bytes' | 'tx' | 'evidence';

export interface RpcParamSpec {
  name: string;
  type: RpcParamType;
  /** A pointer in Go: absent is not the same as zero. Any other parameter that is absent has Go's zero value. */
  optional: boolean;
}

export interface RpcMethodSpec {
  /** In CometBFT's order, which is the order of positional parameters. */
  params: readonly RpcParamSpec[];
}

/**
 * Decoded arguments by name. Integers are numbers where they are safe integers and bigints beyond; bytes are bytes;
 * evidence is the text of its JSON. Absent ones of any type are undefined: the engine puts Go's zero value.
 */
export type RpcArguments = Record<string, number | bigint | boolean | string | Uint8Array | undefined>;

export interface RpcError {
  /** JSON-RPC: -32603 internal error, -32602 invalid params. */
  code: number;
  message: string;
  data: string;
}

/**
 * `json` is the text of "result". A failure carries CometBFT's error unchanged, and the correct HTTP status for transports that may choose
 * one: 400 the request is wrong, 404 what it names does not exist, 503 not now, 500 a fault of the service.
 */
export type RpcOutcome = { ok: true; json: string } | { ok: false; status: 400 | 404 | 500 | 503; error: RpcError };

export type RpcEventType = 'NewBlock' | 'NewBlockHeader' | 'Tx' | 'ValidatorSetUpdates';

/** A query that events are matched with, under a number that the subscriber chose. */
export interface RpcQuery {
  id: number;
  query: string;
}

/**
 * Changes to the set of queries since the call before. The engine keeps the set, so that a query crosses the port once and not with every
 * block; both sides name the set by a version, so that neither can continue with another set than the other has.
 */
export interface RpcQueryChange {
  /** The version that this changes. 0 is the empty set: the engine then drops all queries that it had. */
  base: number;
  /** The version afterwards; `base` again when nothing changed. */
  version: number;
  added: readonly RpcQuery[];
  removed: readonly number[];
}

export interface RpcEventsRequest {
  fromHeight: number;
  /** The most blocks to read. */
  limit: number;
  queries: RpcQueryChange;
}

/** One event that a query matched. Its texts are made once, however many queries it matched. */
export interface RpcEvent {
  type: RpcEventType;
  /** The text of "data": `{"type":"tendermint/event/...","value":{...}}`. */
  data: string;
  /** The text of "events": composite keys and their values, `tm.event` among them. */
  events: string;
  /** The queries that it matched. */
  queries: number[];
}

/** The events of one block that match the queries, in the order in which CometBFT publishes them. */
export interface RpcBlockEvents {
  height: number;
  events: RpcEvent[];
  /** Queries that were too costly to match in this block: the engine has dropped them, and their events end here. */
  ended: number[];
}

/** `known: false`: the engine has another set of queries than the change starts from; send the whole set on base 0. */
export type RpcEventsAnswer =
  | { known: false }
  | {
      known: true;
      /** The first height that was not read. */
      nextHeight: number;
      /** Only blocks that matched a query or ended one. */
      blocks: RpcBlockEvents[];
    };

/** The RPC of an engine, for the transports; part of the engine port. */
export interface RpcEngine {
  /**
   * Answers one method. broadcast_tx_* return the mempool's answer; following the transaction is the caller's task. Never rejects while the
   * engine is open.
   */
  rpc(method: RpcMethod, args: RpcArguments): Promise<RpcOutcome>;
  /**
   * Returns events of the blocks from a height on that match the queries, in order. May read fewer blocks than `limit`. There is one set of
   * queries: a second subscriber would have to send the whole set with each call.
   */
  events(request: RpcEventsRequest): Promise<RpcEventsAnswer>;
}

const HEIGHT: RpcParamSpec = { name: 'height', type: 'int64', optional: true };
const TX: RpcParamSpec = { name: 'tx', type: 'tx', optional: false };
const PROVE: RpcParamSpec = { name: 'prove', type: 'bool', optional: false };
const QUERY: RpcParamSpec = { name: 'query', type: 'string', optional: false };
const PAGES: readonly RpcParamSpec[] = [
  { name: 'page', type: 'int', optional: true },
  { name: 'per_page', type: 'int', optional: true },
];
const ORDER: RpcParamSpec = { name: 'order_by', type: 'string', optional: false };

const method = (...params: readonly RpcParamSpec[]): RpcMethodSpec => ({ params });

export const RPC_METHODS: Readonly<Record<RpcMethod, RpcMethodSpec>> = {
  abci_info: method(),
  abci_query: method(
    { name: 'path', type: 'string', optional: false },
    { name: 'data', type: 'hexbytes', optional: false },
    { name: 'height', type: 'int64', optional: false },
    PROVE,
  ),
  block: method(HEIGHT),
  block_by_hash: method({ name: 'hash', type: 'bytes', optional: false }),
  block_results: method(HEIGHT),
  block_search: method(QUERY, ...PAGES, ORDER),
  blockchain: method(
    { name: 'minHeight', type: 'int64', optional: false },
    { name: 'maxHeight', type: 'int64', optional: false },
  ),
  broadcast_evidence: method({ name: 'evidence', type: 'evidence', optional: false }),
  broadcast_tx_async: method(TX),
  broadcast_tx_commit: method(TX),
  broadcast_tx_sync: method(TX),
  check_tx: method(TX),
  commit: method(HEIGHT),
  consensus_params: method(HEIGHT),
  consensus_state: method(),
  dump_consensus_state: method(),
  genesis: method(),
  genesis_chunked: method({ name: 'chunk', type: 'uint', optional: false }),
  header: method(HEIGHT),
  header_by_hash: method({ name: 'hash', type: 'hexbytes', optional: false }),
  health: method(),
  net_info: method(),
  num_unconfirmed_txs: method(),
  status: method(),
  tx: method({ name: 'hash', type: 'bytes', optional: false }, PROVE),
  tx_search: method(QUERY, PROVE, ...PAGES, ORDER),
  unconfirmed_txs: method({ name: 'limit', type: 'int', optional: true }),
  validators: method(HEIGHT, ...PAGES),
};
