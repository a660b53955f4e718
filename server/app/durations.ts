/**
 * Histogram of durations, in buckets as Prometheus counts them. A duration costs one addition and no allocation, so that each commit of the
 * one writer can be measured.
 *
 * @module
 */
import type {
  ConnectionCounts,
  DurationFigures,
  ReplicaFigures,
  StandbyCounts,
  Stopwatch,
  StoreFigures,
} from '../engine/ports.ts';

/** From a commit that a battery-backed cache takes to a disk that does not respond; a group commit usually takes 0.2 to 10 ms. */
export const DURATION_BUCKETS_S: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

const MS_PER_S = 1000;
const BUCKETS_MS = DURATION_BUCKETS_S.map((seconds) => seconds * MS_PER_S);

export class Durations implements Stopwatch {
  readonly #counts = Array.from<number>({ length: BUCKETS_MS.length + 1 }).fill(0);
  #sumMs = 0;

  start(): number {
    return performance.now();
  }

  stop(startedMs: number): void {
    this.observe(performance.now() - startedMs);
  }

  observe(ms: number): void {
    let bucket = 0;
    // Most durations are in the first half of the buckets, so a binary search would need as many steps.
    while (bucket < BUCKETS_MS.length && ms > (BUCKETS_MS[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sumMs += ms;
  }

  figures(): DurationFigures {
    return { boundsS: DURATION_BUCKETS_S, counts: [...this.#counts], sumS: this.#sumMs / MS_PER_S };
  }
}

/** Durations of the database of a gateway in front of CometBFT nodes, SQLite or PostgreSQL. */
export class StoreTimes {
  readonly read = new Durations();
  readonly write = new Durations();
  readonly commit = new Durations();
  readonly checkpoint = new Durations();

  figures(
    connections: ConnectionCounts | undefined,
    standbys: StandbyCounts | undefined,
    replicas?: ReplicaFigures,
  ): StoreFigures {
    return {
      commits: { store: this.commit.figures() },
      checkpoints: { checkpoint: this.checkpoint.figures() },
      transactions: { read: this.read.figures(), write: this.write.figures() },
      ...(connections && { connections }),
      ...(standbys && { standbys }),
      ...(replicas && { replicas }),
    };
  }
}

/** Durations of chain.db. */
export class ChainTimes {
  readonly group = new Durations();
  readonly block = new Durations();
  readonly checkpointByWriter = new Durations();
  readonly checkpointByThread = new Durations();

  figures(): StoreFigures {
    return {
      commits: { group: this.group.figures(), block: this.block.figures() },
      checkpoints: { ledger: this.checkpointByWriter.figures(), checkpoint: this.checkpointByThread.figures() },
    };
  }
}
