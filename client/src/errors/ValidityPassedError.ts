import { ProblemError } from './ProblemError.ts';

/**
 * The transfer's validUntil is not later than the time of the chain's last block. Nothing was paid: sign it again with a later validUntil.
 */
export class ValidityPassedError extends ProblemError<'validity_passed'> {
  declare readonly name: 'ValidityPassedError';
}
