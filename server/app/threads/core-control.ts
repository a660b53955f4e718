import type { StartResult, ThreadControl } from './spawn.ts';

/** What the main thread asks of the thread that has the gateway's database. */
export interface CoreControl extends ThreadControl {
  /** Opens the store; before `start`, so that nothing begins without a database and a token in it. */
  open(): Promise<StartResult>;
  /** The service is about to answer: the audit trail records it before the first answer. */
  recordStart(): Promise<StartResult>;
  /** The start has failed. Where a store could be opened, its audit trail records why. Never fails. */
  recordRefusal(reason: string): Promise<void>;
}
