/**
 * Writes receipts to a file of JSON lines, for judges that share no code with us: first the genesis file in base64, then a receipt a line, of a
 * chain with several validators.
 *
 *   node test/receipts/export.ts OUTPUT
 */
import { writeFileSync } from 'node:fs';
import { randomChain, receiptsOf } from './chain.ts';

const SEED = 9;
const TRANSFERS = 60;

async function main([output]: string[]): Promise<void> {
  if (output === undefined) throw new Error('usage: export.ts OUTPUT');
  const chain = randomChain(SEED, TRANSFERS);
  const lines = [{ genesis: Buffer.from(chain.genesis.bytes).toString('base64') }, ...(await receiptsOf(chain))];
  writeFileSync(output, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

await main(process.argv.slice(2));
