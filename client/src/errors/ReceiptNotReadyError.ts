import { ProblemError } from './ProblemError.ts';

/** No block has decided the transfer, or the block after that one does not exist yet: call again later. */
export class ReceiptNotReadyError extends ProblemError<'receipt_not_ready'> {
  declare readonly name: 'ReceiptNotReadyError';
  declare readonly txHash: string;
}
