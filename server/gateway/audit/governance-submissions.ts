/**
 * Governance transactions that were submitted here: the audit trail names the submitter, even if no block ever includes them. There is one
 * entry for each token: a mempool accepts the same bytes again, and rows of the trail stay forever.
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import type { Transaction } from '../../ledger/index.ts';
import type { AuditEntry } from '../../store/index.ts';
import type { Caller } from '../core-api.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX, GOVERNANCE_REMEMBERED_MAX } from '../limits.ts';
import { governanceEntry } from './entries.ts';

const MINUTE_MS = 60_000;

export interface GovernanceSubmissionsParts {
  /** The name of this gateway in the audit trail. */
  actor: string;
  clock: Clock;
  logger: Logger;
  lifecycle: Lifecycle;
  append(entries: readonly AuditEntry[]): void | Promise<void>;
}

export class GovernanceSubmissions {
  readonly #parts: GovernanceSubmissionsParts;
  /** Each with the tokens that submitted it, the oldest first. */
  readonly #handedIn = new Set<string>();
  /** Counts of the minute that began then: rows without a token, and those that were left out. */
  #anonymous = { sinceMs: Number.NEGATIVE_INFINITY, rows: 0, leftOut: 0 };

  constructor(parts: GovernanceSubmissionsParts) {
    this.#parts = parts;
  }

  /** Called for each transaction that the mempool took. Never fails. */
  async record(tx: Transaction, hash: string, caller: Caller | undefined): Promise<void> {
    if (tx.kind !== 'governance') return;
    const { actor, clock, logger, lifecycle, append } = this.#parts;
    const handedIn = `${hash} ${caller?.tokenId ?? ''}`;
    if (this.#handedIn.has(handedIn)) return;
    this.#handedIn.add(handedIn);
    for (const oldest of this.#handedIn) {
      if (this.#handedIn.size <= GOVERNANCE_REMEMBERED_MAX) break;
      this.#handedIn.delete(oldest);
    }
    if (caller === undefined && !this.#mayRecordAnonymous(hash)) return;
    const entry = governanceEntry('governance.submit', { tx, hash, actor, atMs: clock.nowMs() }, { ...caller });
    try {
      await append([entry]);
    } catch (error) {
      this.#handedIn.delete(handedIn);
      lifecycle.watch(error);
      logger.error(
        { err: error, entry },
        'a governance transaction was handed in, and the audit trail could not be written',
      );
    }
  }

  #mayRecordAnonymous(hash: string): boolean {
    const { clock, logger } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#anonymous.sinceMs >= MINUTE_MS) this.#anonymous = { sinceMs: nowMs, rows: 0, leftOut: 0 };
    if (this.#anonymous.rows < ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX) {
      this.#anonymous.rows += 1;
      return true;
    }
    this.#anonymous.leftOut += 1;
    logger.warn(
      { hash, leftOut: this.#anonymous.leftOut },
      'a governance transaction that came without a token is left out of the audit trail: there were too many in this minute',
    );
    return false;
  }
}
