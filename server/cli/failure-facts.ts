/** What is told of a failure, to people and with --json. @module */
import type { ExitName } from './exit-codes.ts';

/** What stands in the document of a failure beside its message. */
export interface FailureFacts {
  readonly code?: string;
  readonly [member: string]: unknown;
}

export interface Failure {
  readonly exit: ExitName;
  readonly message: string;
  readonly facts: FailureFacts;
}
