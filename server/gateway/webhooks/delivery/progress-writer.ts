/** Writes places of the queues in groups. After a kill the next process sends again what was not written: at least once. */
import type { Clock, Logger, Timer } from '../../../engine/ports.ts';
import { SAVE_DELIVERIES, SAVE_MS, SAVE_PASSED_MS, SAVE_RETRY_MS } from './limits.ts';
import type { DeliveryRecord, EndpointProgress, EndpointStore, EventPlace } from './ports.ts';

export interface ProgressWriterParts {
  store: Pick<EndpointStore, 'save'>;
  clock: Clock;
  logger: Logger;
}

export class ProgressWriter {
  readonly #parts: ProgressWriterParts;
  #endpoints = new Map<string, EndpointProgress>();
  #records: DeliveryRecord[] = [];
  #replays = new Map<string, EventPlace>();
  #postponed = new Map<string, { attempts: number; retryAtMs: number }>();
  #finished = new Set<string>();
  #timer: { due: number; timer: Timer } | undefined;
  #saving: Promise<boolean> | undefined;
  /** Records of a group that could not be written and is being written again: they still count. */
  #again = 0;
  #hasFailed = false;
  #roomWanted: (() => void)[] = [];
  #isStopped = false;

  constructor(parts: ProgressWriterParts) {
    this.#parts = parts;
  }

  /** Records an attempt. It replaces what an earlier group has of the same endpoint, except for members that this one leaves out. */
  attempted(record: DeliveryRecord, endpoint?: EndpointProgress): void {
    this.#records.push(record);
    if (endpoint) this.#merge(endpoint);
    this.#soon(this.#records.length >= SAVE_DELIVERIES ? 0 : SAVE_MS);
  }

  passed(endpoint: EndpointProgress): void {
    this.#merge(endpoint);
    this.#soon(SAVE_PASSED_MS);
  }

  replayed(id: string, after: EventPlace): void {
    this.#postponed.delete(id);
    this.#replays.set(id, after);
    this.#soon(SAVE_MS);
  }

  /** Records a failed attempt at a job. */
  postponed(id: string, attempts: number, retryAtMs: number): void {
    this.#postponed.set(id, { attempts, retryAtMs });
    this.#soon(SAVE_MS);
  }

  finished(id: string): void {
    this.#replays.delete(id);
    this.#postponed.delete(id);
    this.#finished.add(id);
    this.#soon(SAVE_MS);
  }

  /** Resolves at once, or, while writing falls behind, when the limit allows it: so the number of possible repetitions stays bounded. */
  async room(): Promise<void> {
    while (this.#records.length + this.#again >= SAVE_DELIVERIES && !this.#isStopped)
      await new Promise<void>((resolve) => this.#roomWanted.push(resolve));
  }

  /** Writes everything that is there now. False when that failed; it is kept, and tried again. */
  async flush(): Promise<boolean> {
    while (this.#saving) await this.#saving;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (this.#isEmpty()) return true;
    this.#saving = this.#save().finally(() => (this.#saving = undefined));
    return await this.#saving;
  }

  /** From now on no caller waits for the limit. */
  hurry(): void {
    this.#isStopped = true;
    this.#wakeAll();
  }

  /** A last attempt to write. */
  async stop(): Promise<void> {
    this.hurry();
    await this.flush();
    this.#timer?.timer.cancel();
  }

  #isEmpty(): boolean {
    return (
      this.#endpoints.size + this.#records.length + this.#replays.size + this.#postponed.size + this.#finished.size ===
      0
    );
  }

  #merge(next: EndpointProgress): void {
    const before = this.#endpoints.get(next.id);
    const isSame = before?.revision === next.revision;
    this.#endpoints.set(next.id, {
      ...next,
      lastSuccessAtMs: next.lastSuccessAtMs ?? before?.lastSuccessAtMs,
      lastFailure: next.lastFailure ?? (isSame ? before?.lastFailure : undefined),
    });
  }

  #soon(delayMs: number): void {
    const { clock } = this.#parts;
    const due = clock.monotonicMs() + delayMs;
    if (this.#timer) {
      if (this.#timer.due <= due) return;
      this.#timer.timer.cancel();
    }
    this.#timer = { due, timer: clock.setTimer(() => void this.flush(), delayMs) };
  }

  async #save(): Promise<boolean> {
    const [endpoints, records, replays, postponed, finished] = [
      this.#endpoints,
      this.#records,
      this.#replays,
      this.#postponed,
      this.#finished,
    ];
    this.#endpoints = new Map();
    this.#records = [];
    this.#replays = new Map();
    this.#postponed = new Map();
    this.#finished = new Set();
    this.#again = this.#hasFailed ? records.length : 0;
    this.#wakeAll();
    try {
      await this.#parts.store.save({
        endpoints: [...endpoints.values()],
        records,
        replays: [...replays].map(([id, after]) => ({ id, after })),
        postponed: [...postponed].map(([id, when]) => ({ id, ...when })),
        finished: [...finished],
      });
      this.#again = 0;
      this.#hasFailed = false;
      this.#wakeAll();
      return true;
    } catch (error) {
      this.#again = 0;
      this.#hasFailed = true;
      this.#parts.logger.warn({ err: error }, 'the places of webhooks could not be written; trying again soon');
      // Values that came meanwhile are newer.
      const [later, laterReplays, laterPostponed] = [this.#endpoints, this.#replays, this.#postponed];
      this.#endpoints = endpoints;
      for (const progress of later.values()) this.#merge(progress);
      this.#records = [...records, ...this.#records];
      this.#replays = new Map([...replays, ...laterReplays]);
      this.#postponed = new Map([...postponed, ...laterPostponed]);
      for (const id of laterReplays.keys()) this.#postponed.delete(id);
      for (const id of [...finished, ...this.#finished]) {
        this.#finished.add(id);
        this.#replays.delete(id);
        this.#postponed.delete(id);
      }
      this.#timer?.timer.cancel();
      this.#timer = undefined;
      if (!this.#isStopped) this.#soon(SAVE_RETRY_MS);
      return false;
    }
  }

  #wakeAll(): void {
    const wanted = this.#roomWanted;
    this.#roomWanted = [];
    for (const wake of wanted) wake();
  }
}
