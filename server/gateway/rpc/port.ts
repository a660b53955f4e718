/** The chain's RPC as the doors in front of the gateway see it: the engine's own words, passed through. */
export { matchesQuery, PAGE_BYTES_MAX, parseQuery, RPC_METHODS } from '../../engine/port.ts';
export type {
  QueryCondition,
  RpcArguments,
  RpcError,
  RpcEvent,
  RpcMethod,
  RpcMethodSpec,
  RpcOutcome,
  RpcParamSpec,
  RpcParamType,
} from '../../engine/port.ts';
