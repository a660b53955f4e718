import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The signature is not one by the account's key over the bytes that the service expected. */
export class InvalidSignatureError extends ProblemError<'invalid_signature'> {
  declare readonly name: 'InvalidSignatureError';
  /** The exact text that had to be signed; compare it with the text that was signed. */
  readonly signBytes: string;

  constructor(problem: Problems['invalid_signature'], exchange: Exchange) {
    super(problem, exchange);
    this.signBytes = problem.signBytes;
  }
}
