import { LedgerClientError } from './LedgerClientError.ts';

/** A signer answered with something that is not the signature of the account's key over the bytes it was given. Nothing was sent. */
export class SignerError extends LedgerClientError {
  override readonly name = 'SignerError' as const;
  override readonly retriable = false;
}
