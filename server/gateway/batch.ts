/**
 * Runs the stateless checks on the transfers of a batch and has the ledger service accept them together.
 *
 * The checks run in turns, so that a batch holds up no other request, and without a promise for each transfer. The ledger service gets all
 * that passed in one call, in the order of the batch: it checks each after those before it and syncs them together.
 */
import type { Clock, Tracer } from '../engine/ports.ts';
import type { ChainContext } from '../ledger/index.ts';
import type { PreparedTransfer } from './admission.ts';
import { finishTransfer, prepareTransfer } from './admission.ts';
import type { GatewayCoreApi, Submission } from './core-api.ts';
import { NOT_SUBMITTER_DETAIL, refuse } from './refusals.ts';
import { BATCHES, turnsOf } from './turns.ts';
import type { Principal, Refusal, Submitted, TransferInput } from './types.ts';
import type { VerifySignatures } from './verification.ts';

export interface BatchParts {
  core: Pick<GatewayCoreApi, 'submitGroup' | 'mayActFor'>;
  chain: ChainContext;
  clock: Clock;
  verifySignatures: VerifySignatures;
  tracer?: Tracer | undefined;
}

/** A value with its place in the batch. */
interface Placed<T> {
  at: number;
  value: T;
}

export async function submitBatch(
  parts: BatchParts,
  inputs: readonly TransferInput[],
  { owner, tokenId, limits }: Principal,
): Promise<(Submitted | Refusal)[]> {
  const { chain, clock, core } = parts;
  const answers = Array.from<Submitted | Refusal>({ length: inputs.length });
  const turns = turnsOf(clock);
  const parent = parts.tracer?.active();
  const trace = parent?.traceparent;
  const verifying =
    parent && parts.tracer?.begin({ name: 'verify', parent, attributes: { 'txledger.transfers': inputs.length } });

  const prepared: Placed<PreparedTransfer>[] = [];
  for (const [at, input] of inputs.entries()) {
    const outcome = prepareTransfer(chain, input);
    if (outcome.ok) prepared.push({ at, value: outcome.transfer });
    else answers[at] = outcome;
    const turn = turns.yield(BATCHES, owner);
    if (turn !== undefined) await turn;
  }

  const verified = await parts.verifySignatures(prepared.map(({ value }) => value.check));
  const admitted: Placed<Submission>[] = [];
  const refused: Placed<Refusal>[] = [];
  for (const [index, { at, value }] of prepared.entries()) {
    const admission = finishTransfer(value, verified[index] === true);
    if (admission.ok)
      admitted.push({
        at,
        value: {
          ...admission.transfer,
          owner,
          tokenId,
          pendingMax: limits?.pendingMax,
          ...(trace !== undefined && { trace }),
        },
      });
    else refused.push({ at, value: admission });
    const turn = turns.yield(BATCHES, owner);
    if (turn !== undefined) await turn;
  }

  verifying?.end();

  const [accepted, mayActFor] = await Promise.all([
    admitted.length === 0
      ? []
      : core.submitGroup(
          admitted.map(({ value }) => value),
          true,
        ),
    bindingsOf(core, new Set(refused.map(({ at }) => inputs[at]?.from ?? '')), owner),
  ]);
  for (const [index, { at }] of admitted.entries()) answers[at] = accepted[index] as Submitted | Refusal;
  for (const { at, value } of refused) {
    const may = mayActFor.get(inputs[at]?.from ?? '') ?? false;
    // The binding of the address is checked before signature and hash, so that a caller who may not act for it gets no result of these.
    answers[at] = may === true ? value : may === false ? refuse('not_submitter', NOT_SUBMITTER_DETAIL) : may;
  }
  return answers;
}

async function bindingsOf(
  core: BatchParts['core'],
  senders: ReadonlySet<string>,
  owner: string,
): Promise<ReadonlyMap<string, boolean | Refusal>> {
  return new Map(
    await Promise.all([...senders].map(async (sender) => [sender, await core.mayActFor(sender, owner)] as const)),
  );
}
