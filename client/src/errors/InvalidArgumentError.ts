import { LedgerClientError } from './LedgerClientError.ts';

/** An argument that could never work was found before anything was sent. */
export class InvalidArgumentError extends LedgerClientError {
  override readonly name = 'InvalidArgumentError' as const;
  override readonly retriable = false;
  /** The argument, by its name. */
  readonly argument: string;

  constructor(argument: string, expected: string) {
    super(`${argument} ${expected}`);
    this.argument = argument;
  }
}
