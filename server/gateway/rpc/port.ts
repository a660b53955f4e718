/** The chain's RPC for the transports of the gateway: the engine's own answers, passed through. */
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
