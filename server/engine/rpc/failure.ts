/**
 * Failures of a method: thrown inside, a value at the port.
 *
 * The text is CometBFT's wherever CometBFT has one: light clients and wallets recognise errors by it. The status is for transports that may
 * answer with correct HTTP status codes.
 */
import type { RpcOutcome } from './port.ts';

type Status = Extract<RpcOutcome, { ok: false }>['status'];

/** JSON-RPC 2.0 section 5.1. CometBFT answers every refusal of a method as an internal error. */
const INTERNAL_ERROR = { code: -32603, message: 'Internal error' };
const INVALID_PARAMS = { code: -32602, message: 'Invalid params' };

export class RpcFailure extends Error {
  readonly outcome: RpcOutcome;

  constructor(status: Status, data: string, kind = INTERNAL_ERROR) {
    super(data);
    this.outcome = { ok: false, status, error: { ...kind, data } };
  }
}

/** The request is impossible. */
export function badRequest(data: string): RpcFailure {
  return new RpcFailure(400, data);
}

/** The request names something that does not exist (yet). */
export function notFound(data: string): RpcFailure {
  return new RpcFailure(404, data);
}

/** The method cannot be answered now. */
export function unavailable(data: string): RpcFailure {
  return new RpcFailure(503, data);
}

/** An argument is not of the type that its method declares, and the transport did not reject it. */
export function invalidParams(data: string): RpcFailure {
  return new RpcFailure(400, data, INVALID_PARAMS);
}
