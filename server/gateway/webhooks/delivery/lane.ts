/**
 * The serial queue of one endpoint: one request at a time, its events in order, nothing behind one that was not accepted. Tests, notices
 * and replays take turns with it and do not change its place: they are sent while it waits, too.
 */
import type { Timer } from '../../../engine/ports.ts';
import type { DeliveryContext } from './context.ts';
import { FAST_MS_MAX, READ_RETRY_MS } from './limits.ts';
import { filterOf, type EventFilter } from './filter.ts';
import { furthest, isBehind, samePlace } from './place.ts';
import type {
  DeliveredEvent,
  DeliveryRecord,
  Endpoint,
  EndpointProgress,
  EventPlace,
  Failing,
  SendOutcome,
  SideJob,
} from './ports.ts';
import { afterFailure, RETRY_DELAY_MS_MAX } from './retry.ts';
import { SideJobs, type SideMessage } from './side-jobs.ts';
import { signedHeaders } from './signing.ts';

const GONE = 410;

export class Lane {
  readonly #context: DeliveryContext;
  readonly #stopping = new AbortController();
  readonly #side: SideJobs;
  #endpoint: Endpoint;
  #filter: EventFilter;
  #place: EventPlace;
  #failing: Failing | undefined;
  /** Events that match, the next one first. */
  #next: DeliveredEvent[] = [];
  /** The log was looked through up to here. */
  #looked: EventPlace;
  /** Time by the monotonic clock: a change of the wall clock must not delay an attempt. */
  #retryAtMs = 0;
  /** A target that never failed counts as fast: after a start, targets that are down must not go before those that work. */
  #isSlow: boolean;
  #sideHadTurn = false;
  #isRunning = false;
  #isClosing = false;
  #wanted = false;
  #timer: Timer | undefined;
  /** Resolves when nothing of this queue is under way. */
  #idle: Promise<void> = Promise.resolve();

