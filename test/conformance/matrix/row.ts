/** A planted fault: what is wrong, what is done to answers or messages, and the check that has to find it. */
import type { MessageFault } from './message-proxy.ts';
import type { Fault } from './proxy.ts';

export interface Row {
  readonly name: string;
  /** The check that fails; every check of the list passes when it begins with `passes:`. */
  readonly expected: string;
  /** Needs a server with rate limits, which are few enough to be used up. */
  readonly limited?: boolean;
  /** Whose answers are wrong, where the row is of one operation. */
  readonly operation?: string;
  /** What is done to messages of webhooks. */
  readonly plantMessages?: () => MessageFault;
  /** Made anew for each run. */
  readonly plant: () => Fault;
}
