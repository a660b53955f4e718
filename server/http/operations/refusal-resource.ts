/** A refusal as part of an answer: the problem that submitTransaction would answer for one transfer. */
import type { Refusal } from '../../gateway/types.ts';
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import { buildProblem, problemOfRefusal } from '../problem/problem.ts';
import type { Schemas } from '../typed/types.ts';

export interface RefusalPlace {
  catalogue: ProblemCatalogue;
  requestId: string;
  /** The path of the request: problem types are relative to it. */
  target: string;
  /** The place of the transfer in the body of the request, as a JSON pointer. */
  at?: string;
}

export function transactionRefusal(
  refusal: Refusal,
  { catalogue, requestId, target, at = '' }: RefusalPlace,
): Schemas['TransactionRefusal'] {
  const init = problemOfRefusal(refusal);
  const errors = init.errors?.map(({ pointer, message }) => ({ pointer: `${at}${pointer}`, message }));
  const { body, headers } = buildProblem(catalogue, { requestId, target }, { ...init, errors });
  const retryAfter = headers['Retry-After'];
  const made = body as Schemas['TransactionRefusal'];
  if (retryAfter !== undefined) made.retryAfterS = Number(retryAfter);
  return made;
}