  constructor(context: DeliveryContext, endpoint: Endpoint) {
    this.#context = context;
    this.#endpoint = endpoint;
    this.#filter = filterOf(endpoint);
    this.#place = this.#looked = endpoint.place;
    this.#isSlow = endpoint.failing !== undefined;
    this.#adoptFailing(endpoint.failing);
    this.#side = new SideJobs(context, (events) => events.filter((event) => this.#filter(event)));
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  get place(): EventPlace {
    return this.#place;
  }

  /** The event that is to go out next, if there is one in memory. */
  get next(): DeliveredEvent | undefined {
    return this.#next[0];
  }

  /** Takes the endpoint as it is now, and the jobs beside its queue. */
  update(endpoint: Endpoint, jobs: readonly SideJob[]): void {
    const before = this.#endpoint;
    this.#endpoint = endpoint;
    if (endpoint.revision === before.revision) {
      if (isBehind(endpoint.place, this.#place)) this.#skipTo(endpoint.place);
    } else {
      this.#place = furthest(this.#place, endpoint.place);
      // The events in memory were chosen by other filters; the failures were those of another target, or its owner has repaired something.
      this.#filter = filterOf(endpoint);
      this.#next = [];
      this.#looked = this.#place;
      this.#failing = endpoint.failing;
      this.#retryAtMs = 0;
      if (endpoint.url !== before.url) this.#context.sender.forget(endpoint.id);
    }
    this.#side.replace(jobs);
    this.kick();
  }

  /** Looks for work now. */
  kick(): void {
    if (this.#isClosing) return;
    this.#wanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#timer?.cancel();
    this.#idle = this.#run();
  }

  /** Begins nothing more. */
  close(): void {
    this.#isClosing = true;
    this.#timer?.cancel();
  }

  /** Ends requests in flight too. */
  abort(): void {
    this.close();
    this.#stopping.abort();
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    await this.#idle;
  }

  async #run(): Promise<void> {
    const { clock } = this.#context;
    let askedMs = clock.monotonicMs();
    try {
      while (!this.#isClosing) {
        this.#wanted = false;
        askedMs = clock.monotonicMs();
        if (!(await this.#turn()) && !this.#wanted) break;
      }
      this.#wakeWhenDue(askedMs);
    } catch (error) {
      this.#context.logger.warn(
        { err: error, webhook: this.#endpoint.id },
        'events for a webhook could not be read; trying again soon',
      );
      this.#wake(READ_RETRY_MS);
    } finally {
      // In the same turn in which the loop ended: between the two a kick would be lost.
      this.#isRunning = false;
    }
  }

  /**
   * Sends one message, by turns one of the queue and one of the jobs beside it. False when there is nothing to send now, nor to look for.
   */
  async #turn(): Promise<boolean> {
    const hasEvent = await this.#hasEventDue();
    const job = hasEvent && this.#sideHadTurn ? undefined : await this.#side.next(this.#place);
    this.#sideHadTurn = job !== undefined;
    if (job !== undefined && job !== 'looking') await this.#sendSide(job);
    else if (hasEvent) await this.#sendNext();
    return job !== undefined || hasEvent;
  }

  async #hasEventDue(): Promise<boolean> {
    if (this.#context.clock.monotonicMs() < this.#retryAtMs) return false;
    while (this.#next.length === 0 && !this.#isClosing) {
      const from = this.#looked;
      const { events, place } = await this.#context.tail.after(from);
      // The filters were changed meanwhile, or another holder is further.
      if (!samePlace(from, this.#looked)) continue;
      if (samePlace(place, from)) return false;
      this.#looked = place;
      this.#next = events.filter(this.#filter);
      this.#passOver();
    }
    return this.#next.length > 0;
  }

  /** Moves the place over events that do not match, up to the next one that does. */
  #passOver(): void {
    if (this.#next.length > 0 || samePlace(this.#place, this.#looked)) return;
    this.#place = this.#looked;
    this.#context.progress.passed(this.#progress());
  }

  async #sendNext(): Promise<void> {
    const [event] = this.#next;
    if (event === undefined) return; // the filters were changed meanwhile
    const sent = await this.#send(`${event.height}-${event.index}`, () => this.#context.bodyOf(event));
    if (sent === undefined) return;
    const { outcome, endpoint, atMs } = sent;
    const record = {
      ...this.#record(outcome, atMs),
      messageId: `${event.height}-${event.index}`,
      type: event.type,
      replay: false,
      attempt: (this.#failing?.attempts ?? 0) + 1,
    };
    // Filters or place were changed meanwhile: this outcome no longer applies to the place, and the event may go out once more.
    if (this.#next[0] !== event) return this.#context.progress.attempted(record);
    if (outcome.ok) {
      this.#next.shift();
      this.#place = { height: event.height, index: event.index };
      this.#failing = undefined;
      if (this.#next.length === 0) this.#place = furthest(this.#place, this.#looked);
      this.#context.progress.attempted(record, this.#progress({ lastSuccessAtMs: atMs }));
      return;
    }
    if (outcome.code === 'stopped') return;
    await this.#failed(outcome, record, endpoint);
  }

  async #failed(outcome: SendOutcome & { ok: false }, record: DeliveryRecord, endpoint: Endpoint): Promise<void> {
    const { clock, random, progress, logger } = this.#context;
    const nowMs = clock.nowMs();
    // The endpoint was changed while the request was out: the outcome is of its old form.
    const isOld = this.#endpoint.revision !== endpoint.revision;
    const failing = isOld ? undefined : afterFailure(this.#failing, nowMs, outcome.retryAfterMs, random);
    const isGone = outcome.httpStatus === GONE && !isOld;
    const detail = outcome.detail;
    if (isOld) return progress.attempted(record);
    const isOver = isGone || failing === undefined;
    if (failing !== undefined) this.#adoptFailing(failing);
    progress.attempted(
      { ...record, detail, retryAtMs: isOver ? undefined : failing.retryAtMs },
      this.#progress({ lastFailure: { atMs: nowMs, code: outcome.code, detail } }),
    );
    logger.debug(
      { webhook: endpoint.id, code: outcome.code, attempts: this.#failing?.attempts },
      'a webhook was not delivered',
    );
    if (isOver) await this.#disable(isGone, detail);
  }

  async #disable(isGone: boolean, detail: string): Promise<void> {
    const { clock, progress, store, logger, counters } = this.#context;
    const { id, revision, owner } = this.#endpoint;
    const reason = isGone ? 'gone' : 'failing';
    const sentence = isGone
      ? 'The target answered 410 Gone.'
      : `Nothing was delivered for 3 days. The last failure: ${detail}`;
    await progress.flush();
    try {
      if (!(await store.disable({ id, revision, reason, detail: sentence, atMs: clock.nowMs() }))) {
        // The endpoint was changed meanwhile, and is read again; until then nothing is sent to its old form.
        this.#retryAtMs = clock.monotonicMs() + READ_RETRY_MS;
        return this.#context.changed();
      }
    } catch (error) {
      logger.warn({ err: error, webhook: id }, 'a webhook could not be disabled; it is tried again');
      this.#retryAtMs = clock.monotonicMs() + READ_RETRY_MS;
      return;
    }
    counters.disabled += 1;
    logger.warn({ webhook: id, owner, reason, detail: sentence }, 'a webhook was disabled');
    this.close();
    this.#context.changed();
  }

  async #sendSide(job: SideMessage): Promise<void> {
    const sent = await this.#send(job.messageId, () => job.body());
    if (sent === undefined || (!sent.outcome.ok && sent.outcome.code === 'stopped')) return;
    const { outcome, atMs } = sent;
    const { attempt, retryAtMs } = job.ended(outcome);
    const record = {
      ...this.#record(outcome, atMs),
      messageId: job.messageId,
      type: job.type,
      replay: job.isReplay,
      attempt,
      retryAtMs,
    };
    this.#context.progress.attempted(record);
    // A test of the owner reached the target: the queue need not wait out its delay.
    if (outcome.ok && job.type === 'webhook.test') this.#retryAtMs = 0;
  }

  /** Undefined when there was no time left to send it. */
  async #send(
    messageId: string,
    body: () => string,
  ): Promise<{ outcome: SendOutcome; endpoint: Endpoint; atMs: number } | undefined> {
    const { slots, progress, sender, clock, counters } = this.#context;
    await progress.room();
    const release = await slots.take(this.#isSlow);
    try {
      if (this.#isClosing) return undefined;
      // Read only now: a secret or an address that was changed during the wait counts.
      const endpoint = this.#endpoint;
      const text = body();
      const atMs = clock.nowMs();
      const headers = signedHeaders(endpoint.secrets, messageId, text, atMs);
      const outcome = await sender.send(
        { endpointId: endpoint.id, owner: endpoint.owner, url: endpoint.url, headers, body: text },
        this.#stopping.signal,
      );
      this.#isSlow = !outcome.ok || outcome.durationMs > FAST_MS_MAX;
      if (outcome.ok || outcome.code !== 'stopped') counters.count(outcome.ok ? 'delivered' : outcome.code);
      return { outcome, endpoint, atMs };
    } finally {
      release();
    }
  }

  #record(
    outcome: SendOutcome,
    atMs: number,
  ): Pick<DeliveryRecord, 'endpointId' | 'atMs' | 'durationMs' | 'code' | 'httpStatus' | 'detail' | 'answer'> {
    const { durationMs, httpStatus, answer } = outcome;
    return {
      endpointId: this.#endpoint.id,
      atMs,
      durationMs,
      httpStatus,
      answer,
      ...(outcome.ok ? { code: 'delivered' } : { code: outcome.code, detail: outcome.detail }),
    };
  }

  #progress(last: Pick<EndpointProgress, 'lastSuccessAtMs' | 'lastFailure'> = {}): EndpointProgress {
    return {
      id: this.#endpoint.id,
      revision: this.#endpoint.revision,
      place: this.#place,
      failing: this.#failing,
      ...last,
    };
  }

  #adoptFailing(failing: Failing | undefined): void {
    const { clock } = this.#context;
    this.#failing = failing;
    this.#retryAtMs =
      failing === undefined ? 0 : clock.monotonicMs() + Math.min(failing.retryAtMs - clock.nowMs(), RETRY_DELAY_MS_MAX);
  }

  /** Another holder delivered up to there. */
  #skipTo(place: EventPlace): void {
    this.#place = place;
    this.#next = this.#next.filter((event) => isBehind(event, place));
    this.#looked = furthest(this.#looked, place);
    this.#adoptFailing(this.#endpoint.failing);
  }

  /** @param askedMs time of the check of what is due: some of it may be due by now. */
  #wakeWhenDue(askedMs: number): void {
    const dues = [this.#retryAtMs, this.#side.dueMs()].filter((dueMs) => dueMs > askedMs && dueMs !== Infinity);
    if (dues.length > 0) this.#wake(Math.max(0, Math.min(...dues) - this.#context.clock.monotonicMs()));
  }

  #wake(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#isClosing) return;
    this.#timer = this.#context.clock.setTimer(() => this.kick(), delayMs);
  }
}
