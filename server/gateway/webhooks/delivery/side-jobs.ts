/**
 * Messages to an endpoint beside its queue: tests and notices first, then replays, each in the order of the log. A replay ends at the place
 * of the queue: an event that the queue has yet to deliver is never sent ahead of it.
 */
import type { DeliveryContext } from './context.ts';
import { READ_EVENTS_MAX, SIDE_ATTEMPTS_MAX } from './limits.ts';
import { isBehind, nearest, samePlace } from './place.ts';
import type { DeliveredEvent, EventPlace, SendOutcome, SideJob } from './ports.ts';
import { RETRY_DELAY_MS_MAX, retryDelayMs } from './retry.ts';

export interface SideMessage {
  readonly messageId: string;
  readonly type: string;
  readonly isReplay: boolean;
  body(): string;
  /** Records the outcome. `retryAtMs` is a wall clock's. */
  ended(outcome: SendOutcome): { attempt: number; retryAtMs: number | undefined };
}

interface Work {
  job: SideJob;
  attempts: number;
  /** By the monotonic clock. */
  retryAtMs: number;
  /** Of a replay: events that match, the next one first, and the place up to which the log was looked through. */
  next: DeliveredEvent[];
  looked: EventPlace;
}

const START: EventPlace = { height: 0, index: 0 };

export class SideJobs {
  readonly #context: DeliveryContext;
  readonly #matching: (events: readonly DeliveredEvent[]) => DeliveredEvent[];
  #work = new Map<string, Work>();
  /** Done here, and perhaps still in the store. */
  #done = new Set<string>();

  constructor(context: DeliveryContext, matching: (events: readonly DeliveredEvent[]) => DeliveredEvent[]) {
    this.#context = context;
    this.#matching = matching;
  }

  /** All jobs that the store has for this endpoint, oldest first. */
  replace(jobs: readonly SideJob[]): void {
    const known = this.#work;
    this.#done = new Set(jobs.filter(({ id }) => this.#done.has(id)).map(({ id }) => id));
    this.#work = new Map();
    for (const job of jobs) {
      if (this.#done.has(job.id)) continue;
      this.#work.set(
        job.id,
        known.get(job.id) ?? {
          job,
          attempts: job.attempts,
          retryAtMs: this.#monotonic(job.retryAtMs),
          next: [],
          looked: job.kind === 'replay' ? job.after : START,
        },
      );
    }
  }

  /** The message to send now, if there is one; `looking` while a replay has only read on. @param place of the queue. */
  async next(place: EventPlace): Promise<SideMessage | 'looking' | undefined> {
    const nowMs = this.#context.clock.monotonicMs();
    const due = [...this.#work.values()].filter(({ retryAtMs }) => retryAtMs <= nowMs);
    const message = due.find(({ job }) => job.kind === 'message');
    if (message) return this.#messageOf(message);
    for (const work of due) {
      const event = await this.#eventOf(work, place);
      if (event === 'looking') return event;
      if (event) return this.#replayOf(work, event);
      this.#finish(work);
    }
    return undefined;
  }

  /** Time at which the first of the waiting jobs is due, by the monotonic clock. */
  dueMs(): number {
    return Math.min(...[...this.#work.values()].map(({ retryAtMs }) => retryAtMs), Infinity);
  }

  /** One read at a time: a range in which little matches is long, and the queue has its turns meanwhile. */
  async #eventOf(work: Work, place: EventPlace): Promise<DeliveredEvent | 'looking' | undefined> {
    const { job } = work;
    if (job.kind !== 'replay') return undefined;
    const until = nearest(job.until, place);
    if (work.next.length === 0) {
      if (!isBehind(until, work.looked)) return undefined;
      const read = await this.#context.events.after(work.looked, READ_EVENTS_MAX);
      if (samePlace(read.place, work.looked)) return undefined;
      work.looked = read.place;
      work.next = this.#matching(read.events);
      if (work.next.length === 0) return 'looking';
    }
    const [event] = work.next;
    return event && !isBehind(event, until) ? event : undefined;
  }

  #messageOf(work: Work): SideMessage {
    const { job } = work;
    if (job.kind !== 'message') throw new TypeError('a replay is no message');
    const { messageId, type, body } = job;
    // A test answers the request of one caller: once is enough.
    const attemptsMax = type === 'webhook.test' ? 1 : SIDE_ATTEMPTS_MAX;
    return {
      messageId,
      type,
      isReplay: false,
      body: () => body,
      ended: (outcome) => {
        if (outcome.ok) this.#finish(work);
        return this.#attempted(work, outcome, attemptsMax);
      },
    };
  }

  #replayOf(work: Work, event: DeliveredEvent): SideMessage {
    return {
      messageId: `${event.height}-${event.index}`,
      type: event.type,
      isReplay: true,
      body: () => this.#context.bodyOf(event),
      ended: (outcome) => {
        const ended = this.#attempted(work, outcome, SIDE_ATTEMPTS_MAX);
        if (!outcome.ok) return ended;
        work.next.shift();
        work.attempts = 0;
        this.#context.progress.replayed(work.job.id, { height: event.height, index: event.index });
        return ended;
      },
    };
  }

  /** A job ends with the last attempt that it has. */
  #attempted(
    work: Work,
    outcome: SendOutcome,
    attemptsMax: number,
  ): { attempt: number; retryAtMs: number | undefined } {
    const { clock, random } = this.#context;
    work.attempts += 1;
    const attempt = work.attempts;
    if (outcome.ok) return { attempt, retryAtMs: undefined };
    if (attempt >= attemptsMax) {
      this.#finish(work);
      return { attempt, retryAtMs: undefined };
    }
    const delayMs = retryDelayMs(attempt, outcome.retryAfterMs, random);
    work.retryAtMs = clock.monotonicMs() + delayMs;
    this.#context.progress.postponed(work.job.id, attempt, clock.nowMs() + delayMs);
    return { attempt, retryAtMs: clock.nowMs() + delayMs };
  }

  /** A wall clock that was set back must not hold up a job. */
  #monotonic(wallMs: number): number {
    const { clock } = this.#context;
    return clock.monotonicMs() + Math.min(wallMs - clock.nowMs(), RETRY_DELAY_MS_MAX);
  }

  #finish({ job }: Work): void {
    this.#work.delete(job.id);
    this.#done.add(job.id);
    this.#context.progress.finished(job.id);
  }
}
