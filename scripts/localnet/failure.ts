/** Reasons why the network cannot start: sentences for the person at the terminal, no stack trace. @module */
export class LocalnetError extends Error {
  override readonly name = 'LocalnetError';
}
