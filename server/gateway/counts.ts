/** Counters of the gateway since the start of the process. */
import type { CoreMetrics } from './core-api.ts';
import type { TransactionStatus } from './types.ts';

export class Counts {
  accepted = 0;
  replayed = 0;
  refused = 0;
  groups = 0;
  groupItems = 0;
  groupSizeMax = 0;
  /** Monotonic moment of the last group that could not be stored. */
  groupFailedAtMs = Number.NEGATIVE_INFINITY;
  readonly settled: Record<Exclude<TransactionStatus, 'pending'>, number> = {
    committed: 0,
    failed: 0,
    cancelled: 0,
    expired: 0,
  };

  group(size: number): void {
    this.groups += 1;
    this.groupItems += size;
    this.groupSizeMax = Math.max(this.groupSizeMax, size);
  }

  metrics() {
    const { committed, failed, cancelled, expired } = this.settled;
    return {
      accepted_total: this.accepted,
      replayed_total: this.replayed,
      refused_total: this.refused,
      committed_total: committed,
      failed_total: failed,
      cancelled_total: cancelled,
      expired_total: expired,
      group_commits_total: this.groups,
      group_commit_items_total: this.groupItems,
      group_commit_size_max: this.groupSizeMax,
    } satisfies Partial<CoreMetrics>;
  }
}
