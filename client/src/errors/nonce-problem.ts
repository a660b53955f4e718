/** Members that the refusals of a nonce have in common. */
import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

type NonceCode = 'nonce_too_low' | 'nonce_too_high' | 'nonce_conflict' | 'nonce_cancelled';

export abstract class NonceProblem<Code extends NonceCode> extends ProblemError<Code> {
  /** The nonce to sign with instead, as of the moment of the refusal. */
  readonly nextNonce: number;

  constructor(problem: Problems[Code], exchange: Exchange) {
    super(problem, exchange);
    this.nextNonce = problem.nextNonce;
  }
}
