/**
 * Order of the calls from other threads on the thread that accepts payments: payments first, owner by owner.
 *
 * HTTP threads hold back reads by the time that these take on the HTTP thread, and cannot see the time that they take here: some tens of
 * connections that request blocks or receipts made every payment wait behind all of them. So here everything else takes turns too. A
 * payment is checked when it arrives and waits for no more than the running piece of work: one read, one batch or one turn of broadcasts.
 */
import type { Clock } from '../engine/ports.ts';
import type { GatewayCoreApi } from './core-api.ts';
import { NO_OWNER } from './limits.ts';
import { isBroadcastMethod } from './rpc/broadcast.ts';
import { BATCHES, type Kind, MAIN_JOB, turnsOf } from './turns.ts';

/** The mempool's answer to a broadcast that it took; that of broadcast_tx_async has no result. */
const TAKEN = /^\{("check_tx":\{)?"code":0,/;
/** Owners that are remembered because the mempool refused their last broadcast; the one longest ago is forgotten first. */
const REFUSED_OWNERS_MAX = 10_000;
/** Dry runs, and broadcasts of owners whose last one paid nothing: in the time that payments leave. */
const ROWS: Kind = { weight: 8, share: 1 };
/** Blocks, headers, searches and receipts: a tenth of the thread while payments come in, and all that is left otherwise. */
const READS: Kind = { weight: 1, share: 0.1 };

export function paymentsFirst(core: GatewayCoreApi, clock: Clock): GatewayCoreApi {
  const turns = turnsOf(clock);
  const inTurn = <T>(kind: Kind, owner: string | undefined, work: () => Promise<T>): Promise<T> =>
    turns.enter(kind, owner)?.then(work) ?? work();
  const submitGroup: GatewayCoreApi['submitGroup'] = (submissions, isBatch = false) => {
    if (isBatch) return inTurn(BATCHES, submissions[0]?.owner, () => core.submitGroup(submissions));
    turns.mainJobCame();
    return core.submitGroup(submissions);
  };
  const check: GatewayCoreApi['check'] = (submission) => inTurn(ROWS, submission.owner, () => core.check(submission));
  const receipt: GatewayCoreApi['receipt'] = (height, txHash, waitMs, owner) =>
    inTurn(READS, owner, () => core.receipt(height, txHash, waitMs, owner));
  /** Owners whose last broadcast was not a payment, as far as its answer shows: the next one counts as a dry run. */
  const refused = new Set<string>();
  const rpc: GatewayCoreApi['rpc'] = async (method, args, caller) => {
    const owner = caller?.owner ?? NO_OWNER;
    const call = (): ReturnType<GatewayCoreApi['rpc']> => core.rpc(method, args, caller);
    if (!isBroadcastMethod(method)) return await inTurn(READS, owner, call);
    const outcome = await inTurn(refused.has(owner) ? ROWS : MAIN_JOB, owner, call);
    // A call that could not be answered shows nothing about the owner.
    if (!outcome.ok) return outcome;
    refused.delete(owner);
    if (method !== 'broadcast_tx_async' && TAKEN.test(outcome.json)) return outcome;
    for (const oldest of refused) {
      if (refused.size < REFUSED_OWNERS_MAX) break;
      refused.delete(oldest);
    }
    refused.add(owner);
    return outcome;
  };
  return Object.assign(Object.create(core) as GatewayCoreApi, { submitGroup, check, rpc, receipt });
}
