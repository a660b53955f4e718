import { ProblemError } from './ProblemError.ts';

/** The hash in the request is not that of the transfer. */
export class TxHashMismatchError extends ProblemError<'tx_hash_mismatch'> {
  declare readonly name: 'TxHashMismatchError';
  /** The hash that the service computed. */
  declare readonly expectedTxHash: string;
  /** The hash that the request carried. */
  declare readonly actualTxHash: string;
}
