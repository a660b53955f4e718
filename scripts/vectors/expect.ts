/**
 * Compares the expected outcome of a vector, which is written by hand, with the result of the ledger, and stops the run when they differ.
 */
export function expectEqual(name: string, actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`vector "${name}": expected ${String(expected)}, the ledger says ${String(actual)}`);
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
