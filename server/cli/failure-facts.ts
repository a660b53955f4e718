/** The reported facts of a failure, for people and with --json. @module */
import type { ExitName } from './exit-codes.ts';

/** Members of the document of a failure beside its message. */
export interface FailureFacts {
  readonly code?: string;
  readonly [member: string]: unknown;
}

export interface Failure {
  readonly exit: ExitName;
  readonly message: string;
  readonly facts: FailureFacts;
}
