/** A vector's expected outcome is stated by hand; this compares it with what the ledger does and stops the run when they differ. */
export function expectEqual(name: string, actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`vector "${name}": expected ${String(expected)}, the ledger says ${String(actual)}`);
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
