/** The error class of the code that only `getReceipt` is refused with: a bundle without that function does not include it. */
import type { ErrorClasses } from './error-classes.ts';
import { ReceiptNotReadyError } from './ReceiptNotReadyError.ts';

export const RECEIPT_PROBLEMS = { receipt_not_ready: ReceiptNotReadyError } as const satisfies Partial<ErrorClasses>;
