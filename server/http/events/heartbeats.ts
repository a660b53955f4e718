/**
 * Writes a heartbeat to each stream every EVENT_HEARTBEAT_MS. One timer serves a part of the streams every second, so that the writes are
 * spread.
 */
import type { Clock } from '../../engine/ports.ts';
import { turnsOf } from '../../gateway/turns.ts';
import { PAGE } from '../limits/classes.ts';
import { EVENT_HEARTBEAT_MS, EVENT_TICK_MS } from '../limits.ts';

import type { EventStream } from './event-stream.ts';

export interface HeartbeatsParts {
  clock: Clock;
  /** Only tests shorten it. */
  heartbeatMs?: number | undefined;
  /** Writes a heartbeat, unless the stream is busy. */
  beat: (stream: EventStream) => void;
  /** Runs at every tick, while there are streams. */
  onTick: () => void;
}

export class Heartbeats {
  readonly #parts: HeartbeatsParts;
  readonly #parties: Set<EventStream>[];
  readonly #partyOf = new Map<EventStream, Set<EventStream>>();
  readonly #tickMs: number;
  #ticks = false;
  #at = 0;
  #added = 0;

  constructor(parts: HeartbeatsParts) {
    this.#parts = parts;
    const heartbeatMs = parts.heartbeatMs ?? EVENT_HEARTBEAT_MS;
    this.#tickMs = Math.min(EVENT_TICK_MS, heartbeatMs);
    this.#parties = Array.from({ length: Math.round(heartbeatMs / this.#tickMs) }, () => new Set());
  }

  /** Its first heartbeat is sent within an interval, so that streams opened together are spread too. */
  add(stream: EventStream): void {
    this.#added += 1;
    const party = this.#parties[this.#added % this.#parties.length] as Set<EventStream>;
    party.add(stream);
    this.#partyOf.set(stream, party);
    if (!this.#ticks) this.#parts.clock.setTimer(() => void this.#tick(), this.#tickMs);
    this.#ticks = true;
  }

  remove(stream: EventStream): void {
    this.#partyOf.get(stream)?.delete(stream);
    this.#partyOf.delete(stream);
  }

  async #tick(): Promise<void> {
    const { clock, beat, onTick } = this.#parts;
    onTick();
    this.#at = (this.#at + 1) % this.#parties.length;
    const turns = turnsOf(clock);
    for (const stream of this.#parties[this.#at] as Set<EventStream>) {
      beat(stream);
      await turns.yield(PAGE.kind);
    }
    this.#ticks = this.#partyOf.size > 0;
    if (this.#ticks) clock.setTimer(() => void this.#tick(), this.#tickMs);
  }
}
