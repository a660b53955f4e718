/** Readiness of the service: engine reachable, blocks young enough, store writable, accepting. */
import type { Engine, EngineStatus } from '../engine/port.ts';
import type { Clock } from '../engine/ports.ts';
import { StoreUnsafeError } from '../store/errors.ts';
import {
  BLOCK_LATE_MS_MAX,
  ENGINE_STATUS_MS_MAX,
  FOLLOWER_LAG_BLOCKS_MAX,
  SETTLEMENT_LAG_MS_MAX,
  STORE_PROBE_ANSWER_MS_MAX,
  STORE_PROBE_MS_MIN,
} from './limits.ts';
import type { Readiness, ReadinessCheck } from './types.ts';

const MS_PER_S = 1000;

export interface HealthParts {
  engine: Pick<Engine, 'status'>;
  clock: Clock;
  /** A real write; rejects when the store cannot be written. */
  probeStore(): Promise<void>;
  /** Monotonic moment at which a group of submissions could not be stored; long ago when none failed. */
  groupFailedAtMs(): number;
  /** Time for which such a failure makes the store count as not writable. */
  storeFaultMs: number;
  followerHeight(): number;
  /** The reason why the follower does not advance: for good (`fault`), or at the last attempt. */
  followerFault(): string | undefined;
  accepting(): boolean;
  /** Time for which verified blocks have not been settled by any gateway. */
  lagMs(): number;
}

interface Probe {
  atMs: number;
  isUnderWay: boolean;
  /** The reason why the store cannot be used; undefined when it can. */
  result: Promise<string | undefined>;
}

export class Health {
  readonly #parts: HealthParts;
  #probe: Probe | undefined;
  #lastStatus: EngineStatus | undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  /** As of the last status of the engine. */
  get intervals(): Pick<EngineStatus, 'blockIntervalMs' | 'idleBlockMs'> | undefined {
    return this.#lastStatus;
  }

  /** Undefined when the engine does not answer in time. */
  async engineStatus(): Promise<EngineStatus | undefined> {
    const { engine, clock } = this.#parts;
    const status = await new Promise<EngineStatus | undefined>((resolve) => {
      const timer = clock.setTimer(() => resolve(undefined), ENGINE_STATUS_MS_MAX);
      const settle = (value: EngineStatus | undefined): void => {
        timer.cancel();
        resolve(value);
      };
      engine.status().then(settle, () => settle(undefined));
    });
    if (status !== undefined) this.#lastStatus = status;
    return status;
  }

  async readiness(): Promise<Readiness> {
    const [status, storeFault] = await Promise.all([this.engineStatus(), this.#storeFault()]);
    const engine = this.#engineCheck(status);
    const blockAge = this.#blockAgeCheck(status);
    const store: ReadinessCheck = {
      name: 'store',
      ok: storeFault === undefined,
      detail: storeFault ?? 'the store can be written',
    };
    const accepting = this.#parts.accepting();
    const checks: ReadinessCheck[] = [
      engine,
      blockAge,
      store,
      { name: 'accepting', ok: accepting, detail: accepting ? 'transfers are taken' : 'the service is shutting down' },
    ];
    if (!accepting) return { ready: false, checks, code: 'shutting_down' };
    if (!store.ok) return { ready: false, checks, code: 'store_unavailable' };
    if (!engine.ok || !blockAge.ok) return { ready: false, checks, code: 'engine_unavailable' };
    return { ready: true, checks };
  }

  #engineCheck(status: EngineStatus | undefined): ReadinessCheck {
    const fault = this.#parts.followerFault();
    if (fault !== undefined) return { name: 'engine', ok: false, detail: fault };
    if (status === undefined) return { name: 'engine', ok: false, detail: 'the engine does not answer' };
    return { name: 'engine', ok: status.healthy, detail: status.detail };
  }

  #blockAgeCheck(status: EngineStatus | undefined): ReadinessCheck {
    if (status === undefined) return { name: 'block_age', ok: false, detail: 'the age of the last block is not known' };
    const lag = status.height - this.#parts.followerHeight();
    // An engine that is behind the store has not verified yet what the store contains.
    const lagMs = this.#parts.lagMs();
    if (lagMs > SETTLEMENT_LAG_MS_MAX) {
      return {
        name: 'block_age',
        ok: false,
        detail: `block ${status.height} exists, and none after ${this.#parts.followerHeight()} has been settled for ${Math.round(lagMs / MS_PER_S)} s (at most ${SETTLEMENT_LAG_MS_MAX / MS_PER_S})`,
      };
    }
    const ageMsMax = status.idleBlockMs + BLOCK_LATE_MS_MAX;
    const ok = status.lastBlockAgeMs <= ageMsMax && Math.abs(lag) <= FOLLOWER_LAG_BLOCKS_MAX;
    return {
      name: 'block_age',
      ok,
      detail: `block ${status.height} is ${Math.round(status.lastBlockAgeMs)} ms old (at most ${ageMsMax}); ${lag < 0 ? `${-lag} blocks that the store knows are still to be verified` : `${lag} blocks are still to be applied`}`,
    };
  }

  /** Any client may request readiness, so the frequency of probes of the disk is bounded. */
  async #storeFault(): Promise<string | undefined> {
    const nowMs = this.#parts.clock.monotonicMs();
    // A nearly full disk may still take the small write of the probe.
    if (nowMs - this.#parts.groupFailedAtMs() < this.#parts.storeFaultMs)
      return 'transfers could not be stored a moment ago';
    if (this.#probe === undefined || (!this.#probe.isUnderWay && nowMs - this.#probe.atMs >= STORE_PROBE_MS_MIN))
      this.#probe = this.#beginProbe(nowMs);
    return await this.#probe.result;
  }

  /** One at a time: probes must not pile up on a store that hangs. */
  #beginProbe(atMs: number): Probe {
    const { clock, probeStore } = this.#parts;
    const probe: Probe = { atMs, isUnderWay: true, result: Promise.resolve(undefined) };
    probe.result = new Promise((resolve) => {
      const timer = clock.setTimer(() => resolve('the store does not answer'), STORE_PROBE_ANSWER_MS_MAX);
      const ended = (fault: string | undefined): void => {
        timer.cancel();
        probe.isUnderWay = false;
        resolve(fault);
      };
      probeStore().then(
        () => ended(undefined),
        (error: unknown) =>
          ended(
            error instanceof StoreUnsafeError
              ? `the store must not be written: ${error.message}`
              : 'the store cannot be written',
          ),
      );
    });
    return probe;
  }
}
