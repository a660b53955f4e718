import { LedgerClientError } from './LedgerClientError.ts';

/** An argument can never be valid. Nothing was sent. */
export class InvalidArgumentError extends LedgerClientError {
  override readonly name = 'InvalidArgumentError' as const;
  override readonly retriable = false;
  /** The name of the argument. */
  readonly argument: string;

  constructor(argument: string, expected: string) {
    super(`${argument} ${expected}`);
    this.argument = argument;
  }
}
