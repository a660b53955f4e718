/** The union of all errors that stand for a problem code of the contract. */
import type { ProblemCode } from '../contract.ts';
import type { CHANGE_PROBLEMS } from './change-problems.ts';
import type { COMMON_PROBLEMS } from './common-problems.ts';

type Tables = typeof COMMON_PROBLEMS & typeof CHANGE_PROBLEMS;

/** `name` and `code` narrow it. A code without a class does not compile. */
export type AnyProblemError = { [Code in ProblemCode]: InstanceType<Tables[Code]> }[ProblemCode];
