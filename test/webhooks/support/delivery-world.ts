/**
 * Everything that delivery asks for, in memory and in virtual time: a log that grows, a store whose writes take time and fail, receivers that
 * are fast, slow, down, or take a message and lose the answer; and processes that are killed at any moment.
 */
import { WebhookDelivery } from '../../../server/gateway/webhooks/delivery/delivery.ts';
import { filterOf } from '../../../server/gateway/webhooks/delivery/filter.ts';
import { isBehind } from '../../../server/gateway/webhooks/delivery/place.ts';
import type {
  DeliveredEvent,
  DeliveryRecord,
  Endpoint,
  EndpointStore,
  EventPlace,
  EventSource,
  Message,
  Progress,
  Sender,
  SendOutcome,
  SideJob,
} from '../../../server/gateway/webhooks/delivery/ports.ts';
import type { SlotLimits } from '../../../server/gateway/webhooks/delivery/slots.ts';
import { ManualClock, settled } from '../../gateway/support/manual-clock.ts';
import { Random } from '../../gateway/support/random.ts';

export const WORLD_START_MS = Date.parse('2026-11-22T12:00:00Z');
export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** How a receiver answers; the message has arrived unless `lost`. */
export interface Behaviour {
  delayMs: number;
  outcome: 'ok' | 'failed' | 'lost' | 'gone';
  retryAfterMs?: number;
}

export interface Receipt {
  id: string;
  atMs: number;
  signature: string;
  url: string;
  body: string;
}

export const idOf = ({ height, index }: EventPlace): string => `${height}-${index}`;

export class DeliveryWorld {
  readonly clock = new ManualClock(WORLD_START_MS);
  readonly random: Random;
  readonly log: DeliveredEvent[] = [];
  readonly endpoints = new Map<string, Endpoint & { status: 'enabled' | 'disabled'; reason?: string }>();
  jobs: SideJob[] = [];
  readonly received = new Map<string, Receipt[]>();
  readonly records: DeliveryRecord[] = [];
  readonly behaviours = new Map<string, (message: Message) => Behaviour>();
  /** What went wrong, of what must never go wrong. */
  readonly violations: string[] = [];
  inFlight = 0;
  inFlightMost = 0;
  readonly #inFlightOf = new Map<string, number>();
  saveDelayMs: () => number = () => 0;
  /** What `disable` answers, where it is not to look. */
  disables: (() => Promise<boolean>) | undefined;
  saveFails: () => 'no' | 'before' | 'after' = () => 'no';
  readonly #listeners = new Set<() => void>();
  #version = 0;
  slots: SlotLimits | undefined;
  pollMs: number | undefined;

  constructor(seed = 1) {
    this.random = new Random(seed);
  }

  /** Until `kill`; what it began then never ends, and changes nothing. */
  start(): { delivery: WebhookDelivery; started: Promise<void>; kill: () => void } {
    const life = { isDead: false };
    const delivery = new WebhookDelivery({
      store: this.#store(life),
      events: this.#events(life),
      sender: this.#sender(life),
      clock: this.clock,
      random: { bytes: (n) => Uint8Array.from({ length: n }, () => this.random.below(256)) },
      logger: silent,
      bodyOf: (event) => JSON.stringify({ id: idOf(event), type: event.type }),
      ...(this.slots && { slots: this.slots }),
      ...(this.pollMs !== undefined && { pollMs: this.pollMs }),
    });
    return { delivery, started: delivery.start(), kill: () => void (life.isDead = true) };
  }

  /** What was set off before goes on first. */
  async advance(ms: number): Promise<void> {
    await settled();
    await this.clock.advance(ms);
  }

  addEndpoint(parts: Partial<Endpoint> & { id: string }): void {
    const endpoint = {
      owner: 'acme',
      url: 'https://hooks.example',
      secrets: { current: 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IQ==', previous: [] },
      revision: 1,
      place: { height: 0, index: 0 },
      ...parts,
    };
    this.endpoints.set(endpoint.id, { ...endpoint, status: 'enabled' });
    this.received.set(endpoint.id, []);
    this.changed();
  }

  change(id: string, parts: Partial<Endpoint> & { status?: 'enabled' | 'disabled' }): void {
    const before = this.endpoints.get(id);
    if (before) this.endpoints.set(id, { ...before, ...parts, revision: before.revision + 1 });
    this.changed();
  }

  addJob(job: SideJob): void {
    this.jobs.push(job);
    this.changed();
  }

  changed(): void {
    this.#version += 1;
  }

  /** A block with events of these accounts. */
  addBlock(events: readonly Partial<DeliveredEvent>[]): void {
    const height = (this.log.at(-1)?.height ?? 0) + 1;
    for (const [index, event] of events.entries())
      this.log.push({
        height,
        index,
        blockTimeMs: this.clock.nowMs(),
        type: 'transaction.committed',
        transaction: { from: 'a', to: 'b' },
        ...event,
      });
    for (const listener of this.#listeners) listener();
  }

  wanted(id: string): string[] {
    const endpoint = this.endpoints.get(id) as Endpoint;
    return this.log.filter(filterOf(endpoint)).map(idOf);
  }

  /** Ids in the order of their first arrival, without tests and notices. */
  firsts(id: string): string[] {
    return [...new Set((this.received.get(id) ?? []).map((receipt) => receipt.id))];
  }

  repeats(id: string): number {
    return (this.received.get(id)?.length ?? 0) - this.firsts(id).length;
  }

  async #sleep(ms: number, life: { isDead: boolean }): Promise<void> {
    await new Promise<void>((resolve) => this.clock.setTimer(resolve, ms));
    if (life.isDead) await never;
  }

  #events(life: { isDead: boolean }): EventSource {
    return {
      after: async (place, limit) => {
        if (life.isDead) await never;
        const events = this.log.filter((event) => isBehind(event, place)).slice(0, limit);
        const last = events.at(-1);
        return { events, place: last ? { height: last.height, index: last.index } : place };
      },
      watch: (listener) => {
        const guarded = () => (life.isDead ? undefined : listener());
        this.#listeners.add(guarded);
        return () => this.#listeners.delete(guarded);
      },
    };
  }

