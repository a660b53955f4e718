/** The error class of the code that only a receipt is refused with: a bundle that asks for none does without it. */
import type { ErrorClasses } from './error-classes.ts';
import { ReceiptNotReadyError } from './ReceiptNotReadyError.ts';

export const RECEIPT_PROBLEMS = { receipt_not_ready: ReceiptNotReadyError } as const satisfies Partial<ErrorClasses>;
