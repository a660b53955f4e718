/**
 * Copies the audit trail to the log, entry by entry, whoever wrote it: the command line is another process, and what it
 * did must not be missing from the log of the service.
 *
 * It begins behind the last entry that a gateway wrote: those before it were told by the gateways that ran then. An entry
 * can be told twice (by two gateways, or after a kill); its id tells that.
 */
import type { Clock, Logger, Timer } from '../../engine/ports.ts';
import type { Store } from '../../store/index.ts';
import { AUDIT_PAGE_MAX, AUDIT_POLL_MS } from '../limits.ts';

export interface AuditStreamParts {
  store: Store;
  clock: Clock;
  /** Where the entries go. */
  stream: Logger;
  /** For what goes wrong meanwhile. */
  logger: Logger;
}

export class AuditStream {
  readonly #parts: AuditStreamParts;
  #told: number;
  #timer: Timer | undefined;
  #stopped = false;
  /** One look at a time, so that no entry is told twice. */
  #looking: Promise<void> = Promise.resolve();

  private constructor(parts: AuditStreamParts, told: number) {
    this.#parts = parts;
    this.#told = told;
  }

  static async open(parts: AuditStreamParts): Promise<AuditStream> {
    const last = await parts.store.read((tx) => tx.lastGatewayAudit());
    return new AuditStream(parts, last);
  }

  /** Looks again and again from now on. */
  start(): void {
    void this.#poll();
  }

  /** Tells what is there by now, and no more after that. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#tell();
  }

  async #poll(): Promise<void> {
    await this.#tell();
    if (!this.#stopped) this.#timer = this.#parts.clock.setTimer(() => void this.#poll(), AUDIT_POLL_MS);
  }

  #tell(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { store, stream, logger } = this.#parts;
    try {
      for (let more = true; more; ) {
        const entries = await store.now.auditEntries({ after: this.#told, limit: AUDIT_PAGE_MAX });
        for (const { id, atMs, ...entry } of entries) {
          stream.info({ id, at: new Date(atMs).toISOString(), ...entry }, 'audit');
          this.#told = id;
        }
        more = entries.length === AUDIT_PAGE_MAX;
      }
    } catch (error) {
      logger.warn({ err: error }, 'the audit trail could not be read; reading again soon');
    }
  }
}
