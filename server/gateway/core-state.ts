/** State that the parts of the ledger service share: the store, and what memory holds of it. */
import type { Clock, Logger } from '../engine/ports.ts';
import type { FollowerState, Store } from '../store/index.ts';
import type { JudgedChain } from './accept/judge.ts';
import type { ChainClock } from './chain-clock.ts';
import type { Counts } from './counts.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type { PendingIndex } from './dispatch/pending-index.ts';
import type { Schedule } from './dispatch/schedule.ts';
import type { FollowerHeights } from './follower-heights.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { JudgeLimits } from './accept/judge.ts';
import type { GatewayLimits } from './limits.ts';
import type { TransferTraces } from './transfer-traces.ts';
import type { Uptime } from './uptime.ts';
import type { Waiters } from './waiters.ts';
import type { WriteLane } from './write-lane.ts';

export interface CoreState {
  readonly store: Store;
  readonly chain: JudgedChain;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: GatewayLimits & JudgeLimits;
  /** Name of this gateway in the audit trail. */
  readonly actor: string;
  readonly lane: WriteLane;
  readonly pending: PendingIndex;
  readonly schedule: Schedule;
  readonly dispatcher: Dispatcher;
  readonly waiters: Waiters;
  readonly heights: FollowerHeights;
  readonly counts: Counts;
  readonly lifecycle: Lifecycle;
  readonly uptime: Uptime;
  readonly chainClock: ChainClock;
  /** Absent where nothing is traced. */
  readonly traces?: TransferTraces | undefined;
  /** As of the last block applied. */
  follower: FollowerState;
  /** True while this gateway follows the chain and dispatches; only then does `pending` hold what is pending. */
  active: boolean;
}
