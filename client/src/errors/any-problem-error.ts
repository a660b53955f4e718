/** The union of the classes of all problem codes. A code of the contract that has no class does not compile here. */
import type { ProblemCode } from '../contract.ts';
import type { CHANGE_PROBLEMS } from './change-problems.ts';
import type { COMMON_PROBLEMS } from './common-problems.ts';
import type { RECEIPT_PROBLEMS } from './receipt-problems.ts';
import type { WEBHOOK_PROBLEMS } from './webhook-problems.ts';

type Tables = typeof COMMON_PROBLEMS & typeof CHANGE_PROBLEMS & typeof RECEIPT_PROBLEMS & typeof WEBHOOK_PROBLEMS;

/** The error of any problem code of the contract; `name` and `code` narrow it. */
export type AnyProblemError = { [Code in ProblemCode]: InstanceType<Tables[Code]> }[ProblemCode];
