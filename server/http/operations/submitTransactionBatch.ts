/**
 * POST /transactions/batch. Each transfer has its own outcome; the answer is 200 unless no transfer was checked.
 *
 * The envelope has been validated before. The transfers are validated here, one by one and in turns, so that a fault in one is an outcome
 * of its own and no batch delays other requests.
 */
import { BATCHES, turnsOf } from '../../gateway/turns.ts';
import type { Refusal, Submitted, TransferInput } from '../../gateway/types.ts';
import { describeFaults } from '../problem/describe-faults.ts';
import { handler, resource } from '../typed/exact.ts';
import type { Handler, Schemas } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { transactionRefusal } from './refusal-resource.ts';
import { transactionResource } from './resource.ts';

/** Only its depth is used: problem types are relative to it. */
const TARGET = '/transactions/batch';

/** The place of a transfer in the body, as a JSON pointer. */
const placeOf = (at: number): string => `/transactions/${at}`;

/** With these codes no transfer is known to be stored, and the same batch can be sent again. */
const NOTHING_STORED: ReadonlySet<string> = new Set<Refusal['code']>([
  'store_unavailable',
  'engine_unavailable',
  'shutting_down',
]);

export function submitTransactionBatch({
  gateway,
  catalogue,
  transferFaults,
  clock,
}: HandlerParts): Handler<'submitTransactionBatch'> {
  return handler('submitTransactionBatch', async ({ body, principal, requestId }) => {
    const { transactions } = body;
    const resultOf = (outcome: Submitted | Refusal, at: number) => {
      if (!outcome.ok)
        return resource('TransactionOutcome', {
          outcome: 'refused',
          problem: transactionRefusal(outcome, { catalogue, requestId, target: TARGET, at: placeOf(at) }),
        });
      return resource('TransactionOutcome', {
        outcome: outcome.replayed ? 'replayed' : 'accepted',
        transaction: transactionResource(outcome.transaction),
      });
    };
    const outcomes = Array.from<Submitted | Refusal>({ length: transactions.length });
    const places: number[] = [];
    const inputs: TransferInput[] = [];
    const turns = turnsOf(clock);
    for (const [at, transfer] of transactions.entries()) {
      const faults = transferFaults(transfer);
      if (faults.length > 0)
        outcomes[at] = {
          ok: false,
          code: 'invalid_request',
          detail: describeFaults(faults.map((fault) => ({ ...fault, pointer: `${placeOf(at)}${fault.pointer}` }))),
          errors: [...faults],
        };
      else {
        places.push(at);
        inputs.push(transfer);
      }
      const turn = turns.yield(BATCHES, principal.owner);
      if (turn !== undefined) await turn;
    }

    const answers = inputs.length === 0 ? [] : await gateway.submitBatch(inputs, principal);
    if (!Array.isArray(answers)) return { refusal: answers };
    const unstored = refusalOfAll(answers);
    if (unstored !== undefined) return { refusal: unstored };
    for (const [index, at] of places.entries()) outcomes[at] = answers[index] as Submitted | Refusal;

    const results: Schemas['TransactionOutcome'][] = [];
    let ledgerHeight: number | undefined;
    for (const [at, outcome] of outcomes.entries()) {
      results.push(resultOf(outcome, at));
      const height = outcome.ok ? outcome.transaction.height : undefined;
      if (height !== undefined && height > (ledgerHeight ?? 0)) ledgerHeight = height;
      const turn = turns.yield(BATCHES, principal.owner);
      if (turn !== undefined) await turn;
    }
    return { status: 200, body: { results }, ledgerHeight };
  });
}

/** The refusal of the whole batch, if as far as is known the store recorded nothing of it. It names no transfer. */
function refusalOfAll(answers: readonly (Submitted | Refusal)[]): Refusal | undefined {
  const [first] = answers;
  if (first === undefined || first.ok) return undefined;
  if (!answers.every((answer) => !answer.ok && NOTHING_STORED.has(answer.code))) return undefined;
  const { txHash: _ofOne, ...refusal } = first;
  return refusal;
}
