/** What every error of this package is. `name` is a constant in each class, so that checking it narrows a union, also across two copies of this package. */
export abstract class LedgerClientError extends Error {
  abstract override readonly name: string;
  /** Whether the very same call can succeed later without the caller changing anything. */
  abstract readonly retriable: boolean;
}
