/**
 * Governance transactions that were handed in here: the audit trail names who did it, also when no block ever takes them. Once for
 * each token: a mempool answers the same bytes with yes again, and rows of the trail stay forever.
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import type { Transaction } from '../../ledger/index.ts';
import type { AuditEntry } from '../../store/index.ts';
import type { Caller } from '../core-api.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { GOVERNANCE_REMEMBERED_MAX } from '../limits.ts';
import { governanceEntry } from './entries.ts';

export interface GovernanceSubmissionsParts {
  /** As the audit trail names this gateway. */
  actor: string;
  clock: Clock;
  logger: Logger;
  lifecycle: Lifecycle;
  append(entries: readonly AuditEntry[]): void | Promise<void>;
}

export class GovernanceSubmissions {
  readonly #parts: GovernanceSubmissionsParts;
  /** With the tokens that handed them in, the oldest first. */
  readonly #handedIn = new Set<string>();

  constructor(parts: GovernanceSubmissionsParts) {
    this.#parts = parts;
  }

  /** For each transaction that the mempool took. Never fails. */
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
}
