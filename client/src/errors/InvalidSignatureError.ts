import { ProblemError } from './ProblemError.ts';

/** The signature is not one of the account's key over the bytes that the service expected. */
export class InvalidSignatureError extends ProblemError<'invalid_signature'> {
  declare readonly name: 'InvalidSignatureError';
  /** The exact text that had to be signed; compare it with what was. */
  declare readonly signBytes: string;
}
