/** Which class stands for which problem code, as types: a class under another's code does not compile. */
import type { ProblemCode, Problems } from '../contract.ts';
import type { CHANGE_PROBLEMS } from './change-problems.ts';
import type { COMMON_PROBLEMS } from './common-problems.ts';
import type { Exchange } from './exchange.ts';
import type { ProblemError } from './ProblemError.ts';

export type ErrorClasses = { [Code in ProblemCode]: new (problem: Problems[Code], exchange: Exchange) => ProblemError<Code> };

type Tables = typeof COMMON_PROBLEMS & typeof CHANGE_PROBLEMS;

/** Every error that stands for a problem code of the contract; `name` and `code` narrow it. A code without a class does not compile. */
export type AnyProblemError = { [Code in ProblemCode]: InstanceType<Tables[Code]> }[ProblemCode];
