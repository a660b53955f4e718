/**
 * Copies every entry of the audit trail to the log, whichever process wrote it. The command line is another process, and its changes must
 * not be missing from the log of the service.
 *
 * The copy begins after the last start or stop of a gateway: older entries were copied by the gateways that ran then. No other entry of a
 * gateway shows that, because a gateway may be killed between an entry and its copy. An entry can be copied twice (by two gateways, or
 * after a kill); the repeated id shows it.
 */
import type { Clock, Logger, Timer } from '../../engine/ports.ts';
import type { AdminStore } from '../../store/index.ts';
import { AUDIT_PAGE_MAX, AUDIT_POLL_MS } from '../limits.ts';

export interface AuditStreamParts {
  store: Pick<AdminStore, 'now'>;
  clock: Clock;
  /** Receives the entries. */
  stream: Logger;
  /** Receives faults of the copying. */
  logger: Logger;
}

export class AuditStream {
  readonly #parts: AuditStreamParts;
  /** The id of the last entry that was copied. */
  #copiedId: number;
  #timer: Timer | undefined;
  #stopped = false;
  /** One poll at a time, so that no entry is copied twice. */
  #looking: Promise<void> = Promise.resolve();

  private constructor(parts: AuditStreamParts, copiedId: number) {
    this.#parts = parts;
    this.#copiedId = copiedId;
  }

  static async open(parts: AuditStreamParts): Promise<AuditStream> {
    const last = await parts.store.now.lastProcessAudit();
    return new AuditStream(parts, last);
  }

  /** Polls from now on. */
  start(): void {
    void this.#poll();
  }

  /** Copies the entries that exist by now, and then ends. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#copy();
  }

  async #poll(): Promise<void> {
    await this.#copy();
    if (!this.#stopped) this.#timer = this.#parts.clock.setTimer(() => void this.#poll(), AUDIT_POLL_MS);
  }

  #copy(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { store, stream, logger } = this.#parts;
    try {
      for (let more = true; more;) {
        const entries = await store.now.auditEntries({ after: this.#copiedId, limit: AUDIT_PAGE_MAX });
        for (const { id, atMs, hash: _, ...entry } of entries) {
          stream.info({ id, at: new Date(atMs).toISOString(), ...entry }, 'audit');
          this.#copiedId = id;
        }
        more = entries.length === AUDIT_PAGE_MAX;
      }
    } catch (error) {
      logger.warn({ err: error }, 'the audit trail could not be read; reading again soon');
    }
  }
}
