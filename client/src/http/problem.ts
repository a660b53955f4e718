/** Makes the error to throw from the body of an answer that is not a success. */
import { COMMON_PROBLEMS } from '../errors/common-problems.ts';
import type { ErrorClasses } from '../errors/error-classes.ts';
import type { Exchange } from '../errors/exchange.ts';
import type { ProblemError } from '../errors/ProblemError.ts';
import type { RequestError } from '../errors/RequestError.ts';
import { UnexpectedAnswerError, type UnknownProblem } from '../errors/UnexpectedAnswerError.ts';

export const NOT_AN_ANSWER = 'not an answer of the service';

type AnyErrorClass = new (problem: unknown, exchange: Exchange) => ProblemError;

/** `known` has the classes of the codes that only some operations answer with. `body` is undefined when it was not JSON. */
export function problemError(body: unknown, exchange: Exchange, known?: Partial<ErrorClasses>): RequestError {
  const problem = body as (UnknownProblem & { type: string }) | undefined | null;
  // Every problem of the contract has these members; the JSON of a proxy does not.
  if (!problem?.code || !problem.requestId) return new UnexpectedAnswerError(exchange, NOT_AN_ANSWER);
  // The tables pair each code with the class of its schema. The service guarantees that the body follows the schema of its code.
  const classes = { __proto__: null, ...COMMON_PROBLEMS, ...known } as unknown as Record<
    string,
    AnyErrorClass | undefined
  >;
  const ErrorClass = classes[problem.code];
  return ErrorClass
    ? new ErrorClass(problem, exchange)
    : new UnexpectedAnswerError(exchange, `${problem.code}. ${problem.detail}`, problem);
}
