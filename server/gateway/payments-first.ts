/**
 * What other threads ask of the thread that accepts payments, payments first.
 *
 * HTTP threads hold back reads by the time that these take on the HTTP thread, and cannot see what they take here: some tens of connections that ask for
 * blocks or receipts made every payment wait behind all of them. So here reads and batches take turns too. A payment is judged when it
 * arrives and waits for no more than what runs, one read or one batch.
 */
import type { Clock } from '../engine/ports.ts';
import type { GatewayCoreApi } from './core-api.ts';
import { isBroadcastMethod } from './rpc/broadcast.ts';
import { BATCHES, type Kind, turnsOf } from './turns.ts';

/** Blocks, headers, searches and receipts: a tenth of the thread while payments come in, and all that is left otherwise. */
const READS: Kind = { weight: 1, share: 0.1 };

export function paymentsFirst(core: GatewayCoreApi, clock: Clock): GatewayCoreApi {
  const turns = turnsOf(clock);
  const submitGroup: GatewayCoreApi['submitGroup'] = async (submissions, isBatch = false) => {
    turns.mainJobCame();
    const turn = isBatch ? turns.enter(BATCHES, submissions[0]?.owner) : undefined;
    if (turn !== undefined) await turn;
    return await core.submitGroup(submissions);
  };
  const rpc: GatewayCoreApi['rpc'] = async (method, args, caller) => {
    const turn = isBroadcastMethod(method) ? undefined : turns.enter(READS, caller?.owner);
    if (turn !== undefined) await turn;
    return await core.rpc(method, args, caller);
  };
  const receipt: GatewayCoreApi['receipt'] = async (height, txHash, waitMs) => {
    const turn = turns.enter(READS);
    if (turn !== undefined) await turn;
    return await core.receipt(height, txHash, waitMs);
  };
  return Object.create(core, { submitGroup: { value: submitGroup }, rpc: { value: rpc }, receipt: { value: receipt } });
}
