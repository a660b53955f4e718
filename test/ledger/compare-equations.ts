/**
 * Compares libsodium with node:crypto on crafted signatures, behind the STRICT checks: one difference would be a fork.
 *
 *   node test/ledger/compare-equations.ts [--count 10000000] [--seed TEXT]
 *
 * Prints progress, the number of each kind and how many of them both accepted; ends with 1 at the first difference and prints it.
 */
import { parseArgs } from 'node:util';
import { loadSodium } from '../../server/app/signatures.ts';
import { nodeEquation, verifyStrict } from '../../server/ledger/index.ts';
import { craftedSignatures } from './crafted-signatures.ts';

const PROGRESS_EVERY = 50_000;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000000' }, seed: { type: 'string', default: 'equations' } },
});
const count = Number(values.count);
const sodium = loadSodium();
const kinds = new Map<string, { compared: number; accepted: number }>();
let compared = 0;
for (const { kind, publicKey, message, signature } of craftedSignatures(values.seed)) {
  if (compared === count) break;
  const accepted = verifyStrict(publicKey, message, signature, nodeEquation);
  if (verifyStrict(publicKey, message, signature, sodium) !== accepted) {
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    console.error(
      `A difference (${kind}): node:crypto ${accepted}; key ${hex(publicKey)} message ${hex(message)} signature ${hex(signature)}`,
    );
    process.exit(1);
  }
  const seen = kinds.get(kind) ?? { compared: 0, accepted: 0 };
  kinds.set(kind, { compared: seen.compared + 1, accepted: seen.accepted + (accepted ? 1 : 0) });
  compared += 1;
  if (process.stderr.isTTY && compared % PROGRESS_EVERY === 0) process.stderr.write(`\r${compared} of ${count}`);
}
if (process.stderr.isTTY) process.stderr.write('\r');
for (const [kind, { compared: all, accepted }] of kinds)
  console.log(`${kind}: ${all} compared, ${accepted} accepted by both`);
console.log(`${compared} compared, no difference`);
