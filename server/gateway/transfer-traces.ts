/**
 * Traces of transfers on the thread that accepts and settles them: a span for the commit that took each in, and one for the block that
 * decided it, both below the request that brought it.
 *
 * The trace of a transfer is in memory only: one that a restart finds pending has none, and one that another gateway settles is not
 * followed.
 */
import type { Clock, Tracer } from '../engine/ports.ts';
import type { Judgement } from './accept/judge.ts';
import type { Submission } from './core-api.ts';
import { TRACED_TRANSFERS_MAX } from './limits.ts';

/** Outcome of a transfer in a block. */
export interface TracedSettlement {
  hash: string;
  status: string;
  /** The result code of the transaction in the block that settled it; undefined where a cancel or another payment did. */
  code?: number | undefined;
}

export class TransferTraces {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  /** By the transfer's hash, oldest first. */
  readonly #followed = new Map<string, Set<string>>();

  constructor(tracer: Tracer, clock: Clock) {
    this.#tracer = tracer;
    this.#clock = clock;
  }

  /** The group is durable. Transfers of one request, a batch, have one span together. */
  accepted(group: readonly Submission[], judgements: readonly (Judgement | undefined)[], startedMs: number): void {
    const requests = new Map<string, { transfers: number; txHash: string; code: string | undefined }>();
    for (const [index, { trace, txHash }] of group.entries()) {
      const judgement = judgements[index];
      if (trace === undefined || judgement === undefined) continue;
      if (judgement.kind !== 'refused' && judgement.transfer.status === 'pending')
        this.follow(judgement.transfer.hash, trace);
      const request = requests.get(trace) ?? {
        transfers: 0,
        txHash,
        code: judgement.kind === 'refused' ? judgement.refusal.code : undefined,
      };
      request.transfers += 1;
      requests.set(trace, request);
    }
    for (const [parent, { transfers, txHash, code }] of requests) {
      const single = transfers === 1 ? { 'txledger.tx_hash': txHash, 'txledger.problem.code': code } : {};
      const attributes = { 'txledger.group.size': group.length, 'txledger.transfers': transfers, ...single };
      this.#tracer.begin({ name: 'accept', parent, startedMs, attributes }).end();
    }
  }

  /** The block that decides the transfer belongs to this trace too. */
  follow(hash: string, trace: string): void {
    const known = this.#followed.get(hash);
    if (known !== undefined) return void known.add(trace);
    if (this.#followed.size >= TRACED_TRANSFERS_MAX)
      for (const oldest of this.#followed.keys()) {
        this.#followed.delete(oldest);
        break;
      }
    this.#followed.set(hash, new Set([trace]));
  }

  /** The block is durable, with all that it settled. */
  settled(block: { height: number; hash: string; startedMs: number }, settlements: Iterable<TracedSettlement>): void {
    if (this.#followed.size === 0) return;
    const requests = new Map<string, { transfers: number; first: TracedSettlement }>();
    for (const settlement of settlements) {
      for (const trace of this.#followed.get(settlement.hash) ?? []) {
        const request = requests.get(trace) ?? { transfers: 0, first: settlement };
        request.transfers += 1;
        requests.set(trace, request);
      }
      this.#followed.delete(settlement.hash);
    }
    for (const [parent, { transfers, first }] of requests) {
      const single =
        transfers === 1
          ? { 'txledger.tx_hash': first.hash, 'txledger.status': first.status, 'txledger.result.code': first.code }
          : {};
      const attributes = {
        'txledger.block.height': block.height,
        'txledger.block.hash': block.hash,
        'txledger.transfers': transfers,
        ...single,
      };
      this.#tracer.begin({ name: 'block', parent, startedMs: block.startedMs, attributes }).end();
    }
  }

  nowMs(): number {
    return this.#clock.monotonicMs();
  }
}
