/**
 * Cancels of clients: groups them as submissions are grouped, has them written, and answers each when a block has decided or its wait is
 * over.
 */
import { GroupQueue } from '../group-queue.ts';
import type { Wait } from '../core-api.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { CANCELS_PER_GROUP_MAX } from '../limits.ts';
import { type CancelJudgement, type CancelRequest, settledOtherwise } from '../request-cancels.ts';
import type { CancelAnswer, Principal, Refusal, TransactionRecord } from '../types.ts';
import type { StoredTransfer } from '../../store/index.ts';
import type { TransferTraces } from '../transfer-traces.ts';
import type { Waiters } from '../waiters.ts';
import { type CancellationParts, requestCancels } from './cancellation.ts';
import type { LiveTransfer } from './live-transfers.ts';

export interface CancellingParts extends CancellationParts {
  lifecycle: Lifecycle;
  waiters: Waiters;
  nowMs: () => number;
  recordOf: (transfer: StoredTransfer) => TransactionRecord;
  /** Those of a group for which no cancel was requested before. */
  onRequested: (requested: readonly LiveTransfer[]) => void;
  /** The sender's own cancel of one of them. */
  broadcastSigned(raw: Uint8Array, principal: Principal): void;
  traces?: TransferTraces | undefined;
}

export class Cancelling {
  readonly #parts: CancellingParts;
  readonly #queue: GroupQueue<CancelRequest, CancelJudgement>;

  constructor(parts: CancellingParts) {
    this.#parts = parts;
    this.#queue = new GroupQueue({ sizeMax: CANCELS_PER_GROUP_MAX, commit: async (group) => this.#commit(group) });
  }

  /** Throws what the database throws. */
  async cancel(
    txHash: string,
    principal: Principal,
    wait: Wait,
    signed: Uint8Array | undefined,
  ): Promise<CancelAnswer | Refusal> {
    const { waiters, live, lifecycle, settledByHash, recordOf, broadcastSigned } = this.#parts;
    // The wait begins before the request: so no block can settle the transfer unnoticed in between.
    const settled = waiters.wait(wait.id, txHash, wait.ms);
    try {
      const request = { txHash, principal, isSigned: signed !== undefined };
      const judgement = (await this.#queue.push([request]))[0] as CancelJudgement;
      if (judgement.kind === 'refused') return judgement.refusal;
      if (judgement.kind === 'cancelled') return { ok: true, decided: true, transaction: recordOf(judgement.transfer) };
      if (signed !== undefined) broadcastSigned(signed, principal);
      if (wait.trace !== undefined) this.#parts.traces?.follow(judgement.transfer.hash, wait.trace);
      const asked = live.get(judgement.transfer.seq);
      await settled;
      if (lifecycle.fault !== undefined) return lifecycle.refusal() as Refusal;
      this.#parts.log.assertNotHeld();
      const transfer = asked?.entry.transfer ?? settledByHash(judgement.transfer.hash) ?? judgement.transfer;
      return (
        settledOtherwise(transfer) ?? {
          ok: true,
          decided: transfer.status === 'cancelled',
          transaction: recordOf(transfer),
        }
      );
    } finally {
      waiters.end(wait.id);
    }
  }

  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  #commit(group: readonly CancelRequest[]): CancelJudgement[] {
    const { lifecycle, nowMs, onRequested } = this.#parts;
    // It may have stopped while the group waited.
    const stopped = lifecycle.fault === undefined ? undefined : lifecycle.refusal();
    if (stopped !== undefined) return group.map(() => ({ kind: 'refused', refusal: stopped }));
    try {
      this.#parts.log.assertNotHeld();
      const { judgements, requested } = requestCancels(this.#parts, group, nowMs());
      if (requested.length > 0) onRequested(requested);
      return judgements;
    } catch (error) {
      lifecycle.watch(error);
      throw error;
    }
  }
}
