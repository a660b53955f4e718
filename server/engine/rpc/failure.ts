/**
 * How a method fails: thrown inside, a value at the port.
 *
 * The text is CometBFT's wherever CometBFT has one: light clients and wallets recognise errors by it. The status is for
 * doors that may answer honest HTTP codes.
 */
import type { RpcOutcome } from './port.ts';

type Status = Extract<RpcOutcome, { ok: false }>['status'];

/** JSON-RPC 2.0 section 5.1. CometBFT answers whatever a method refuses as an internal error. */
const INTERNAL_ERROR = { code: -32603, message: 'Internal error' };
const INVALID_PARAMS = { code: -32602, message: 'Invalid params' };

export class RpcFailure extends Error {
  readonly outcome: RpcOutcome;

  constructor(status: Status, data: string, kind = INTERNAL_ERROR) {
    super(data);
    this.outcome = { ok: false, status, error: { ...kind, data } };
  }
}

/** The request asks for what cannot be. */
export function badRequest(data: string): RpcFailure {
  return new RpcFailure(400, data);
}

/** The request asks for what does not exist (yet). */
export function notFound(data: string): RpcFailure {
  return new RpcFailure(404, data);
}

/** Not now. */
export function unavailable(data: string): RpcFailure {
  return new RpcFailure(503, data);
}

/** An argument is not of the type its method declares: the door let it through. */
export function invalidParams(data: string): RpcFailure {
  return new RpcFailure(400, data, INVALID_PARAMS);
}
