/** What a check is. */
import type { Session } from './session.ts';

export interface Check {
  /** `group.name`, for --only and for reports. */
  readonly id: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** Where the promise is written. */
  readonly where: string;
  /** How many accounts with money it takes. */
  readonly accounts?: number;
  /** Takes long by waiting: it is begun first and looked at last. */
  readonly background?: boolean;
  run(session: Session): Promise<void>;
}
