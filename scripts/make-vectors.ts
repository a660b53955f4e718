/**
 * Writes the published test vectors in spec/vectors, or with --check fails when a file there is not what this would write.
 *
 * Every expected outcome is written by hand beside its case and compared with the result of the ledger, so that a change of behaviour fails
 * here instead of being recorded as the new expectation. The files copied from elsewhere (signing-vectors.json, ed25519-speccheck.json) are
 * not changed.
 *
 *     node scripts/make-vectors.ts [--check]
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CODES } from '../server/ledger/index.ts';
import { addressVectors } from './vectors/addresses.ts';
import { chainVectors } from './vectors/chain.ts';
import { ed25519Vectors } from './vectors/ed25519.ts';
import { transactionVectors } from './vectors/transactions.ts';
import { treeVectors } from './vectors/tree.ts';

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'spec', 'vectors');

const FILES: Readonly<Record<string, () => unknown>> = {
  'addresses.json': addressVectors,
  'chain.json': chainVectors,
  'codes.json': () => CODES,
  'ed25519.json': ed25519Vectors,
  'transactions.json': transactionVectors,
  'tree.json': treeVectors,
};

/** The text of a vector file, as it must be in spec/vectors. */
function textOf(make: () => unknown): string {
  return `${JSON.stringify(make(), null, 1)}\n`;
}

function main(args: readonly string[]): number {
  const check = args.includes('--check');
  const stale: string[] = [];
  for (const [name, make] of Object.entries(FILES)) {
    const file = path.join(FOLDER, name);
    if (!check) writeFileSync(file, textOf(make));
    else if (readFileSync(file, 'utf8') !== textOf(make)) stale.push(name);
  }
  if (stale.length > 0) console.error(`spec/vectors: ${stale.join(', ')} differ; run node scripts/make-vectors.ts`);
  return stale.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
