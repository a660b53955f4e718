/** What every error of this package is. `name` is a constant in each class, so that checking it narrows a union, also across two copies of this package. */
export abstract class LedgerClientError extends Error {
  abstract override readonly name: string;
}
