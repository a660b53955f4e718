/**
 * The moment of a genesis as CometBFT writes it: RFC 3339 in UTC, the fraction without trailing zeros.
 *
 * @module
 */

/** @param ms milliseconds since the Unix epoch. */
export function genesisTimeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z');
}
