/** The chain's RPC as the doors in front of the gateway see it: the engine's own words, passed through. */
export { PAGE_BYTES_MAX, parseQuery, RPC_METHODS } from '../../engine/port.ts';
export type {
  RpcArguments,
  RpcBlockEvents,
  RpcError,
  RpcEvent,
  RpcEventsAnswer,
  RpcEventsRequest,
  RpcMethod,
  RpcMethodSpec,
  RpcOutcome,
  RpcParamSpec,
  RpcParamType,
  RpcQueryChange,
} from '../../engine/port.ts';