  #store(life: { isDead: boolean }): EndpointStore {
    return {
      version: async () => (life.isDead ? await never : this.#version),
      load: async () => {
        await this.#sleep(0, life);
        return {
          endpoints: [...this.endpoints.values()]
            .filter(({ status }) => status === 'enabled')
            .map((endpoint) => ({ ...endpoint })),
          jobs: [...this.jobs],
        };
      },
      save: async (progress) => {
        await this.#sleep(this.saveDelayMs(), life);
        const fault = this.saveFails();
        if (fault === 'before') throw new Error('the store is away');
        this.#write(progress);
        if (fault === 'after') throw new Error('the outcome is unknown');
        await this.#sleep(0, life);
      },
      disable: async ({ id, revision, reason }) => {
        await this.#sleep(0, life);
        if (this.disables) return await this.disables();
        const endpoint = this.endpoints.get(id);
        if (endpoint?.revision !== revision || endpoint.status === 'disabled') return false;
        this.endpoints.set(id, { ...endpoint, status: 'disabled', reason, revision: revision + 1, failing: undefined });
        for (const other of this.endpoints.values()) {
          if (other.owner === endpoint.owner && other.status === 'enabled') {
            this.jobs.push({
              id: `disabled_${id}_${other.id}`,
              endpointId: other.id,
              attempts: 0,
              retryAtMs: 0,
              kind: 'message',
              messageId: `disabled_${id}`,
              type: 'webhook.disabled',
              body: '{}',
            });
          }
        }
        this.changed();
        return true;
      },
    };
  }

  #write({ endpoints, records, replays, postponed, finished }: Progress): void {
    this.records.push(...records);
    for (const { id, place, failing, revision } of endpoints) {
      const endpoint = this.endpoints.get(id);
      if (!endpoint || isBehind(endpoint.place, place)) continue;
      this.endpoints.set(id, { ...endpoint, place, ...(revision === endpoint.revision && { failing }) });
    }
    this.jobs = this.jobs
      .filter((job) => !finished.includes(job.id))
      .map((job) => {
        const moved = replays.find(({ id }) => id === job.id);
        const later = postponed.find(({ id }) => id === job.id);
        return { ...job, ...(moved && { after: moved.after }), ...later } as SideJob;
      });
  }

  #sender(life: { isDead: boolean }): Sender {
    return {
      forget: () => undefined,
      send: async (message, signal) => {
        const { endpointId, url, body } = message;
        const { delayMs, outcome, retryAfterMs } = this.behaviours.get(endpointId)?.(message) ?? {
          delayMs: 5,
          outcome: 'ok',
        };
        this.#began(endpointId, life);
        // A message arrives some time before its answer does, or never.
        await Promise.race([this.#sleep(delayMs / 2, life), aborted(signal)]);
        if (signal.aborted) return this.#ended(endpointId, { ok: false, code: 'stopped', detail: '', durationMs: 0 });
        if (outcome !== 'failed')
          this.#arrived(endpointId, {
            id: message.headers['webhook-id'] as string,
            signature: message.headers['webhook-signature'] as string,
            atMs: this.clock.nowMs(),
            url,
            body,
          });
        await Promise.race([this.#sleep(delayMs / 2, life), aborted(signal)]);
        if (signal.aborted) return this.#ended(endpointId, { ok: false, code: 'stopped', detail: '', durationMs: 0 });
        if (outcome === 'ok') return this.#ended(endpointId, { ok: true, httpStatus: 204, durationMs: delayMs });
        return this.#ended(endpointId, {
          ok: false,
          code: 'status_code',
          httpStatus: outcome === 'gone' ? 410 : 503,
          detail: 'It answered.',
          durationMs: delayMs,
          retryAfterMs,
        });
      },
    };
  }

  #began(id: string, life: { isDead: boolean }): void {
    const before = this.#inFlightOf.get(id) ?? 0;
    if (before > 0 && !life.isDead && this.isAlone) this.violations.push(`${id}: two requests at a time`);
    this.#inFlightOf.set(id, before + 1);
    this.inFlight += 1;
    this.inFlightMost = Math.max(this.inFlightMost, this.inFlight);
  }

  /** One process after another, none killed: only then can requests in flight be counted. */
  isAlone = true;

  #ended(id: string, outcome: SendOutcome): SendOutcome {
    this.#inFlightOf.set(id, (this.#inFlightOf.get(id) ?? 1) - 1);
    this.inFlight -= 1;
    return outcome;
  }

  /** Nothing comes before all that it has to come after. */
  #arrived(endpointId: string, receipt: Receipt): void {
    const receipts = this.received.get(endpointId) as Receipt[];
    const before = new Set(receipts.map(({ id }) => id));
    receipts.push(receipt);
    if (!/^\d+-\d+$/.test(receipt.id) || before.has(receipt.id)) return;
    const wanted = this.wanted(endpointId);
    const position = wanted.indexOf(receipt.id);
    const missing = wanted.slice(0, position).filter((id) => !before.has(id));
    if (position < 0) this.violations.push(`${endpointId}: ${receipt.id} was not wanted`);
    else if (missing.length > 0) this.violations.push(`${endpointId}: ${receipt.id} came before ${missing[0]}`);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const never = new Promise<never>(() => undefined);
