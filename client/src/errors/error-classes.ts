/** The class of each problem code, as types: a class under another class's code does not compile. */
import type { ProblemCode, Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import type { ProblemError } from './ProblemError.ts';

export type ErrorClasses = {
  [Code in ProblemCode]: new (problem: Problems[Code], exchange: Exchange) => ProblemError<Code>;
};
