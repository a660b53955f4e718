/** From the body of an answer that is not a success to the error that is thrown. */
import type { ProblemCode, Problems } from '../contract.ts';
import type { Exchange } from '../errors/exchange.ts';
import type { LedgerClientError } from '../errors/LedgerClientError.ts';
import { PROBLEM_ERRORS } from '../errors/problem-errors.ts';
import type { ProblemError } from '../errors/ProblemError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import { UnrecognizedProblemError } from '../errors/UnrecognizedProblemError.ts';

interface AnyProblem {
  code: string;
  type: string;
  detail: string;
  retriable: boolean;
  requestId: string;
}

/** The members that make a body a problem of the contract; a proxy's own JSON has other ones. */
function isProblem(body: unknown): body is AnyProblem {
  const problem = body as Partial<AnyProblem> | null;
  return (
    typeof problem === 'object' &&
    typeof problem?.code === 'string' &&
    typeof problem.type === 'string' &&
    typeof problem.detail === 'string' &&
    typeof problem.retriable === 'boolean' &&
    typeof problem.requestId === 'string'
  );
}

export function problemError(text: string, exchange: Exchange): LedgerClientError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: what a proxy answers in place of the service.
  }
  if (!isProblem(body)) return new UnexpectedAnswerError(exchange, 'which is no answer of the service but of something before it');
  if (!Object.hasOwn(PROBLEM_ERRORS, body.code)) return new UnrecognizedProblemError(body, exchange);
  // The table pairs each code with the class of its schema; that the body follows the schema of its code is the service's promise.
  const ErrorClass = PROBLEM_ERRORS[body.code as ProblemCode] as new (problem: Problems[ProblemCode], exchange: Exchange) => ProblemError;
  return new ErrorClass(body as Problems[ProblemCode], exchange);
}
