import { LedgerClientError } from './LedgerClientError.ts';

/** A signer returned something that is not the signature by the account's key over the given bytes. Nothing was sent. */
export class SignerError extends LedgerClientError {
  override readonly name = 'SignerError' as const;
  override readonly retriable = false;
}
