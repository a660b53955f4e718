/**
 * Time for which no block was settled although the chain went on.
 *
 * Every gateway compares, also one on standby: its own engine verifies the chain, so it notices when the active gateway no longer sees the
 * newest blocks.
 */
import type { EngineStatus } from '../../engine/port.ts';
import type { Clock, Timer } from '../../engine/ports.ts';
import { CHAIN_LOOK_MS } from '../limits.ts';

export interface ChainLagParts {
  clock: Clock;
  /** Undefined when the engine does not answer. */
  engineStatus(): Promise<EngineStatus | undefined>;
  /** The last block that any gateway has settled in the store. */
  settledHeight(): number;
}

export class ChainLag {
  readonly #parts: ChainLagParts;
  #timer: Timer | undefined;
  #stopped = false;
  #settledHeight = -1;
  /** Monotonic moment since which a later block is verified here and none is settled. */
  #behindSinceMs: number | undefined;
  /** Monotonic moment since which the engine has seen no chain. */
  #blindSinceMs: number | undefined;

  constructor(parts: ChainLagParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.#look();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Time since the last settled block while this gateway has verified blocks that no gateway settles; 0 otherwise. */
  get behindMs(): number {
    return this.#since(this.#behindSinceMs);
  }

  /** As `behindMs`, or the time for which this gateway's engine has seen no chain. */
  get stalledMs(): number {
    return Math.max(this.behindMs, this.#since(this.#blindSinceMs));
  }

  #since(momentMs: number | undefined): number {
    return momentMs === undefined ? 0 : this.#parts.clock.monotonicMs() - momentMs;
  }

  async #look(): Promise<void> {
    const { clock, engineStatus, settledHeight } = this.#parts;
    const status = await engineStatus();
    if (this.#stopped) return;
    const nowMs = clock.monotonicMs();
    const settled = settledHeight();
    const sees = status?.healthy === true;
    this.#blindSinceMs = sees ? undefined : (this.#blindSinceMs ?? nowMs);
    if (status === undefined || status.height <= settled) this.#behindSinceMs = undefined;
    else if (settled !== this.#settledHeight) this.#behindSinceMs = nowMs;
    else this.#behindSinceMs ??= nowMs;
    this.#settledHeight = settled;
    this.#timer = clock.setTimer(() => void this.#look(), CHAIN_LOOK_MS);
  }
}
