/**
 * The base class of every error of this package. `name` is a constant in each class, so that checking it narrows a union, also across two
 * copies of this package.
 */
export abstract class LedgerClientError extends Error {
  abstract override readonly name: string;
  /** True if the same call can succeed later without a change by the caller. */
  abstract readonly retriable: boolean;
}
